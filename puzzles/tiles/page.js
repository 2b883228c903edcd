// Sliding tiles.

import { svg } from '../dom.js';
import { CELL, GridScene, beside, key, place } from '../grid.js';

class TileScene extends GridScene {
  constructor(board) {
    super(board.rows, board.columns);
    this.goal = board.goal;
    this.ground.append(svg('rect', { class: 'tray', width: board.columns * CELL, height: board.rows * CELL, rx: 6 }));
    this.tiles = board.goal.map((_, tile) => {
      const label = svg('text', { x: CELL / 2, y: CELL / 2 }, String(tile));
      return svg('g', { class: 'tile' }, svg('rect', { x: 1.5, y: 1.5, width: CELL - 3, height: CELL - 3, rx: 5 }), label);
    });
    this.pieces.append(...this.tiles.slice(1));
  }

  put(tile, x, y) {
    this.tiles[tile].setAttribute('transform', `translate(${x} ${y})`);
  }

  show(state) {
    state.forEach((tile, at) => {
      if (tile === 0) return;
      this.put(tile, (at % this.columns) * CELL, Math.floor(at / this.columns) * CELL);
      this.tiles[tile].classList.toggle('home', this.goal[at] === tile);
    });
  }

  tween(before, after, _action, share) {
    const [from, to] = [after.indexOf(0), before.indexOf(0)];
    const between = (first, second) => (first + (second - first) * share) * CELL;
    const x = between(from % this.columns, to % this.columns);
    this.put(before[from], x, between(Math.floor(from / this.columns), Math.floor(to / this.columns)));
  }
}

const inOrder = (cells) => Array.from({ length: cells }, (_, at) => (at + 1) % cells);
const same = (a, b) => a.every((tile, at) => tile === b[at]);

function rowsOf(tiles, columns) {
  const width = String(tiles.length - 1).length;
  const lines = [];
  for (let at = 0; at < tiles.length; at += columns) {
    lines.push(tiles.slice(at, at + columns).map((tile) => String(tile).padStart(width)).join(' '));
  }
  return `${lines.join('\n')}\n`;
}

const WAYS = { ArrowUp: 'UP', ArrowDown: 'DOWN', ArrowLeft: 'LEFT', ArrowRight: 'RIGHT' };

/** The neighbour that a word leads to. */
const STEPS = { UP: [-1, 0], DOWN: [1, 0], LEFT: [0, -1], RIGHT: [0, 1] };

/** Whether the parity of the tiles and of the way of the gap allows a solution. */
function isSolvable({ columns, goal }, state) {
  const places = new Map(goal.map((tile, at) => [tile, at]));
  const order = state.filter((tile) => tile !== 0).map((tile) => places.get(tile));
  const gap = (tiles) => tiles.indexOf(0);
  // The places of the tiles, with the gap left out.
  const rank = (at) => at - (at > gap(goal) ? 1 : 0);
  let inversions = 0;
  order.forEach((first, at) => { for (const second of order.slice(at + 1)) if (rank(first) > rank(second)) inversions += 1; });
  const rows = Math.floor(gap(state) / columns) - Math.floor(gap(goal) / columns);
  return (columns % 2 === 1 ? inversions : inversions + rows) % 2 === 0;
}

const gapFirst = (cells) => Array.from({ length: cells }, (_, at) => at);

/** A goal with its last two tiles exchanged, which has the other parity. */
function exchanged(goal) {
  const [first, second] = goal.flatMap((tile, at) => (tile === 0 ? [] : [at])).slice(-2);
  return goal.with(first, goal[second]).with(second, goal[first]);
}

/** The way a tile in a cell goes if it lies beside the gap. */
function way(board, state, cell) {
  const [row, column] = place(cell);
  const gap = state.indexOf(0);
  const [down, right] = [Math.floor(gap / board.columns) - row, (gap % board.columns) - column];
  return { '-1,0': 'UP', '1,0': 'DOWN', '0,-1': 'LEFT', '0,1': 'RIGHT' }[`${down},${right}`] ?? null;
}

