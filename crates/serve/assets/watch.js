// The watch view: one or two searches on the same board, frame by frame.

import { isAbort } from './api.js';
import { announce, el, field, grouped, select, setEnabled } from './dom.js';
import { t } from './language.js';
import { Pane } from './pane.js';
import { Transport, transportKey } from './player.js';
import { SearchForm } from './search.js';

/** Speeds in states a second; 0 is one at which a search takes at most about a minute. */
const SPEEDS = [['0', 'within a minute'], ['2', '2 a second'], ['10', '10 a second'], ['50', '50 a second'],
  ['500', '500 a second'], ['10000', '10,000 a second'], ['1000000', 'as fast as it goes']];
/** The time in seconds of a search at that speed, and its least speed. */
const [WHOLE, SLOWEST] = [40, 5];

const BREAKS = [['', 'nowhere'], ['rise', 'where f rises'], ['reopened', 'where a state is visited again'],
  ['inconsistent', 'where h falls too far'], ['way', 'at each state of the solution']];
/** The pause in milliseconds before a search is redone while its start or goal is dragged. */
const REDO_PAUSE = 120;

export class WatchView {
  constructor(store) {
    this.store = store;
    this.speed = 0;
    this.now = 0;
    const change = (choice) => store.set(choice);
    this.panes = [1, 2].map((number) => {
      const keys = { algorithm: `algorithm${number}`, heuristic: `heuristic${number}` };
      const form = new SearchForm(store, { ...keys, watched: true }, change);
      return new Pane(store, keys, form, number === 1 ? 'First search' : 'Second search');
    });
    this.actions = {
      first: () => this.seek(0),
      back: () => this.seek(Math.max(0, ...this.shown.map((pane) => pane.before(this.now)))),
      next: () => this.seek(Math.min(...this.shown.map((pane) => pane.after(this.now) ?? Infinity), this.length)),
      last: () => this.seek(this.length),
      seek: (at) => this.seek(at),
      toggle: () => (this.playing ? this.pause() : this.play()),
      speed: (speed) => { this.speed = speed; },
    };
    this.transport = new Transport('Search', this.actions, SPEEDS, '0');
    this.start = el('button', { type: 'button', class: 'primary', onclick: () => this.search() }, 'Search');
    this.cancel = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    const isWide = matchMedia('(min-width: 56rem)').matches;
    this.both = el('input', { type: 'checkbox', checked: isWide, onchange: () => this.arrange() });
    this.values = el('input', { type: 'checkbox', checked: true, onchange: () => this.showValues() });
    this.valuesLabel = el('label', { class: 'check' }, this.values, 'f, g, h on the cells');
    this.breaks = select(BREAKS.map(([value, text]) => [value, t(text)]), '');
    this.status = el('p', { class: 'status', role: 'status' });
    const controls = el(
      'section',
      { class: 'card watch-controls', 'aria-label': 'Control' },
      el('div', { class: 'row' }, this.start, this.cancel,
        el('label', { class: 'check' }, this.both, 'two side by side'), this.valuesLabel,
        el('div', { class: 'inline-field' }, field('Stop', this.breaks)), this.status),
    );
    const player = el('div', { class: 'card watch-player' }, this.transport.root);
    this.grid = el('div', { class: 'panes' });
    this.root = el('div', { class: 'watch-view' }, controls, player, this.grid);
    addEventListener('keydown', (event) => this.key(event));
    store.addEventListener('board', () => { this.isStale = true; if (this.root.isConnected) this.begin(); });
    store.addEventListener('checked', () => {
      this.showRun();
      if (this.isRedoing && this.root.isConnected && store.valid) this.redo();
    });
    for (const pane of this.panes) this.takeEnds(pane);
    store.addEventListener('settings', () => this.settingsChanged());
  }

