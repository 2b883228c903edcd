// The compare view: heuristics and algorithms on the same board, with the charts of the lab.

import { chartFigure } from './charts.js';
import { announce, bytes, download, el, field, grouped, seconds } from './dom.js';
import { checkList, heuristicsOf, isCheap, LabView, ticked } from './lab.js';
import { t } from './language.js';
import { learnt } from './learnt.js';
import { sampleExpression } from './search.js';
import { term } from './tips.js';

export class CompareView extends LabView {
  constructor(store) {
    super(store, { verb: 'Compare', label: 'What to compare' });
  }

  fields() {
    const { store } = this;
    this.heuristics = checkList('Heuristics', 'heuristic', heuristicsOf(store), isCheap);
    this.algorithms = checkList('Algorithms', 'algorithm', store.catalogue.algorithms, ({ name }) => name === 'astar');
    const placeholder = sampleExpression(store.card);
    this.own = el('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder });
    return [this.heuristics, field('And an expression of your own', this.own), this.algorithms];
  }

  launch() {
    const [heuristics, algorithms] = [this.chosen(), ticked(this.algorithms)];
    if (heuristics.length === 0 || algorithms.length === 0) {
      this.status.textContent = t('Choose at least one of each.');
      return;
    }
    this.ask('compare', { heuristics, algorithms }, 'Searching…', (result) => {
      this.status.textContent = result.interrupted ? t('The time was up: what had not run by then is missing.') : '';
      this.show(result);
      this.store.tell('did', { kind: 'compare', optimum: result.optimum });
      announce('Compared.');
    });
  }

  show(result) {
    const { puzzle } = this.store;
    const names = ['run', 'cost', 'generated', 'visited', 'reopened', 'frontier', 'time', 'memory', 'b*', 'verdict'];
    const head = names.map((name, at) =>
      el('th', { scope: 'col', class: at > 0 && at < 9 ? 'number' : '' }, term(name)));
    const rows = result.runs.map((row) => {
      const { stats } = row;
      const tone = row.alarming ? 'bad' : row.proved ? 'good' : '';
      const cells = [row.cost ?? '–', grouped(stats.generated), grouped(stats.visited), grouped(stats.reopened),
        grouped(stats.max_frontier), seconds(stats.seconds), bytes(stats.peak_bytes),
        row.effective_branching?.toFixed(3) ?? '–'];
      return el('tr', {},
        el('th', { scope: 'row' }, `${row.algorithm} ${row.heuristic ?? ''}`),
        cells.map((cell, at) => el('td', { class: `number ${at === 0 ? tone : ''}` }, String(cell))),
        el('td', { class: tone }, row.note));
    });
    const table = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Figures' },
      el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows)));
    this.result.replaceChildren(
      el('section', { class: 'card', 'aria-label': 'Figures' },
        el('div', { class: 'learnt' }, learnt(result).map((sentence) => el('p', {}, sentence))), table,
        el('div', { class: 'buttons' }, el('button', {
          type: 'button', onclick: () => download(`${puzzle}-figures.csv`, result.csv, 'text/csv'),
        }, 'Download figures'))),
      el('div', { class: 'charts' }, result.charts.map((chart) => el(
        'section',
        { class: 'card', 'aria-label': chart.title },
        chartFigure(chart, chart.title.replace(/\W+/g, '-')),
      ))),
    );
  }
}
