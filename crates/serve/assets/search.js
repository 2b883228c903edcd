// The search form that several views share, and answers and progress as text.

import { el, field, grouped, rebuilt, seconds, select } from './dom.js';
import { TOO_LARGE } from './engine.js';
import { t } from './language.js';
import { explained, term } from './tips.js';

const OWN = 'own';

/** An expression to show how one is written. */
export function sampleExpression({ heuristics }) {
  const { name } = heuristics.find((card) => card.name !== 'zero') ?? { name: 'zero' };
  return `max(${name}, 2)`;
}

/** Lists of the algorithms and heuristics of the current puzzle; `change` is called with every choice. */
export class SearchForm {
  constructor(store, keys, change) {
    this.store = store;
    this.keys = keys;
    this.change = change;
    this.root = el('div', { class: 'search-form' });
  }

  /** The explanation of a choice: below the list, or beside it on hover and focus where there is little room. */
  about(list, text) {
    if (!text) return null;
    if (!this.keys.watched) return el('p', { class: 'help about' }, text);
    explained(list, text);
    return null;
  }

  refresh() {
    const { store, keys } = this;
    const parts = [];
    if (keys.algorithm) {
      // HDA* has no fixed expansion order, so it cannot be watched.
      const fitting = store.catalogue.algorithms.filter(({ name }) => !keys.watched || name !== 'hdastar');
      const algorithms = fitting.map(({ name }) => [name, name]);
      const list = select([['', 'what suits the board'], ...algorithms], store[keys.algorithm], (algorithm) => {
        this.change({ [keys.algorithm]: algorithm });
      });
      const card = store.catalogue.algorithms.find(({ name }) => name === store[keys.algorithm]);
      parts.push(el('div', { class: 'choice' }, field('Algorithm', list), this.about(list, card && t(card.summary))));
    }
    const names = store.card.heuristics.filter((card) => !store.lacks[card.name]).map((card) => [card.name, card.name]);
    const value = store[keys.heuristic];
    const isOwn = Boolean(value) && !names.some(([name]) => name === value);
    const options = [['', 'the strongest admissible'], ...names, [OWN, 'an expression …']];
    const list = select(options, isOwn ? OWN : value, (chosen) => {
      expression.hidden = chosen !== OWN;
      if (chosen === OWN) expression.querySelector('input').focus();
      else this.change({ [keys.heuristic]: chosen });
    });
    const input = el('input', {
      type: 'text', value: isOwn ? value : '', spellcheck: 'false', autocomplete: 'off',
      placeholder: sampleExpression(store.card),
      onchange: (event) => this.change({ [keys.heuristic]: event.target.value.trim() }),
    });
    const expression = el('div', { hidden: !isOwn }, field('Expression', input));
    const card = store.card.heuristics.find(({ name }) => name === value);
    parts.push(el('div', { class: 'choice' }, field(keys.label ?? 'Heuristic', list), expression,
      this.about(list, card && aboutHeuristic(card))));
    rebuilt(this.root, () => this.root.replaceChildren(...parts));
  }
}

/** The search options of a request. */
export function wanted(algorithm, heuristic) {
  const search = {};
  if (algorithm) search.algorithm = algorithm;
  if (heuristic) search.heuristic = heuristic;
  return search;
}

const STOPS = {
  'time limit': 'at the time limit',
  'memory limit': 'at the memory limit',
  'node limit': 'at the limit on states',
  'unproved heuristic': 'for want of an admissible heuristic',
};

/** The limits that are those of the engine. */
const LIMITED = ['time limit', 'memory limit'];

/**
 * The answer in a sentence, its tone, good, bad or unknown, the word of the glossary that explains it, and what to do
 * where it is no answer.
 */
export function verdict(answer) {
  if (answer.outcome === 'unsolvable') {
    return { tone: 'bad', text: t('There is no solution: proved.'), word: 'unsolvable' };
  }
  if (answer.outcome === 'stopped') {
    const least = { bound: answer.lower_bound };
    const bound = answer.lower_bound > 0 ? t(' Every solution takes at least {bound} steps.', least) : '';
    const why = t(STOPS[answer.why] ?? `(${answer.why})`);
    const advice = LIMITED.includes(answer.why) ? t(TOO_LARGE) : '';
    return { tone: 'unknown', text: `${t('Stopped {why}.', { why })}${bound}`, word: 'stopped', advice };
  }
  const steps = t(answer.cost === 1 ? '{count} step' : '{count} steps', { count: answer.cost });
  if (answer.guarantee === 'optimal') {
    return { tone: 'good', text: t('Shortest solution: {steps}, proved optimal.', { steps }), word: 'optimal' };
  }
  const factor = answer.guarantee.match(/^within (.*)/)?.[1];
  if (factor) {
    const text = t('Solution of {steps}, at most {factor} times the shortest.', { steps, factor });
    return { tone: 'unknown', text, word: 'bounded' };
  }
  const text = t('Solution of {steps}. Nothing is proved about its length.', { steps });
  return { tone: 'unknown', text, word: 'unproved' };
}

/** A list of named figures. */
export function figures(pairs) {
  const row = ([name, value]) => el('div', {}, el('dt', {}, term(name)), el('dd', {}, value));
  return el('dl', { class: 'figures' }, pairs.map(row));
}

/** The progress of a job, in a line. */
export function progressText(progress) {
  if (progress.preparing) {
    const { done, of } = progress.preparing;
    return t('Building tables: {share} %', { share: Math.floor((100 * done) / Math.max(of, 1)) });
  }
  if (progress.of !== undefined) {
    return t('{done} of {of} states looked at', { done: grouped(progress.done), of: grouped(progress.of) });
  }
  const run = progress.run ? `${progress.run.at + 1} / ${progress.run.of}, ${progress.run.title}: ` : '';
  const values = { bound: progress.bound, expanded: grouped(progress.expanded), time: seconds(progress.seconds) };
  return run + t('bound {bound}, {expanded} states expanded, {time}', values);
}

/** What a heuristic is and what is true of it, in words. */
export function aboutHeuristic({ summary, admissible, consistent, claim }) {
  const holds = { yes: 'yes', no: 'NO', sometimes: 'sometimes' };
  const part = (name, { holds: how, why }) => `${t(name)}: ${t(holds[how])}${why ? ` (${why})` : ''}`;
  const truth = `${part('admissible', admissible)}; ${part('consistent', consistent)}`;
  return `${t(summary)}. ${truth}. ${t('Its source claims: {claim}.', { claim })}`;
}
