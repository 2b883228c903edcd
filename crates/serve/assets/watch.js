// The watch view: one or two searches on the same board, frame by frame.

import { api, isAbort } from './api.js';
import { LayerChart } from './charts.js';
import { announce, el, grouped, setEnabled } from './dom.js';
import { Transport, transportKey } from './player.js';
import { SearchForm, verdict, wanted } from './search.js';

/** Speeds in states a second. */
const SPEEDS = [['2', '2 a second'], ['10', '10 a second'], ['50', '50 a second'], ['500', '500 a second'],
  ['10000', '10,000 a second'], ['1000000', 'as fast as it goes']];

/** The most rows and columns of the heat map; larger boards merge cells. */
const MOST_CELLS = 120;

/** The counters of a frame: name and text. */
const COUNTS = [
  ['expanded', (frame) => grouped(frame.expanded)],
  ['generated', (frame) => grouped(frame.generated)],
  ['open', (frame) => grouped(frame.open)],
  ['f bound', (frame) => grouped(frame.bound)],
  ['g + h', (frame) => `${frame.g} + ${Number(frame.h.toFixed(2))}`],
  ['reopened', (frame) => grouped(frame.reopened)],
];

/** One search: its frames so far, and the drawing of the current one. */
class Pane {
  constructor(store, keys, form, label) {
    this.store = store;
    this.keys = keys;
    this.form = form;
    this.stage = el('div', {
      class: 'stage watch-stage', tabindex: 0, role: 'img', 'aria-label': `${label}: the state that is visited`,
    });
    this.layers = new LayerChart();
    this.title = el('h2', {}, label);
    this.counts = new Map(COUNTS.map((count) => [el('dd'), count]));
    this.answer = el('p', { class: 'watch-answer', role: 'status' });
    this.legend = el('p', { class: 'legend' });
    this.root = el(
      'section',
      { class: 'card pane', 'aria-label': label },
      this.title,
      form.root,
      this.stage,
      this.legend,
      el('figure', { class: 'layer-figure' }, el('figcaption', {}, 'States visited by f = g + h'), this.layers.root),
      el('dl', { class: 'figures' }, [...this.counts].map(([cell, [name]]) => el('div', {}, el('dt', {}, name), cell))),
      this.answer,
    );
    this.canvas = document.createElement('canvas');
  }

  /** Draws the board and drops all frames. */
  reset() {
    const { module, board, state } = this.store;
    this.frames = [];
    this.searched = null;
    this.ended = false;
    this.answer.textContent = '';
    this.scene = module.scene(board);
    this.scene.root.classList.add(`scene-${module.name}`);
    const [width, height] = this.scene.size;
    this.stage.style.setProperty('--shape', `${width / height}`);
    this.stage.replaceChildren(this.scene.root);
    this.scene.show(state);
    const [rows, columns] = module.dimensions(board);
    this.cell = Math.max(1, Math.ceil(Math.max(rows, columns) / MOST_CELLS));
    [this.canvas.height, this.canvas.width] = [Math.ceil(rows / this.cell), Math.ceil(columns / this.cell)];
    this.legend.replaceChildren(...(module.hasPlaces ? [
      el('span', { class: 'key visited' }), 'visited, the stronger the more often ',
      el('span', { class: 'key frontier' }), 'on the frontier only',
    ] : []));
    this.rewind();
    this.draw();
  }

  rewind() {
    this.at = 0;
    this.heat = new Map();
    this.reached = new Set();
    this.byLayer = new Map();
  }

  /** What is searched with. */
  get wanted() {
    return wanted(this.store[this.keys.algorithm], this.store[this.keys.heuristic]);
  }

  /** Whether the results belong to another algorithm or heuristic. */
  isOutdated() {
    return Boolean(this.searched) && JSON.stringify(this.searched) !== JSON.stringify(this.wanted);
  }

  /** Runs the search; `heard` is called after new frames. */
  async search(signal, heard) {
    const { store } = this;
    const search = this.wanted;
    this.searched = search;
    const request = { board: store.request(), search, cell: this.cell };
    const on = {
      progress() {},
      frames: (frames) => {
        this.frames.push(...frames);
        heard();
      },
    };
    this.result = await api.watch(request, { signal, on });
    this.ended = true;
    heard();
  }

