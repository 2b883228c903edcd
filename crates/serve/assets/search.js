// The search form that several views share, and answers and progress as text.

import { el, field, grouped, seconds, select } from './dom.js';

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
      parts.push(field('Algorithm', list));
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
    parts.push(field(keys.label ?? 'Heuristic', list), expression);
    this.root.replaceChildren(...parts);
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

/** The answer in a sentence, and its tone: good, bad or unknown. */
export function verdict(answer) {
  if (answer.outcome === 'unsolvable') return { tone: 'bad', text: 'There is no solution: proved.' };
  if (answer.outcome === 'stopped') {
    const bound = answer.lower_bound > 0 ? ` Every solution takes at least ${answer.lower_bound} steps.` : '';
    return { tone: 'unknown', text: `Stopped ${STOPS[answer.why] ?? `(${answer.why})`}.${bound}` };
  }
  const steps = `${answer.cost} ${answer.cost === 1 ? 'step' : 'steps'}`;
  if (answer.guarantee === 'optimal') return { tone: 'good', text: `Shortest solution: ${steps}, proved optimal.` };
  const factor = answer.guarantee.match(/^within (.*)/)?.[1];
  if (factor) return { tone: 'unknown', text: `Solution of ${steps}, at most ${factor} times the shortest.` };
  return { tone: 'unknown', text: `Solution of ${steps}. Nothing is proved about its length.` };
}

/** A list of named figures. */
export function figures(pairs) {
  const row = ([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value));
  return el('dl', { class: 'figures' }, pairs.map(row));
}

/** The progress of a job, in a line. */
export function progressText(progress) {
  if (progress.preparing) {
    const { done, of } = progress.preparing;
    return `Building tables: ${Math.floor((100 * done) / Math.max(of, 1))} %`;
  }
  if (progress.of !== undefined) return `${grouped(progress.done)} of ${grouped(progress.of)} states looked at`;
  const run = progress.run ? `${progress.run.at + 1} of ${progress.run.of}, ${progress.run.title}: ` : '';
  return `${run}bound ${progress.bound}, ${grouped(progress.expanded)} states expanded, ${seconds(progress.seconds)}`;
}
