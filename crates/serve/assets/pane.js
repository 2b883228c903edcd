// One watched search: its frames so far, and the drawing of the present one with the tree and the open list.

import { api } from './api.js';
import { LayerChart } from './charts.js';
import { el, grouped, svg } from './dom.js';
import { CELL, key as cellKey } from './grid.js';
import { t } from './language.js';
import { MOST_VISITS, Story } from './story.js';
import { verdict, wanted } from './search.js';
import { term } from './tips.js';
import { TreeView, describe, thumbOf } from './tree.js';

/** The most rows and columns of the heat map; larger boards merge cells. */
const MOST_CELLS = 120;
/** The most rows and columns of a board with values in its cells. */
const MOST_VALUES = 16;
/** The number of states shown of the open list, and of a solution. */
const [MOST_OPEN, MOST_STEPS] = [7, 60];
/** The time in milliseconds between two drawings of the tree while a search is played. */
const TREE_PAUSE = 120;

/** The counters of a frame: name and text. */
const COUNTS = [
  ['expanded', (frame) => grouped(frame.expanded)],
  ['generated', (frame) => grouped(frame.generated)],
  ['open', (frame) => grouped(frame.open)],
  ['f bound', (frame) => grouped(frame.bound)],
  ['g + h', (frame) => `${frame.g} + ${Number(frame.h.toFixed(2))}`],
  ['reopened', (frame) => grouped(frame.reopened)],
];

const TABS = [['layers', 'By f'], ['tree', 'Tree'], ['open', 'Open list'], ['way', 'Solution']];

export class Pane {
  constructor(store, keys, form, label) {
    Object.assign(this, { store, keys, form, values: true, tab: 'layers' });
    this.stage = el('div', {
      class: 'stage watch-stage', tabindex: 0, role: 'img',
      'aria-label': `${t(label)}: ${t('the state that is visited')}`,
    });
    this.layers = new LayerChart();
    this.tree = new TreeView((node) => this.look(node?.state ?? null));
    this.openBox = el('div', { class: 'open-list' });
    this.wayBox = el('div', { class: 'way-list' });
    this.counts = new Map(COUNTS.map((count) => [el('dd'), count]));
    this.answer = el('p', { class: 'watch-answer', role: 'status' });
    this.legend = el('p', { class: 'legend' });
    this.insight = el('div', { class: 'insight-body' });
    this.tabButtons = TABS.map(([name, text]) => el('button', {
      type: 'button', class: 'tab', 'aria-pressed': 'false', onclick: () => this.choose(name),
    }, text));
    const what = `${t(label)}: ${t('what to see')}`;
    const tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': what }, this.tabButtons);
    this.root = el(
      'section',
      { class: 'card pane', 'aria-label': label },
      el('div', { class: 'pane-head' }, el('h2', {}, label), form.root),
      this.answer,
      el('div', { class: 'pane-body' },
        el('div', { class: 'pane-board' }, this.stage, this.legend),
        el('div', { class: 'insight' }, tabs, this.insight)),
      el('dl', { class: 'figures' }, [...this.counts].map(([cell, [name]]) =>
        el('div', {}, el('dt', {}, term(name)), cell))),
    );
    this.canvas = document.createElement('canvas');
    this.choose('layers');
  }

  /** Shows the layers, the tree, the open list or the solution. */
  choose(name) {
    this.tab = name;
    TABS.forEach(([one], at) => this.tabButtons[at].setAttribute('aria-pressed', String(one === name)));
    const caption = el('figcaption', {}, 'States visited by f = g + h');
    const figure = el('figure', { class: 'layer-figure' }, caption, this.layers.root);
    this.insight.replaceChildren({ layers: figure, tree: this.tree.root, open: this.openBox, way: this.wayBox }[name]);
    this.drawStory(true);
  }

