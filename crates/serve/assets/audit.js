// The audit view: checks admissibility and consistency, and shows smallest counterexamples, which can be played.

import { picture } from './board.js';
import { chartFigure } from './charts.js';
import { announce, el, field, grouped, seconds, select } from './dom.js';
import { GLOSSARY } from './glossary.js';
import { t } from './language.js';
import { checkList, heuristicsOf, isCheap, LabView } from './lab.js';
import { sampleExpression } from './search.js';
import { term } from './tips.js';

const WHOLE = 'the puzzle';

export class AuditView extends LabView {
  constructor(store, app) {
    super(store, { verb: 'Audit', label: 'What to audit' });
    this.app = app;
  }

  fields() {
    const { store } = this;
    this.heuristics = checkList('Heuristics', 'audited', heuristicsOf(store), isCheap);
    const placeholder = sampleExpression(store.card);
    this.own = el('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder });
    const scopes = store.card.scopes.filter((scope) => scope.of_file && !scope.name.includes('N'));
    const named = scopes.map(({ name, summary }) => [name, `this board, ${name}: ${summary}`]);
    const options = [['', 'this board'], ...named, [WHOLE, 'the puzzle as a whole']];
    this.scope = select(options, '');
    return [this.heuristics, field('And an expression of your own', this.own), field('What to look at', this.scope)];
  }

  launch() {
    const heuristics = this.chosen();
    if (heuristics.length === 0) {
      this.status.textContent = t('Choose at least one heuristic.');
      return;
    }
    const request = { heuristics };
    if (this.scope.value === WHOLE) request.whole_puzzle = true;
    else if (this.scope.value) request.scope = this.scope.value;
    this.ask('audit', request, 'Looking…', (result) => {
      const how = result.exhaustive ? '' : t(' A sample can refute a claim and never prove one.');
      const values = { what: t(result.looked_at), time: seconds(result.seconds) };
      this.status.textContent = t('Looked at: {what} ({time}).', values) + how;
      this.result.replaceChildren(...result.reports.map((report) => this.report(report)));
      // The report that refutes most is what the audit is about.
      const [worst] = result.reports.toSorted((a, b) => b.overestimates - a.overestimates
        || b.inconsistent_edges - a.inconsistent_edges);
      this.store.tell('did', { kind: 'audit', ...worst });
      announce(result.reports.map((report) => `${report.heuristic}: ${report.verdict}`).join('. '));
    });
  }

  report(report) {
    const isSound = report.admissible && report.inconsistent_edges === 0;
    const tone = !isSound ? 'bad' : report.scope === 'exhaustive' ? 'good' : 'unknown';
    const share = report.mean_distance > 0 ? report.mean_h / report.mean_distance : 0;
    const values = {
      over: grouped(report.overestimates), states: grouped(report.solvable), most: report.worst_overestimate,
      wrong: grouped(report.inconsistent_edges), edges: grouped(report.edges), h: report.mean_h.toFixed(2),
      distance: report.mean_distance.toFixed(2), share: share.toFixed(3),
    };
    const over = report.overestimates > 0 ? '{over} of {states} states overestimate, by up to {most}'
      : 'None of {states} states overestimates';
    const edges = report.inconsistent_edges > 0 ? '; {wrong} of {edges} moves are inconsistent.'
      : '; none of {edges} moves is inconsistent.';
    const mean = ' The mean of h is {h}, that of the distance {distance}: a share of {share}.';
    const card = this.store.card.heuristics.find(({ name }) => name === report.heuristic);
    return el(
      'section',
      { class: 'card audit-card', 'aria-label': report.heuristic },
      el('h2', {}, report.heuristic),
      card ? el('p', { class: 'help' }, `${t(card.summary)}. ${t('Its source claims: {claim}.', card)}`) : null,
      el('div', { class: `verdict ${tone}` },
        el('p', {}, el('strong', {}, report.verdict), ' ', term('why?', GLOSSARY[report.scope])),
        el('p', {}, [over, edges, mean].map((part) => t(part, values)).join(''))),
      report.counterexample ? this.counterexample(report.counterexample) : null,
      el('details', {}, el('summary', {}, 'How far h is from the distance'),
        chartFigure(report.chart, `${report.puzzle}-${report.heuristic}-error`.replace(/\W+/g, '-'))),
    );
  }

  counterexample(found) {
    const { module } = this.store;
    const state = found.state ?? found.before;
    const says = (h) => (h === null ? t('a dead end') : h);
    const steps = (count) => t(count === 1 ? '{count} step' : '{count} steps', { count });
    const solution = (actions) => `${actions.slice(0, 12).join(' ')}${actions.length > 12 ? ' …' : ''}`;
    const isOver = found.kind === 'overestimate';
    const text = isOver
      ? t('h = {h}, and the goal is {steps} away: {way}', {
        h: says(found.h), steps: steps(found.distance), way: solution(found.actions),
      })
      : t('h falls from {before} to {after} on {action}, which costs {cost}', {
        before: says(found.h_before), after: says(found.h_after), action: found.action, cost: found.cost,
      });
    const title = isOver ? 'Smallest counterexample to admissibility' : 'Smallest counterexample to consistency';
    return el(
      'div',
      { class: 'counterexample' },
      picture(module, found.instance, state, 'Counterexample', found.board),
      el('div', {},
        el('h3', {}, title),
        el('p', {}, text),
        el('p', { class: 'help' }, module.stateText(state)),
        module.toText(found.instance, state) === null ? null
          : el('button', { type: 'button', onclick: () => this.playIt(found.instance, state) }, 'Play this board')),
    );
  }

  async playIt(instance, state) {
    const { module, puzzle } = this.store;
    const text = module.toText(instance, state);
    const start = module.keepsState ? state : null;
    await this.app.play({ text, puzzle, name: 'counterexample', state: start });
    this.store.tell('did', { kind: 'counterexample' });
  }
}