  get length() {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1].visits : 0;
  }

  /** The number of visits of the first frame with more than `visits`. */
  after(visits) {
    return this.frames.find((frame) => frame.visits > visits)?.visits;
  }

  before(visits) {
    return this.frames.findLast((frame) => frame.visits < visits)?.visits ?? 0;
  }

  /** Goes to the last frame with at most `visits` visits. */
  seek(visits) {
    if (this.at > 0 && this.frames[this.at - 1].visits > visits) this.rewind();
    const from = this.at;
    for (; this.at < this.frames.length && this.frames[this.at].visits <= visits; this.at += 1) {
      this.take(this.frames[this.at]);
    }
    if (this.at !== from || visits === 0) this.draw();
    this.answer.textContent = this.ended && this.at === this.frames.length ? verdict(this.result).text : '';
  }

  take({ layers, visited, reached }) {
    for (let i = 0; i < layers.length; i += 2) {
      this.byLayer.set(layers[i], (this.byLayer.get(layers[i]) ?? 0) + layers[i + 1]);
    }
    for (let i = 0; i < visited.length; i += 3) {
      const cell = visited[i] * this.canvas.width + visited[i + 1];
      this.heat.set(cell, (this.heat.get(cell) ?? 0) + visited[i + 2]);
    }
    for (let i = 0; i < reached.length; i += 2) this.reached.add(reached[i] * this.canvas.width + reached[i + 1]);
  }

  draw() {
    const frame = this.frames[this.at - 1];
    // The last frame may have no state: it covers the visits after the frame before it.
    const shown = frame?.state ?? this.frames[this.at - 2]?.state ?? this.store.state;
    this.scene.show(shown);
    if (this.store.module.hasPlaces) this.paint();
    this.layers.show(this.byLayer, frame?.bound);
    this.counts.forEach(([, count], cell) => { cell.textContent = frame ? count(frame) : '–'; });
  }

  /** Draws the heat map: one pixel a cell, scaled to the board. */
  paint() {
    const { canvas } = this;
    const context = canvas.getContext('2d');
    const image = context.createImageData(canvas.width, canvas.height);
    const put = (cell, [r, g, b], alpha) => image.data.set([r, g, b, Math.round(255 * alpha)], cell * 4);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim().match(/\w\w/g).map((part) => parseInt(part, 16));
    const [frontier, visited] = [colour('--series-2'), colour('--series-1')];
    for (const cell of this.reached) if (!this.heat.has(cell)) put(cell, frontier, 0.55);
    const most = Math.log1p(Math.max(1, ...this.heat.values()));
    for (const [cell, times] of this.heat) put(cell, visited, 0.22 + (0.7 * Math.log1p(times)) / most);
    context.putImageData(image, 0, 0);
    this.scene.heat(this.heat.size > 0 ? canvas.toDataURL() : null);
  }
}

export class WatchView {
  constructor(store) {
    this.store = store;
    this.speed = 50;
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
    this.transport = new Transport('Search', this.actions, SPEEDS, '50');
    this.start = el('button', { type: 'button', class: 'primary', onclick: () => this.search() }, 'Search');
    this.cancel = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    this.both = el('input', { type: 'checkbox', checked: true, onchange: () => this.arrange() });
    this.status = el('p', { class: 'status', role: 'status' });
    const controls = el(
      'section',
      { class: 'card', 'aria-label': 'Control' },
      el('div', { class: 'row' }, this.start, this.cancel,
        el('label', { class: 'check' }, this.both, 'two side by side')),
      this.transport.root,
      this.status,
    );
    this.grid = el('div', { class: 'panes' });
    this.root = el('div', { class: 'watch-view' }, controls, this.grid);
    addEventListener('keydown', (event) => this.key(event));
    store.addEventListener('board', () => { this.isStale = true; if (this.root.isConnected) this.begin(); });
    store.addEventListener('checked', () => this.showRun());
    store.addEventListener('settings', () => this.settingsChanged());
  }

  /** The keys of the transport, wherever the focus is but in a control that uses the key itself. */
  key(event) {
    if (!this.root.isConnected || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const control = event.target.closest?.('input, select, textarea, button, summary, [tabindex="0"]:not(.watch-stage)');
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
    this.pause();
  }

  showRun() {
    setEnabled(this.start, this.store.valid && !this.job);
    this.cancel.hidden = !this.job;
  }

  async search() {
    const job = new AbortController();
    this.job?.abort();
    this.job = job;
    this.pause();
    this.panes.forEach((pane) => pane.reset());
    this.now = 0;
    this.status.textContent = 'Searching…';
    this.showRun();
    this.play();
    try {
      const heard = () => { this.refresh(); };
      await Promise.all(this.shown.map((pane) => pane.search(job.signal, heard)));
      this.status.textContent = '';
      announce('The searches have ended.');
    } catch (error) {
      job.abort();
      this.status.textContent = isAbort(error) ? 'Cancelled.' : error.message;
    } finally {
      if (this.job === job) {
        this.job = null;
        this.showRun();
        this.refresh();
      }
    }
  }

  refresh() {
    const text = `${grouped(Math.floor(this.now))} of ${grouped(this.length)} states`;
    this.transport.show(Math.floor(this.now), this.length, Boolean(this.playing), text);
  }

  seek(visits) {
    this.pause();
    this.go(visits);
  }

  go(visits) {
    this.now = Math.min(this.length, Math.max(0, visits));
    this.shown.forEach((pane) => pane.seek(Math.floor(this.now)));
    this.refresh();
  }

  play() {
    if (this.now >= this.length && !this.job) this.now = 0;
    let last = performance.now();
    const step = (time) => {
      if (this.playing !== step) return;
      // Playback waits for frames that have not arrived, and a hidden page does not catch up.
      const passed = Math.min(time - last, 100) / 1000;
      last = time;
      this.go(this.now + this.speed * passed);
      if (this.now >= this.length && !this.job) this.pause();
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