export default {
  name: 'tiles',
  title: 'Sliding tiles',
  texts: {
    zh: {
      'Sliding tiles': '数字华容道',
      'Slide the tiles into order.': '把数字滑动到顺序位置。',
      'Slide the tiles until the board is the goal.': '滑动数字，直到与目标相同。',
      'Arrow keys move a tile into the gap that way, or click a tile beside it.': '用方向键把数字移入空格，或点击空格旁的数字。',
      'Only a tile beside the gap can slide.': '只有空格旁的数字能滑动。',
      'There is no tile on that side of the gap.': '空格的那一侧没有数字。',
      'Parity forbids this goal: half of all boards cannot reach it.': '奇偶性不允许到达此目标：有一半的棋盘到不了。',
      'Take the goal with the gap first': '改用空格在首的目标', 'Take the goal with the gap last': '改用空格在尾的目标',
      'Take the goal with its last two tiles exchanged': '改用末两个数字对调的目标',
      Slide: '滑动', 'Swap two': '交换两个',
    },
  },
  goalText: (board) => (same(board.goal, inOrder(board.goal.length)) ? 'Slide the tiles into order.' : 'Slide the tiles until the board is the goal.'),
  playText: 'Arrow keys move a tile into the gap that way, or click a tile beside it.',
  levels: {
    easy: { size: [3, 3], difficulty: [8, 16] },
    medium: { size: [3, 4], difficulty: [22, 30] },
    hard: { size: [4, 4], difficulty: [34, 44] },
  },
  scene: (board) => new TileScene(board),
  dimensions: (board) => [board.rows, board.columns],
  toText(board, state) {
    const goal = same(board.goal, inOrder(board.goal.length)) ? '' : `\n${rowsOf(board.goal, board.columns)}`;
    return rowsOf(state, board.columns) + goal;
  },
  goalState: (board) => board.goal,
  /** A goal that can be reached where parity forbids the present one. */
  otherGoal(board, state) {
    if (isSolvable(board, state)) return null;
    const goals = [
      ['Take the goal with the gap first', gapFirst(board.goal.length)],
      ['Take the goal with the gap last', inOrder(board.goal.length)],
      ['Take the goal with its last two tiles exchanged', exchanged(board.goal)],
    ];
    const found = goals.map(([label, goal]) => ({ label, board: { ...board, goal } })).find((one) => isSolvable(one.board, state));
    return found ? { ...found, why: 'Parity forbids this goal: half of all boards cannot reach it.' } : null;
  },
  firstCell: () => key(0, 0),
  beside: (board, cell, arrow) => beside(cell, arrow, board.rows, board.columns),
  describe(board, state, cell) {
    const [row, column] = place(cell);
    const tile = state[row * board.columns + column];
    return `row ${row + 1}, column ${column + 1}: ${tile === 0 ? 'gap' : `tile ${tile}`}`;
  },
  stateText: () => '',
  holds: (board, state, cell) => way(board, state, cell) !== null,
  dragOf(board, state, action, cell) {
    if (way(board, state, cell) !== action) return null;
    const [[row, column], [down, right]] = [place(cell), STEPS[action]];
    return { vector: [right * CELL, down * CELL], cell: key(row + down, column + right) };
  },
  whyNot: (_board, _state, _action, cell) =>
    (cell ? 'Only a tile beside the gap can slide.' : 'There is no tile on that side of the gap.'),
  tools: [
    { id: 'slide', label: 'Slide', key: 'm', slides: true },
    { id: 'swap', label: 'Swap two', key: 'x', pairs: true },
  ],
  choices: (board) => [
    { id: 'rows', label: 'Rows', min: 2, max: 8, value: board.rows },
    { id: 'columns', label: 'Columns', min: 2, max: 5, value: board.columns },
  ],
  choose(board, _state, id, value) {
    const next = { ...board, [id]: value };
    next.goal = inOrder(next.rows * next.columns);
    return { board: next, state: [...next.goal] };
  },
  /** Swaps what lies in two cells. */
  edit(board, state, tool, cell, other) {
    if (tool !== 'swap' || !other) return null;
    const number = (of) => place(of)[0] * board.columns + place(of)[1];
    const next = [...state];
    [next[number(cell)], next[number(other)]] = [state[number(other)], state[number(cell)]];
    return { board, state: next };
  },
  arrowAction: (_board, _state, _picked, arrow) => WAYS[arrow],
  action: (board, state, from) => way(board, state, from),
  movesAtOnce: true,
  cellsOf(board, state, action) {
    const gap = state.indexOf(0);
    const [down, right] = { UP: [1, 0], DOWN: [-1, 0], LEFT: [0, 1], RIGHT: [0, -1] }[action];
    return [key(Math.floor(gap / board.columns) + down, (gap % board.columns) + right)];
  },
};
