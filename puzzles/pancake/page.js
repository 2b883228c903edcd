// Stacks of pancakes. A cell is a place in the stack, counted from 0 at the top.

import { svg } from '../dom.js';
import { CELL, GridScene, beside, key, place } from '../grid.js';

const COLUMNS = 8;
/** A lower stack stands in a drawing of this height, so that its pancakes are not huge. */
const FEWEST_ROWS = 6;
/** How much wider the edge that turns towards us looks, for each unit of length that it is nearer. */
const PERSPECTIVE = 1 / 2500;
/** How high a pancake looks at least while it turns. */
const THINNEST = 0.35;

class StackScene extends GridScene {
  constructor({ pancakes }) {
    super(Math.max(pancakes, FEWEST_ROWS), COLUMNS, 16);
    this.count = pancakes;
    this.top = this.rows - pancakes;
    this.middle = (COLUMNS * CELL) / 2;
    const [width, bottom] = [COLUMNS * CELL, this.rows * CELL];
    this.ground.append(
      svg('rect', { class: 'plate', x: -10, y: bottom, width: width + 20, height: 7, rx: 3.5 }),
      svg('rect', { class: 'plate', x: width / 4, y: bottom + 7, width: width / 2, height: 5, rx: 2 }),
    );
    this.bars = Array.from({ length: pancakes }, (_, at) =>
      svg('g', { class: 'pancake' }, svg('rect', this.box(at + 1, 0, 0)), svg('text', {}, String(at + 1))));
    this.pieces.append(...this.bars);
  }

  /** The outline of a pancake around a point. */
  box(size, x, y) {
    const width = CELL + (COLUMNS - 1) * CELL * (size / this.count);
    return { x: x - width / 2, y: y - CELL / 2 + 1.5, width, height: CELL - 3, rx: 14 };
  }

  /** The height of the middle of a place. */
  level(at) {
    return (this.top + at + 0.5) * CELL;
  }

  put(size, y, wide = 1, high = 1) {
    this.bars[size - 1].setAttribute('transform', `translate(${this.middle} ${y}) scale(${wide} ${high})`);
  }

  show(state) {
    this.shown = state;
    state.forEach((size, at) => {
      this.put(size, this.level(at));
      this.bars[size - 1].classList.toggle('home', isHome(size, at));
    });
  }

  /** Turns the flipped part about its horizontal axis. */
  tween(before, _after, action, share) {
    const flipped = before.slice(0, countOf(action));
    const axis = this.level((flipped.length - 1) / 2);
    const [cos, sin] = [Math.cos(Math.PI * share), Math.sin(Math.PI * share)];
    flipped.forEach((size, at) => {
      const offset = this.level(at) - axis;
      this.put(size, axis + offset * cos, 1 - offset * sin * PERSPECTIVE, Math.max(Math.abs(cos), THINNEST));
    });
  }

  cellAt(_x, y) {
    const at = Math.floor(y / CELL) - this.top;
    return at >= 0 && at < this.count ? key(at, 0) : null;
  }

  outline(cell, kind) {
    const at = placeOf(cell);
    return svg('rect', { class: kind, ...this.box(this.shown[at], this.middle, this.level(at)) });
  }
}

const placeOf = (cell) => place(cell)[0];
const isHome = (size, at) => size === at + 1;
/** The number of pancakes that an action flips. */
const countOf = (action) => Number(action.split(' ')[1]);

export default {
  name: 'pancake',
  title: 'Pancakes',
  texts: {
    zh: {
      Pancakes: '煎饼',
      'Sort the stack, the smallest pancake on top. A flip turns over the topmost pancakes.':
        '把煎饼按大小排好，最小的在上。每次翻转最上面的若干张。',
      'Click a pancake to flip it and all above it. With the keyboard: arrow keys and Enter.':
        '点击一张煎饼，把它和上面的一起翻转。用键盘：方向键和回车。',
      'A flip takes at least two pancakes.': '一次至少翻两张。', Flip: '翻转', 'Swap two': '交换两个',
    },
  },
  goalText: () => 'Sort the stack, the smallest pancake on top. A flip turns over the topmost pancakes.',
  playText: 'Click a pancake to flip it and all above it. With the keyboard: arrow keys and Enter.',
  levels: {
    easy: { pancakes: 5, difficulty: [3, 4] },
    medium: { pancakes: 8, difficulty: [6, 8] },
    hard: { pancakes: 12, difficulty: [11, 14] },
  },
  scene: (board) => new StackScene(board),
  dimensions: (board) => [board.pancakes, 1],
  toText: (_board, state) => `${state.join(' ')}\n`,
  firstCell: () => key(0, 0),
  beside: (board, cell, arrow) => beside(cell, arrow, board.pancakes, 1),
  describe(_board, state, cell) {
    const at = placeOf(cell);
    return `place ${at + 1} from the top: pancake ${state[at]}${isHome(state[at], at) ? ', where it belongs' : ''}`;
  },
  stateText: (state) => `${state.join(' ')} from the top`,
  tools: [
    { id: 'flip', label: 'Flip', key: 'f', slides: true },
    { id: 'swap', label: 'Swap two', key: 'x', pairs: true },
  ],
  choices: (board) => [{ id: 'pancakes', label: 'Pancakes', min: 2, max: 16, value: board.pancakes }],
  /** Takes the largest pancakes away, or puts larger ones below the others. */
  choose(_board, state, _id, pancakes) {
    const larger = Array.from({ length: pancakes }, (_, at) => at + 1).slice(state.length);
    return { board: { pancakes }, state: [...state.filter((size) => size <= pancakes), ...larger] };
  },
  /** Swaps the pancakes in two places. */
  edit(board, state, tool, cell, other) {
    if (tool !== 'swap' || !other) return null;
    const [upper, lower] = [placeOf(cell), placeOf(other)];
    return { board, state: state.with(upper, state[lower]).with(lower, state[upper]) };
  },
  arrowAction: () => null,
  /** A press flips; dragging does nothing more. */
  action: (_board, _state, from, to) => (to ? null : `flip ${placeOf(from) + 1}`),
  movesAtOnce: true,
  hasCursor: true,
  whyNot: () => 'A flip takes at least two pancakes.',
  /** The milliseconds of a flip made by hand: long enough to see the part turn over. */
  moveTime: 350,
  cellsOf: (_board, _state, action) => [key(countOf(action) - 1, 0)],
};
