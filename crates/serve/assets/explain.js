// The heuristics of the board shown, explained: values, rules, parts and claims.

import { api, isAbort } from './api.js';
import { announce, el, setEnabled } from './dom.js';
import { t } from './language.js';
import { progressText } from './search.js';

/** The pause in milliseconds after a move, before its state is explained. */
const PAUSE = 200;
const percent = (error) => `${(100 * error).toFixed(1)}%`;
/** A value; infinite ones are `null` in JSON. */
const number = (value) => (value === null ? '∞' : String(Math.round(value * 1000) / 1000));

export class Explain {
  constructor(store, widget) {
    this.store = store;
    this.widget = widget;
    this.button = el('button', { type: 'button', onclick: () => this.explain() }, 'Explain this board');
    this.follows = el('input', { type: 'checkbox', onchange: () => { if (this.follows.checked) this.explain(); } });
    this.cancelButton = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    this.status = el('p', { class: 'status', role: 'status' });
    this.box = el('div', { class: 'explained' });
    this.root = el(
      'section',
      { class: 'card', 'aria-labelledby': 'explain-heading' },
      el('h2', { id: 'explain-heading' }, 'Explanation'),
      el('div', { class: 'buttons' }, this.button, this.cancelButton,
        el('label', { class: 'check' }, this.follows, 'at every move')),
      this.status,
      this.box,
    );
  }

  /** The board shows another state. */
  stateChanged() {
    clearTimeout(this.waiting);
    if (!this.follows.checked || !this.root.isConnected) return;
    this.waiting = setTimeout(() => { if (this.store.valid) this.explain({ isQuiet: true }); }, PAUSE);
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
  async explain({ isQuiet = false } = {}) {
    if (isQuiet) this.job?.abort();
    else this.forget();
    const job = new AbortController();
    this.job = job;
    if (!isQuiet) this.status.textContent = t('Searching for the distance…');
    this.refresh();
    try {
      const { widget, store } = this;
      // The start of an edited board is in its text.
      const request = widget.state === store.state ? store.request() : store.request(widget.state);
      const explained = await api.explain({ board: request }, {
        signal: job.signal,
        on: { progress: (progress) => { this.status.textContent = progressText(progress); } },
      });
      if (this.job === job) this.show(explained, isQuiet);
    } catch (error) {
      if (this.job === job) this.status.textContent = isAbort(error) ? t('Cancelled.') : error.message;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.refresh();
      }
    }
  }

  show({ distance, distance_is: kind, bounds, unit, heuristics, missing }, isQuiet) {
    const { lower_bound: least, upper_bound: most } = bounds ?? {};
    const range = t(most === null ? 'at least {least}' : 'at least {least}, at most {most}', { least, most });
    const steps = `${distance} ${t(distance === 1 ? unit : `${unit}s`)}`;
    const found = kind === 'unsolvable' ? t('No solution: the distance h* is infinite.')
      : distance === null ? t('The distance h* is unknown: {range}.', { range })
        : t('The distance h* is {steps}.', { steps });
    this.status.textContent = '';
    this.store.tell('did', { kind: 'explain', distance });
    const opened = new Set([...this.box.querySelectorAll('details[open]')].map((one) => one.dataset.name));
    this.box.replaceChildren(
      el('p', { class: 'distance' }, el('strong', {}, found)),
      ...heuristics.map((heuristic) => this.one(heuristic, opened.has(heuristic.heuristic))),
      ...missing.map((one) => el('p', { class: 'help' }, t('{heuristic} has no value: {why}.', one))),
    );
    if (!isQuiet) announce(found);
  }

  one(found, isOpen) {
    const share = found.relative_error === null ? null : percent(found.relative_error);
    const error = share === null ? '' : t(', relative error {share}', { share });
    const verdicts = { true: 'h ≤ h* holds', false: 'h ≤ h* FAILS', null: 'h ≤ h* undecided' };
    const admissible = t(verdicts[found.admissible_here]);
    const fall = found.inconsistent_successor;
    const after = fall && { action: fall.action, h: number(fall.h) };
    const consistent = fall ? t('NOT consistent: after {action} h is {h}', after) : t('consistent here');
    const isFalse = found.admissible_here === false || fall;
    const flaw = t(found.admissible_here === false ? 'overestimates' : 'not consistent');
    const parts = found.parts.map(({ what, value }) =>
      el('tr', {}, el('td', { class: 'number' }, number(value)), el('td', {}, what)));
    return el(
      'details',
      { class: 'heuristic', 'data-name': found.heuristic, open: isOpen },
      el('summary', {}, el('strong', {}, found.heuristic), ` h = ${number(found.h)}${error}`,
        isFalse && el('span', { class: 'alarm' }, ` ${flaw}`)),
      el('p', {}, found.rule),
      parts.length > 0 && el('table', { class: 'parts' }, el('tbody', {}, parts)),
      el('p', { class: isFalse ? 'alarm' : 'help' }, `${admissible}; ${consistent}.`),
    );
  }
}
