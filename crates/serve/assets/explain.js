// The heuristics of the board shown, explained: values, rules, parts and claims.

import { api, isAbort } from './api.js';
import { announce, el, setEnabled } from './dom.js';
import { progressText } from './search.js';

const percent = (error) => `${(100 * error).toFixed(1)}%`;
/** A value; infinite ones are `null` in JSON. */
const number = (value) => (value === null ? '∞' : String(Math.round(value * 1000) / 1000));

export class Explain {
  constructor(store, widget) {
    this.store = store;
    this.widget = widget;
    this.button = el('button', { type: 'button', onclick: () => this.explain() }, 'Explain this board');
    this.cancelButton = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    this.status = el('p', { class: 'status', role: 'status' });
    this.box = el('div', { class: 'explained' });
    this.root = el(
      'section',
      { class: 'card', 'aria-labelledby': 'explain-heading' },
      el('h2', { id: 'explain-heading' }, 'Explanation'),
      el('div', { class: 'buttons' }, this.button, this.cancelButton),
      this.status,
      this.box,
    );
  }

  /** Drops the explanation of another board. */
  forget() {
    this.job?.abort();
    this.job = null;
    this.status.textContent = '';
    this.box.replaceChildren();
    this.refresh();
  }

  refresh() {
    setEnabled(this.button, this.store.valid && !this.job);
    this.cancelButton.hidden = !this.job;
  }

  /** Explains the state that the board shows. */
  async explain() {
    this.forget();
    const job = new AbortController();
    this.job = job;
    this.status.textContent = 'Searching for the distance…';
    this.refresh();
    try {
      const { widget, store } = this;
      // The start of an edited board is in its text.
      const request = widget.state === store.state ? store.request() : store.request(widget.state);
      const explained = await api.explain({ board: request }, {
        signal: job.signal,
        on: { progress: (progress) => { this.status.textContent = progressText(progress); } },
      });
      if (this.job === job) this.show(explained);
    } catch (error) {
      if (this.job === job) this.status.textContent = isAbort(error) ? 'Cancelled.' : error.message;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.refresh();
      }
    }
  }

  show({ distance, distance_is: kind, bounds, unit, heuristics, missing }) {
    const { lower_bound: least, upper_bound: most } = bounds ?? {};
    const range = `at least ${least}${most === null ? '' : `, at most ${most}`}`;
    const found = kind === 'unsolvable' ? 'No solution: the distance h* is infinite.'
      : distance === null ? `The distance h* is unknown: ${range}.`
        : `The distance h* is ${distance} ${unit}${distance === 1 ? '' : 's'}.`;
    this.status.textContent = '';
    this.box.replaceChildren(
      el('p', { class: 'distance' }, el('strong', {}, found)),
      ...heuristics.map((heuristic) => this.one(heuristic)),
      ...missing.map(({ heuristic, why }) => el('p', { class: 'help' }, `${heuristic} has no value: ${why}.`)),
    );
    announce(found);
  }

  one(found) {
    const error = found.relative_error === null ? '' : `, relative error ${percent(found.relative_error)}`;
    const verdicts = { true: 'holds', false: 'FAILS', null: 'undecided' };
    const admissible = `h ≤ h* ${verdicts[found.admissible_here]}`;
    const fall = found.inconsistent_successor;
    const consistent = fall ? `NOT consistent: after ${fall.action} h is ${number(fall.h)}` : 'consistent here';
    const isFalse = found.admissible_here === false || fall;
    const flaw = found.admissible_here === false ? 'overestimates' : 'not consistent';
    const parts = found.parts.map(({ what, value }) =>
      el('tr', {}, el('td', { class: 'number' }, number(value)), el('td', {}, what)));
    return el(
      'details',
      { class: 'heuristic' },
      el('summary', {}, el('strong', {}, found.heuristic), ` h = ${number(found.h)}${error}`,
        isFalse && el('span', { class: 'alarm' }, ` ${flaw}`)),
      el('p', {}, found.rule),
      parts.length > 0 && el('table', { class: 'parts' }, el('tbody', {}, parts)),
      el('p', { class: isFalse ? 'alarm' : 'help' }, `${admissible}; ${consistent}.`),
    );
  }
}