  /** Draws the board and drops all frames. */
  reset() {
    const { module, board, state } = this.store;
    this.leave();
    Object.assign(this, { frames: [], searched: null, ended: false, story: null, result: null, looked: null });
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
    this.hasValues = Boolean(module.placeOf) && Math.max(rows, columns) <= MOST_VALUES;
    if (this.hasValues) {
      this.valueLayer = svg('g', { class: 'cell-values' });
      this.scene.root.append(this.valueLayer);
    }
    this.legend.replaceChildren(...(module.hasPlaces ? [
      el('span', { class: 'key visited' }), t('visited, the stronger the more often '),
      el('span', { class: 'key frontier' }), t('on the frontier only'),
    ] : []));
    this.tree.reset(null);
    this.rewind();
    this.draw();
    this.drawStory(true);
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
    const on = {
      progress() {},
      frames: (frames) => {
        this.frames.push(...frames);
        heard();
      },
    };
    const board = store.request();
    const result = await api.watch({ board, search, cell: this.cell }, { signal, on });
    if (this.searched !== search) return;
    this.result = result;
    this.ended = true;
    heard();
    this.tell(board, result);
  }

  /** Asks for every visit in order, or for the first ones, while the search is played already. */
  async tell(board, { algorithm, heuristic, states }) {
    const { searched } = this;
    this.telling = new AbortController();
    const { signal } = this.telling;
    const search = { ...searched, algorithm, ...(heuristic ? { heuristic } : {}), node_limit: MOST_VISITS };
    const lines = [];
    try {
      await api.trace({ board, search }, { signal, on: { progress() {}, lines: (more) => lines.push(...more) } });
    } catch {
      // The search itself was watched; only its tree is missing.
      return;
    }
    if (this.searched !== searched) return;
    this.story = new Story(lines, states ?? []);
    this.tree.reset(this.story, this.store.module, this.store.board);
    this.drawStory(true);
  }

