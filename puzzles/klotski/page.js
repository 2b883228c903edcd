// Sliding blocks.

import { svg } from '../dom.js';
import { CELL, GridScene, beside, key, place } from '../grid.js';

/** Height, width and symbols of the pieces, by the symbol of their upper left cell. */
const SHAPES = {
  1: { name: 'the 2 x 2 piece', height: 2, width: 2, symbols: ['11', '11'] },
  2: { name: 'single', height: 1, width: 1, symbols: ['2'] },
  '<': { name: 'lying domino', height: 1, width: 2, symbols: ['<>'] },
  '^': { name: 'standing domino', height: 2, width: 1, symbols: ['^', 'v'] },
};

/** The pieces of a board of symbols: shape and upper left cell. */
function piecesOf(rows) {
  const pieces = [];
  const taken = new Set();
  rows.forEach((line, row) => [...line].forEach((symbol, column) => {
    const shape = SHAPES[symbol];
    if (!shape || taken.has(key(row, column))) return;
    pieces.push({ symbol, row, column, ...shape });
    for (let r = 0; r < shape.height; r += 1) for (let c = 0; c < shape.width; c += 1) taken.add(key(row + r, column + c));
  }));
  return pieces;
}

const covers = (piece, row, column) =>
  row >= piece.row && row < piece.row + piece.height && column >= piece.column && column < piece.column + piece.width;

function pieceAt(rows, cell) {
  const [row, column] = place(cell);
  return piecesOf(rows).find((piece) => covers(piece, row, column)) ?? null;
}

const WAYS = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };

class BlockScene extends GridScene {
  constructor(board) {
    super(board.rows, board.columns, 8);
    const [width, height] = [board.columns * CELL, board.rows * CELL];
    this.ground.append(svg('rect', { class: 'tray', x: -4, y: -4, width: width + 8, height: height + 8, rx: 8 }));
    if (board.goal.big) {
      const [row, column] = board.goal.big;
      const box = { x: column * CELL + 3, y: row * CELL + 3, width: 2 * CELL - 6, height: 2 * CELL - 6, rx: 6 };
      this.under.append(svg('rect', { class: 'target', ...box }));
      this.ground.append(svg('path', { class: 'exit', d: `M${column * CELL + 4} ${height + 4}h${2 * CELL - 8}` }));
    }
  }

  show(rows) {
    this.shown = rows;
    this.shapes = new Map();
    for (const piece of piecesOf(rows)) {
      const box = { x: 1.5, y: 1.5, width: piece.width * CELL - 3, height: piece.height * CELL - 3, rx: 6 };
      const shape = svg('rect', { class: `block block-${piece.height}${piece.width}`, ...box });
      shape.setAttribute('transform', `translate(${piece.column * CELL} ${piece.row * CELL})`);
      this.shapes.set(key(piece.row, piece.column), shape);
    }
    this.pieces.replaceChildren(...this.shapes.values());
  }

  tween(before, _after, action, share) {
    if (!this.shapes) this.show(before);
    const [, row, column, word] = action.match(/\((\d+),(\d+)\) (\w+)/);
    const [down, right] = WAYS[word];
    const [x, y] = [(Number(column) + right * share) * CELL, (Number(row) + down * share) * CELL];
    this.shapes.get(key(row, column))?.setAttribute('transform', `translate(${x} ${y})`);
  }

  /** What is picked or pointed at is a piece, not a cell. */
  outline(cell, kind) {
    const piece = kind !== 'cursor' && this.shown ? pieceAt(this.shown, cell) : null;
    if (!piece) return super.outline(cell, kind);
    const box = { x: piece.column * CELL + 1.5, y: piece.row * CELL + 1.5, rx: 6 };
    return svg('rect', { class: kind, ...box, width: piece.width * CELL - 3, height: piece.height * CELL - 3 });
  }
}

/** The piece that an action moves, and its way. */
function partsOf(rows, action) {
  const [, row, column, word] = action.match(/\((\d+),(\d+)\) (\w+)/);
  return { piece: pieceAt(rows, key(row, column)), row: Number(row), column: Number(column), step: WAYS[word] };
}

/** The rows with a piece put down, and whatever lay there taken away. */
function placed(rows, cell, symbol) {
  const [row, column] = place(cell);
  const shape = SHAPES[symbol] ?? { height: 1, width: 1, symbols: ['.'] };
  if (row + shape.height > rows.length || column + shape.width > rows[0].length) return null;
  const grid = rows.map((line) => [...line]);
  const inside = { row, column, ...shape };
  for (const piece of piecesOf(rows)) {
    const cells = [];
    for (let r = 0; r < piece.height; r += 1) for (let c = 0; c < piece.width; c += 1) cells.push([piece.row + r, piece.column + c]);
    const isHit = cells.some(([r, c]) => covers(inside, r, c));
    // There is one 2 x 2 piece: putting it down again moves it.
    if (isHit || (symbol === '1' && piece.symbol === '1')) for (const [r, c] of cells) grid[r][c] = '.';
  }
  shape.symbols.forEach((line, r) => [...line].forEach((part, c) => { grid[row + r][column + c] = part; }));
  return grid.map((line) => line.join(''));
}

const bigHome = (rows, columns) => [rows - 2, Math.floor((columns - 2) / 2)];

