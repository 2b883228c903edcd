// Compare: heuristics and algorithms on the same board, with the bars of the lab.

import { isAbort, run } from './api.js';
import { picture } from './board.js';
import { chartFigure } from './charts.js';
import { announce, bytes, download, el, grouped, seconds, setEnabled } from './dom.js';
import { progressText } from './search.js';

/** A list of things to tick. */
export function checkList(legend, name, cards, isChecked) {
  return el('fieldset', { class: 'chips' }, el('legend', {}, legend), cards.map((card) => el(
    'label',
    { class: 'chip', title: card.why ?? card.summary },
    el('input', { type: 'checkbox', name, value: card.name, checked: !card.why && isChecked(card), disabled: Boolean(card.why) }),
    el('span', {}, card.name),
  )));
}

export const ticked = (list) => [...list.querySelectorAll('input:checked')].map((box) => box.value);

/** The heuristics of the board, and why some do not serve it. */
export const heuristicsOf = (store) => store.card.heuristics.map((card) => ({ ...card, why: store.lacks[card.name] }));

/** The board in small, for views that are about something else. */
export function boardFigure(store) {
  return el('figure', { class: 'small-board' }, picture(store.module, store.board, store.state, 'The board'));
}

/** A heuristic that loads large tables is not run unless somebody asks for it. */
const isCheap = ({ name }) => name !== 'pdb';

export class CompareView {
  constructor(store) {
    this.store = store;
    this.form = el('div', { class: 'search-form' });
    this.start = el('button', { type: 'button', class: 'primary', onclick: () => this.compare() }, 'Compare');
    this.cancel = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    this.status = el('p', { class: 'status', role: 'status' });
    this.board = el('div');
    this.result = el('div', { class: 'result' });
    this.root = el(
      'div',
      { class: 'lab-view' },
      el('section', { class: 'card lab-form', 'aria-label': 'What to compare' }, this.board,
        el('div', { class: 'search-form' }, this.form,
          el('div', { class: 'buttons' }, this.start, this.cancel), this.status)),
      this.result,
    );
    store.addEventListener('board', () => { this.isStale = true; if (this.root.isConnected) this.begin(); });
    store.addEventListener('checked', () => this.showRun());
  }

  begin() {
    if (!this.isStale) return;
    this.isStale = false;
    this.job?.abort();
    const { store } = this;
    this.heuristics = checkList('Heuristics', 'heuristic', heuristicsOf(store), isCheap);
    this.algorithms = checkList('Algorithms', 'algorithm', store.catalogue.algorithms, ({ name }) => name === 'astar');
    this.form.replaceChildren(this.heuristics, this.algorithms);
    this.board.replaceChildren(boardFigure(store));
    this.result.replaceChildren();
    this.status.textContent = '';
    this.showRun();
  }

  leave() {
    this.job?.abort();
  }

  showRun() {
    setEnabled(this.start, this.store.valid && !this.job);
    this.cancel.hidden = !this.job;
  }

  async compare() {
    const [heuristics, algorithms] = [ticked(this.heuristics), ticked(this.algorithms)];
    if (heuristics.length === 0 || algorithms.length === 0) {
      this.status.textContent = 'Choose at least one of each.';
      return;
    }
    const job = new AbortController();
    this.job = job;
    this.result.replaceChildren();
    this.status.textContent = 'Searching…';
    this.showRun();
    try {
      const request = { board: this.store.request(), heuristics, algorithms };
      const on = { progress: (progress) => { this.status.textContent = progressText(progress); } };
      const result = await run('/api/compare', request, { signal: job.signal, on });
      this.status.textContent = result.interrupted ? 'The time was up: what had not run by then is missing.' : '';
      this.show(result);
      announce('Compared.');
    } catch (error) {
      this.status.textContent = isAbort(error) ? 'Cancelled.' : error.message;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.showRun();
      }
    }
  }

  show(result) {
    const { puzzle } = this.store;
    const names = ['run', 'cost', 'generated', 'visited', 'reopened', 'frontier', 'time', 'memory', 'b*', 'verdict'];
    const head = names.map((name, at) => el('th', { scope: 'col', class: at > 0 && at < 9 ? 'number' : '' }, name));
    const rows = result.runs.map((row) => {
      const { stats } = row;
      const tone = row.alarming ? 'bad' : row.proved ? 'good' : '';
      const cells = [row.cost ?? '–', grouped(stats.generated), grouped(stats.visited), grouped(stats.reopened),
        grouped(stats.max_frontier), seconds(stats.seconds), bytes(stats.peak_bytes), row.effective_branching?.toFixed(3) ?? '–'];
      return el('tr', {},
        el('th', { scope: 'row' }, `${row.algorithm} ${row.heuristic ?? ''}`),
        cells.map((cell, at) => el('td', { class: `number ${at === 0 ? tone : ''}` }, String(cell))),
        el('td', { class: tone }, row.note));
    });
    const table = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Figures' },
      el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows)));
    this.result.replaceChildren(
      el('section', { class: 'card', 'aria-label': 'Figures' }, table,
        el('div', { class: 'buttons' }, el('button', {
          type: 'button', onclick: () => download(`${puzzle}-figures.csv`, result.csv, 'text/csv'),
        }, 'Download figures'))),
      el('div', { class: 'charts' }, result.charts.map((chart) =>
        el('section', { class: 'card', 'aria-label': chart.title }, chartFigure(chart, chart.title.replace(/\W+/g, '-'))))),
    );
  }
}
