// The common part of the compare and audit views: a small board, a form, a job that can be cancelled, and results.

import { api, isAbort } from './api.js';
import { picture } from './board.js';
import { el, setEnabled } from './dom.js';
import { t } from './language.js';
import { aboutHeuristic, progressText } from './search.js';
import { explained } from './tips.js';

/** A list of checkboxes. */
export function checkList(legend, name, cards, isChecked) {
  return el('fieldset', { class: 'chips' }, el('legend', {}, legend), cards.map((card) => explained(el(
    'label',
    { class: 'chip' },
    el('input', {
      type: 'checkbox', name, value: card.name, checked: !card.why && isChecked(card), disabled: Boolean(card.why),
    }),
    el('span', {}, card.name),
  ), () => card.why ?? (card.admissible ? aboutHeuristic(card) : card.summary))));
}

export const ticked = (list) => [...list.querySelectorAll('input:checked')].map((box) => box.value);

/** The heuristics of the puzzle, with the reason `why` if one does not fit the board. */
export const heuristicsOf = (store) => store.card.heuristics.map((card) => ({ ...card, why: store.lacks[card.name] }));

/** Whether a heuristic is checked by default; one with large tables is not. */
export const isCheap = ({ name }) => name !== 'pdb';

/**
 * The base of the compare and audit views. Subclasses have `fields()`, which returns the fields of the form for the
 * current board, and `launch()`, which starts the job.
 */
export class LabView {
  constructor(store, { verb, label }) {
    this.store = store;
    this.form = el('div', { class: 'search-form' });
    this.start = el('button', { type: 'button', class: 'primary', onclick: () => this.launch() }, verb);
    this.cancel = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    this.status = el('p', { class: 'status', role: 'status' });
    this.board = el('div');
    this.result = el('div', { class: 'result' });
    this.root = el(
      'div',
      { class: 'lab-view' },
      el('section', { class: 'card lab-form', 'aria-label': label }, this.board,
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
    const { module, board, state } = this.store;
    this.form.replaceChildren(...this.fields());
    this.board.replaceChildren(el('figure', { class: 'small-board' }, picture(module, board, state, 'The board')));
    this.result.replaceChildren();
    this.status.textContent = '';
    this.showRun();
  }

  leave() {
    this.job?.abort();
  }

  /** The heuristics that are ticked, and the expression. */
  chosen() {
    const own = this.own.value.trim();
    return [...ticked(this.heuristics), ...(own ? [own] : [])];
  }

  /** Ticks heuristics and algorithms; what is no name is the expression. */
  prepare({ heuristics, algorithms }) {
    const tick = (list, names) => {
      for (const box of list.querySelectorAll('input')) box.checked = names.includes(box.value) && !box.disabled;
    };
    if (heuristics) {
      tick(this.heuristics, heuristics);
      const known = this.store.card.heuristics.map(({ name }) => name);
      this.own.value = heuristics.find((name) => !known.includes(name)) ?? '';
    }
    if (algorithms && this.algorithms) tick(this.algorithms, algorithms);
  }

  showRun() {
    setEnabled(this.start, this.store.valid && !this.job);
    this.cancel.hidden = !this.job;
  }

  /** Runs a job with its progress in the status line, and passes its result to `show`. */
  async ask(kind, request, waiting, show) {
    const job = new AbortController();
    this.job = job;
    this.result.replaceChildren();
    this.status.textContent = t(waiting);
    this.showRun();
    try {
      const on = { progress: (progress) => { this.status.textContent = progressText(progress); } };
      show(await api[kind]({ board: this.store.request(), ...request }, { signal: job.signal, on }));
    } catch (error) {
      this.status.textContent = isAbort(error) ? t('Cancelled.') : error.message;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.showRun();
      }
    }
  }
}