export default {
  name: 'klotski',
  title: 'Klotski',
  texts: {
    zh: {
      Klotski: '华容道',
      'Slide the pieces until the board is the goal.': '滑动棋子，直到与目标相同。',
      'Slide the pieces until the 2 x 2 piece is on its place.': '滑动棋子，让 2 x 2 的大块到达出口。',
      'Drag a piece; or choose one with the arrow keys, Enter picks it up, arrow keys move it, Enter lets go.':
        '拖动棋子；或用方向键选择，回车拿起，方向键移动，回车放下。',
      'There is no piece.': '那里没有棋子。', 'Something is in the way.': '有东西挡住了。',
      Slide: '滑动', Single: '单块', Lying: '横块', Standing: '竖块', Empty: '空',
    },
  },
  goalText: (board) => (board.goal.rows
    ? 'Slide the pieces until the board is the goal.'
    : 'Slide the pieces until the 2 x 2 piece is on its place.'),
  playText: 'Drag a piece; or choose one with the arrow keys, Enter picks it up, arrow keys move it, Enter lets go.',
  levels: {
    easy: { size: [5, 4], empties: 4, difficulty: [5, 12] },
    medium: { size: [5, 4], empties: 2, difficulty: [20, 40] },
    hard: { size: [5, 4], empties: 2, difficulty: [60, 179] },
  },
  scene: (board) => new BlockScene(board),
  dimensions: (board) => [board.rows, board.columns],
  toText(board, state) {
    const goal = board.goal.rows ? `\n${board.goal.rows.join('\n')}\n` : '';
    return `${state.join('\n')}\n${goal}`;
  },
  goalState: (board) => board.goal.rows ?? null,
  firstCell: () => key(0, 0),
  beside: (board, cell, arrow) => beside(cell, arrow, board.rows, board.columns),
  describe(_board, state, cell) {
    const [row, column] = place(cell);
    return `row ${row + 1}, column ${column + 1}: ${pieceAt(state, cell)?.name ?? 'empty'}`;
  },
  stateText: () => '',
  metrics: [['steps', 'Steps'], ['moves', 'Moves']],
  /** A run of steps of one piece is one move. */
  isSameMove(before, action) {
    const { row, column, step: [down, right] } = partsOf([], before);
    const next = partsOf([], action);
    return row + down === next.row && column + right === next.column;
  },
  holds: (_board, state, cell) => pieceAt(state, cell) !== null,
  dragOf(_board, state, action, cell) {
    const { piece, step: [down, right] } = partsOf(state, action);
    const [row, column] = place(cell);
    if (!piece || !covers(piece, row, column)) return null;
    return { vector: [right * CELL, down * CELL], cell: key(row + down, column + right) };
  },
  whyNot: (_board, state, action, cell) =>
    (!action && cell && !pieceAt(state, cell) ? 'There is no piece.' : 'Something is in the way.'),
  tools: [
    { id: 'slide', label: 'Slide', key: 'm', slides: true },
    { id: 'big', label: '2 x 2', key: '1' },
    { id: 'single', label: 'Single', key: '2' },
    { id: 'lying', label: 'Lying', key: '<' },
    { id: 'standing', label: 'Standing', key: '^' },
    { id: 'empty', label: 'Empty', key: '.' },
  ],
  choices: (board) => [
    { id: 'rows', label: 'Rows', min: 2, max: 7, value: board.rows },
    { id: 'columns', label: 'Columns', min: 2, max: 6, value: board.columns },
  ],
  choose(board, state, id, value) {
    const next = { ...board, [id]: value };
    let rows = Array.from({ length: next.rows }, () => '.'.repeat(next.columns));
    for (const piece of piecesOf(state)) {
      const lower = piece.row + piece.height <= next.rows && piece.column + piece.width <= next.columns;
      if (lower) rows = placed(rows, key(piece.row, piece.column), piece.symbol);
    }
    if (!rows.some((row) => row.includes('1'))) rows = placed(rows, key(0, 0), '1');
    next.goal = { big: bigHome(next.rows, next.columns) };
    return { board: next, state: rows };
  },
  edit(board, state, tool, cell) {
    const symbol = { big: '1', single: '2', lying: '<', standing: '^', empty: '.' }[tool];
    const rows = placed(state, cell, symbol);
    return rows && { board, state: rows };
  },
  arrowAction(_board, state, picked, arrow) {
    const piece = picked && pieceAt(state, picked);
    return piece ? `(${piece.row},${piece.column}) ${arrow.slice(5).toLowerCase()}` : null;
  },
  /** Dragging a piece towards a cell moves it by one cell that way. */
  action(_board, state, from, to) {
    const piece = pieceAt(state, from);
    if (!piece || !to) return null;
    const [[r, c], [row, column]] = [place(from), place(to)];
    const [down, right] = [row - r, column - c];
    if (down === 0 && right === 0) return null;
    const word = Math.abs(down) >= Math.abs(right) ? (down < 0 ? 'up' : 'down') : right < 0 ? 'left' : 'right';
    return `(${piece.row},${piece.column}) ${word}`;
  },
  cellsOf: (_board, _state, action) => [action.match(/\((.*)\)/)[1]],
  /** Where the finger is on a piece after it has moved. */
  follow(cell, action) {
    const [down, right] = WAYS[action.split(' ')[1]];
    const [row, column] = place(cell);
    return key(row + down, column + right);
  },
};