  /** The keys of the transport, wherever the focus is but in a control that uses the key itself. */
  key(event) {
    if (!this.root.isConnected || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const controls = 'input, select, textarea, button, summary, [tabindex="0"]:not(.watch-stage)';
    const control = event.target.closest?.(controls);
    if (control && (event.key === ' ' || control.tagName !== 'BUTTON')) return;
    if (transportKey(event.key, this.actions)) event.preventDefault();
  }

  /** Drops the results of a search whose algorithm or heuristic is another now. */
  settingsChanged() {
    for (const pane of this.panes) {
      pane.form.refresh();
      if (pane.isOutdated()) {
        this.job?.abort();
        this.pause();
        pane.reset();
      }
    }
    if (this.root.isConnected) this.go(this.now);
  }

  get shown() {
    return this.both.checked ? this.panes : this.panes.slice(0, 1);
  }

  get length() {
    return Math.max(...this.shown.map((pane) => pane.length));
  }

  begin() {
    if (!this.isStale) return;
    this.isStale = false;
    this.job?.abort();
    this.pause();
    this.panes.forEach((pane) => { pane.form.refresh(); pane.reset(); });
    this.valuesLabel.hidden = !this.panes[0].hasValues;
    this.arrange();
    this.status.textContent = '';
  }

  arrange() {
    this.grid.replaceChildren(...this.shown.map((pane) => pane.root));
    this.grid.classList.toggle('two', this.both.checked);
    this.seek(0);
    this.showRun();
  }

  leave() {
    this.job?.abort();
    this.panes.forEach((pane) => pane.leave());
    this.pause();
  }

  showValues() {
    for (const pane of this.panes) {
      pane.values = this.values.checked;
      pane.drawStory(true);
    }
  }

  /** Lets the start and the goal of a maze be dragged on the board of a pane; the search is redone. */
  takeEnds(pane) {
    const { store } = this;
    const cellOf = (event) => {
      const matrix = pane.scene?.root.getScreenCTM?.();
      if (!matrix || !pane.scene.cellAt) return null;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      return pane.scene.cellAt(point.x, point.y);
    };
    const endAt = (event) => {
      const cell = store.module.endAt && cellOf(event);
      return cell ? store.module.endAt(store.board, cell) : null;
    };
    let held = null;
    pane.stage.addEventListener('touchstart', (event) => {
      if (endAt(event.touches[0])) event.preventDefault();
    }, { passive: false });
    pane.stage.addEventListener('pointerdown', (event) => {
      held = endAt(event);
      if (held) pane.stage.setPointerCapture(event.pointerId);
    });
    pane.stage.addEventListener('pointermove', (event) => {
      pane.stage.classList.toggle('grab', Boolean(held ?? endAt(event)));
      const cell = held && cellOf(event);
      const next = cell && store.module.moveEnd(store.board, held, cell);
      if (!next) return;
      this.isRedoing = true;
      store.edit(next);
    });
    for (const kind of ['pointerup', 'pointercancel']) pane.stage.addEventListener(kind, () => { held = null; });
  }

  /** Searches again after the start or the goal was dragged, and shows the end. */
  redo() {
    clearTimeout(this.redoing);
    this.redoing = setTimeout(async () => {
      this.isRedoing = false;
      await this.search({ isPlayed: false });
      this.seek(this.length);
    }, REDO_PAUSE);
  }

  showRun() {
    setEnabled(this.start, this.store.valid && !this.job);
    this.cancel.hidden = !this.job;
  }

  /** Begins the searches of a link. */
  launch() {
    return this.search();
  }

  async search({ isPlayed = true } = {}) {
    const job = new AbortController();
    this.job?.abort();
    this.job = job;
    this.pause();
    this.panes.forEach((pane) => pane.reset());
    this.now = 0;
    this.status.textContent = isPlayed ? t('Searching…') : '';
    this.showRun();
    if (isPlayed) this.play();
    try {
      const heard = () => { this.refresh(); };
      await Promise.all(this.shown.map((pane) => pane.search(job.signal, heard)));
      this.status.textContent = '';
      this.store.tell('did', { kind: 'watch' });
      announce('The searches have ended.');
    } catch (error) {
      job.abort();
      this.status.textContent = isAbort(error) ? t('Cancelled.') : error.message;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.showRun();
        this.refresh();
      }
    }
  }

  refresh() {
    const values = { now: grouped(Math.floor(this.now)), length: grouped(this.length) };
    const text = t('{now} of {length} states', values);
    this.transport.show(Math.floor(this.now), this.length, Boolean(this.playing), text);
  }

  seek(visits) {
    this.pause();
    this.go(visits);
  }

  go(visits) {
    this.now = Math.min(this.length, Math.max(0, visits));
    this.shown.forEach((pane) => pane.seek(Math.floor(this.now)));
    this.scale();
    this.refresh();
  }

  /** Gives the charts of both panes the same scale. */
  scale() {
    const layers = this.shown.map((pane) => [...pane.byLayer]).flat();
    const scale = layers.length === 0 ? null : {
      first: Math.min(...layers.map(([f]) => f)),
      last: Math.max(...layers.map(([f]) => f)),
      most: Math.max(...layers.map(([, count]) => count)),
    };
    for (const pane of this.shown) {
      pane.scale = scale;
      pane.layers.show(pane.byLayer, pane.frames[pane.at - 1]?.bound, scale);
    }
  }

  /** The speed in states a second. */
  get rate() {
    return this.speed > 0 ? this.speed : Math.max(SLOWEST, this.length / WHOLE);
  }

  /** Where playing stops between two moments; null if nowhere. */
  breakWithin(from, to) {
    if (!this.breaks.value) return null;
    const found = this.shown.map((pane) => pane.breakAfter(this.breaks.value, Math.floor(from), Math.floor(to)));
    const visits = found.filter((visit) => visit !== null);
    return visits.length > 0 ? Math.min(...visits) : null;
  }

  play() {
    if (this.now >= this.length && !this.job) this.now = 0;
    let last = performance.now();
    const step = (time) => {
      if (this.playing !== step) return;
      // Playback waits for frames that have not arrived, and a hidden page does not catch up.
      const passed = Math.min(time - last, 100) / 1000;
      last = time;
      const to = this.now + this.rate * passed;
      const stop = this.breakWithin(this.now, Math.min(to, this.length));
      this.go(stop ?? to);
      if (stop !== null || (this.now >= this.length && !this.job)) this.pause();
      else requestAnimationFrame(step);
    };
    this.playing = step;
    requestAnimationFrame(step);
    this.refresh();
  }

  pause() {
    if (!this.playing) return;
    this.playing = null;
    this.refresh();
  }
}