  /** Ends what is still being asked for. */
  leave() {
    this.telling?.abort();
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

  /** The first visit after `visits` and up to `end` at which a kind of thing happens. */
  breakAfter(kind, visits, end) {
    const inside = (visit) => visit > visits && visit <= end;
    if (this.story) return this.story.breaks[kind].find(inside) ?? null;
    const changed = { rise: 'bound', reopened: 'reopened' }[kind];
    if (!changed) return null;
    const at = this.frames.findIndex((frame, index) =>
      inside(frame.visits) && index > 0 && frame[changed] > this.frames[index - 1][changed]);
    return at < 0 ? null : this.frames[at].visits;
  }

  /** Goes to the last frame with at most `visits` visits. */
  seek(visits) {
    this.visits = visits;
    if (this.at > 0 && this.frames[this.at - 1].visits > visits) this.rewind();
    const from = this.at;
    for (; this.at < this.frames.length && this.frames[this.at].visits <= visits; this.at += 1) {
      this.take(this.frames[this.at]);
    }
    const isOver = this.ended && this.at === this.frames.length;
    if (this.at !== from || visits === 0) this.draw();
    this.answer.textContent = isOver ? verdict(this.result).text : '';
    // At the end the way of the solution is drawn.
    this.scene.way?.(isOver && this.result.states ? this.result.states : []);
    if (isOver && this.result.states && !this.looked) this.scene.show(this.result.states.at(-1));
    this.drawStory(false);
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

  /** The state of the present frame. */
  get present() {
    // The last frame may have no state: it covers the visits after the frame before it.
    return this.frames[this.at - 1]?.state ?? this.frames[this.at - 2]?.state ?? this.store.state;
  }

  draw() {
    const frame = this.frames[this.at - 1];
    this.scene.show(this.looked ?? this.present);
    if (this.store.module.hasPlaces) this.paint();
    this.layers.show(this.byLayer, frame?.bound, this.scale);
    this.counts.forEach(([, count], cell) => { cell.textContent = frame ? count(frame) : '–'; });
  }

  /** Shows another state on the board for a while, or the present one again. */
  look(state) {
    this.looked = state;
    this.scene?.show(state ?? this.present);
  }

  /** Brings the tree, the open list and the values of the cells to the present moment. */
  drawStory(isNow) {
    if (!this.scene) return;
    const now = performance.now();
    if (!isNow && now - (this.drawn ?? 0) < TREE_PAUSE) {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.drawStory(true), TREE_PAUSE);
      return;
    }
    this.drawn = now;
    this.story?.goTo(this.visits ?? 0);
    if (this.tab === 'tree') this.showTree();
    if (this.tab === 'open') this.showOpen();
    if (this.tab === 'way') this.showWay();
    if (this.hasValues) this.showValues();
  }

  /** Why there is no tree of the present moment, if there is none. */
  get missing() {
    if (!this.story) return this.searched ? 'It is shown when the search has ended.' : 'Press Search to see it.';
    if (this.visits <= this.story.length) return null;
    return t('This is kept for the first {most} states.', { most: grouped(MOST_VISITS) });
  }

  showTree() {
    this.tree.show();
    if (this.missing) this.tree.info.textContent = t(this.missing);
    else if (!this.tree.selected) this.tree.info.textContent = this.story.current ? describe(this.story.current) : '';
  }

  /** The open list: the states that will be expanded next, by f. */
  showOpen() {
    const frame = this.frames[this.at - 1];
    if (this.missing || !frame) {
      this.openBox.replaceChildren(el('p', { class: 'help' }, this.missing ?? 'Press Search to see it.'));
      return;
    }
    const { module, board } = this.store;
    const round = (value) => String(Math.round(value * 100) / 100);
    const rows = this.story.upcoming(MOST_OPEN).map((line) => {
      const row = el('tr', { tabindex: 0 }, el('td', {}, thumbOf(module, board, line.state, 30)),
        [line.f, line.g, line.h].map((value) => el('td', { class: 'number' }, round(value))),
        el('td', {}, line.action ?? ''));
      const [on, off] = [() => this.look(line.state), () => this.look(null)];
      for (const [kind, act] of [['pointerenter', on], ['focus', on], ['pointerleave', off], ['blur', off]]) {
        row.addEventListener(kind, act);
      }
      return row;
    });
    this.openBox.replaceChildren(
      el('p', { class: 'help' }, t('{open} states are open. The next ones that this search expands:', {
        open: grouped(frame.open),
      })),
      el('table', {}, el('thead', {}, el('tr', {}, ['state', 'f', 'g', 'h', 'by'].map((name) =>
        el('th', { scope: 'col' }, name)))), el('tbody', {}, rows)),
    );
  }

  /** The states of the solution in a row. */
  showWay() {
    const { module, board } = this.store;
    const states = this.result?.states;
    if (!states) {
      this.wayBox.replaceChildren(el('p', { class: 'help' }, this.ended ? 'No solution.' : 'Press Search to see it.'));
      return;
    }
    if (this.wayBox.dataset.of === String(states.length) && this.wayOf === states) return;
    this.wayOf = states;
    this.wayBox.dataset.of = String(states.length);
    const steps = states.slice(0, MOST_STEPS).map((state, at) => {
      const button = el('button', { type: 'button', class: 'way-step', 'aria-label': t('State {at}', { at }) },
        thumbOf(module, board, state, 34) ?? String(at),
        el('span', { 'aria-hidden': 'true' }, this.result.actions[at - 1] ?? ''));
      for (const kind of ['pointerenter', 'focus']) button.addEventListener(kind, () => this.look(state));
      for (const kind of ['pointerleave', 'blur']) button.addEventListener(kind, () => this.look(null));
      return button;
    });
    this.wayBox.replaceChildren(...steps);
  }

  /** The f of the last visit of each cell, with g and h. */
  showValues() {
    if (!this.values || !this.story) {
      this.valueLayer.replaceChildren();
      return;
    }
    const cells = new Map();
    const { module } = this.store;
    for (const node of this.story.nodes.values()) {
      const [row, column] = module.placeOf(node.state);
      const known = cells.get(cellKey(row, column));
      if (!known || known.node.number < node.number) cells.set(cellKey(row, column), { node, row, column });
    }
    const round = (value) => String(Math.round(value * 10) / 10);
    this.valueLayer.replaceChildren(...[...cells.values()].map(({ node: { f, g, h }, row, column }) => svg(
      'g', { transform: `translate(${column * CELL} ${row * CELL})` },
      svg('text', { class: 'value-f', x: CELL / 2, y: CELL / 2 }, round(f)),
      svg('text', { class: 'value-g', x: 4, y: CELL - 5 }, String(g)),
      svg('text', { class: 'value-h', x: CELL - 4, y: CELL - 5 }, round(h)),
    )));
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
