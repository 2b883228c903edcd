// Single-player Chexers, on 37 hexes.

import { svg } from '../dom.js';

const SIZE = 26;
const ROOT = Math.sqrt(3);

const HEXES = [];
for (let r = -3; r <= 3; r += 1) {
  for (let q = -3; q <= 3; q += 1) if (Math.abs(q + r) <= 3) HEXES.push([q, r]);
}

const key = (q, r) => `${q},${r}`;
const place = (cell) => cell.split(',').map(Number);
const isHex = (q, r) => Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r)) <= 3;
const centre = ([q, r]) => [SIZE * ROOT * (q + r / 2), SIZE * 1.5 * r];

function hexagon([q, r], size) {
  const [x, y] = centre([q, r]);
  const corner = (at) => {
    const angle = (Math.PI / 3) * at + Math.PI / 6;
    return `${(x + size * Math.cos(angle)).toFixed(2)},${(y + size * Math.sin(angle)).toFixed(2)}`;
  };
  return [0, 1, 2, 3, 4, 5].map(corner).join(' ');
}

/** The hexes that an action names. */
const named = (action) => [...action.matchAll(/\((-?\d+), (-?\d+)\)/g)].map(([, q, r]) => [Number(q), Number(r)]);

class HexScene {
  constructor(board) {
    const [width, height] = [SIZE * ROOT * 7 + 12, SIZE * 11 + 12];
    this.size = [width, height];
    const exits = new Set(board.exits.map(([q, r]) => key(q, r)));
    const blocks = new Set(board.blocks.map(([q, r]) => key(q, r)));
    const cells = HEXES.map((hex) => {
      const kind = exits.has(key(...hex)) ? 'hex exit-hex' : 'hex';
      return svg('polygon', { class: kind, points: hexagon(hex, SIZE - 1.2) });
    });
    const walls = HEXES.filter((hex) => blocks.has(key(...hex)));
    this.colour = board.colour;
    this.pieces = svg('g');
    this.marks = svg('g', { class: 'marks' });
    this.root = svg(
      'svg',
      { class: `board chexers-${board.colour}`, viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, 'aria-hidden': 'true' },
      cells,
      walls.map((hex) => svg('polygon', { class: 'hex-block', points: hexagon(hex, SIZE - 5) })),
      this.pieces,
      this.marks,
    );
  }

  show(state) {
    this.shown = new Map();
    for (const hex of state) {
      const [cx, cy] = centre(hex);
      this.shown.set(key(...hex), svg('circle', { class: 'hex-piece', cx, cy, r: SIZE * 0.55 }));
    }
    this.pieces.replaceChildren(...this.shown.values());
  }

  tween(before, _after, action, share) {
    const [from, to] = named(action);
    const piece = this.shown?.get(key(...from)) ?? (this.show(before), this.shown.get(key(...from)));
    if (!piece) return;
    const begin = centre(from);
    const length = Math.hypot(...begin) || 1;
    // Out is away from the middle of the board.
    const end = to ? centre(to) : begin.map((part) => part * (1 + (2 * SIZE) / length));
    piece.setAttribute('cx', begin[0] + (end[0] - begin[0]) * share);
    piece.setAttribute('cy', begin[1] + (end[1] - begin[1]) * share);
    const hop = action.startsWith('JUMP') ? Math.sin(Math.PI * share) : 0;
    piece.setAttribute('r', SIZE * (0.55 + 0.2 * hop));
    piece.setAttribute('opacity', to ? 1 : 1 - share);
    this.pieces.append(piece);
  }

  cellAt(x, y) {
    const near = (hex) => Math.hypot(centre(hex)[0] - x, centre(hex)[1] - y);
    const best = HEXES.reduce((a, b) => (near(b) < near(a) ? b : a));
    return near(best) <= SIZE ? key(...best) : null;
  }

  mark(kinds) {
    const shapes = Object.entries(kinds).flatMap(([kind, cells]) =>
      cells.map((cell) => svg('polygon', { class: kind, points: hexagon(place(cell), SIZE - 3) })));
    this.marks.replaceChildren(...shapes);
  }

  heat() {}
}

const has = (hexes, [q, r]) => hexes.some((hex) => hex[0] === q && hex[1] === r);
const without = (hexes, [q, r]) => hexes.filter((hex) => hex[0] !== q || hex[1] !== r);
const inReadingOrder = (hexes) => [...hexes].sort((a, b) => a[1] - b[1] || a[0] - b[0]);

const EXITS = {
  red: ([q]) => q === 3,
  green: ([, r]) => r === 3,
  blue: ([q, r]) => q + r === -3,
};

export default {
  name: 'chexers',
  title: 'Chexers',
  texts: {
    zh: {
      Chexers: '六角棋',
      'Take every piece off the board: move, jump over pieces and blocks, and leave from a hex of your colour.':
        '让所有棋子离开棋盘：移动，跳过棋子和障碍，从本方颜色的格子离开。',
      'Drag a piece, or click it and then where it goes; click a piece on the exit twice to take it off. With the keyboard: arrow keys and Enter.':
        '拖动棋子，或先点棋子再点去处；在出口上点两次则离开。用键盘：方向键和回车。',
      'There is no piece.': '那里没有棋子。', 'That hex is taken.': '那一格已被占用。',
      'A piece leaves from a hex of its colour only.': '棋子只能从本方颜色的格子离开。',
      'A piece goes to a neighbour, or jumps over one to the hex behind it.': '棋子走到相邻格，或跳过一格到其后面。',
      Piece: '棋子', Block: '障碍', Free: '空', red: '红', green: '绿', blue: '蓝',
    },
  },
  fileType: 'json',
  goalText: () => 'Take every piece off the board: move, jump over pieces and blocks, and leave from a hex of your colour.',
  playText: 'Drag a piece, or click it and then where it goes; click a piece on the exit twice to take it off. '
    + 'With the keyboard: arrow keys and Enter.',
  levels: {
    easy: { pieces: 2, blocks: 4, difficulty: [4, 7] },
    medium: { pieces: 3, blocks: 8, difficulty: [10, 14] },
    hard: { pieces: 4, blocks: 12, difficulty: [16, 24] },
  },
  scene: (board) => new HexScene(board),
  dimensions: () => [7, 7],
  toText(board, state) {
    const list = (hexes) => `[${hexes.map(([q, r]) => `[${q}, ${r}]`).join(', ')}]`;
    return `{\n    "colour": "${board.colour}",\n    "pieces": ${list(state)},\n    "blocks": ${list(board.blocks)}\n}\n`;
  },
  firstCell: (_board, state) => key(...(state[0] ?? [0, 0])),
  beside(_board, cell, arrow) {
    const [q, r] = place(cell);
    const tries = {
      ArrowLeft: [[q - 1, r]],
      ArrowRight: [[q + 1, r]],
      // Up and down go to either side where the board is cut off.
      ArrowUp: [[q, r - 1], [q + 1, r - 1]],
      ArrowDown: [[q, r + 1], [q - 1, r + 1]],
    }[arrow];
    const found = tries.find(([a, b]) => isHex(a, b));
    return found ? key(...found) : cell;
  },
  describe(board, state, cell) {
    const hex = place(cell);
    const what = has(state, hex) ? 'piece' : has(board.blocks, hex) ? 'block' : 'free';
    return `hex ${hex[0]}, ${hex[1]}: ${what}${EXITS[board.colour](hex) ? ', exit' : ''}`;
  },
  holds: (_board, state, cell) => has(state, place(cell)),
  dragOf(_board, _state, action, cell) {
    const [from, to] = named(action);
    if (key(...from) !== cell) return null;
    const [x, y] = centre(from);
    const length = Math.hypot(x, y) || 1;
    const [endX, endY] = to ? centre(to) : [x + (2 * SIZE * x) / length, y + (2 * SIZE * y) / length];
    return { vector: [endX - x, endY - y], cell: to ? key(...to) : cell };
  },
  whyNot: (board, state, action, cell) => {
    if (!action) return 'There is no piece.';
    if (action.startsWith('EXIT')) return 'A piece leaves from a hex of its colour only.';
    if (has(board.blocks, place(cell)) || has(state, place(cell))) return 'That hex is taken.';
    return 'A piece goes to a neighbour, or jumps over one to the hex behind it.';
  },
  stateText: (state) => `${state.length} ${state.length === 1 ? 'piece' : 'pieces'} left`,
  tools: [
    { id: 'piece', label: 'Piece', key: 'p' },
    { id: 'block', label: 'Block', key: 'b', paints: true },
    { id: 'free', label: 'Free', key: '.', paints: true },
  ],
  choices: (board) => [{ id: 'colour', label: 'Colour', values: ['red', 'green', 'blue'], value: board.colour }],
  choose: (board, state, _id, colour) => ({
    board: { ...board, colour, exits: HEXES.filter(EXITS[colour]) },
    state,
  }),
  edit(board, state, tool, cell) {
    const hex = place(cell);
    let [pieces, blocks] = [without(state, hex), without(board.blocks, hex)];
    if (tool === 'piece') pieces = inReadingOrder([...pieces, hex]);
    if (tool === 'block') blocks = inReadingOrder([...blocks, hex]);
    return { board: { ...board, blocks }, state: pieces };
  },
  arrowAction: () => null,
  action(_board, state, from, to) {
    const text = ([q, r]) => `(${q}, ${r})`;
    const [begin, end] = [place(from), to && place(to)];
    if (!has(state, begin) || !end) return null;
    if (from === to) return `EXIT from ${text(begin)}.`;
    const far = Math.max(...[end[0] - begin[0], end[1] - begin[1], end[0] + end[1] - begin[0] - begin[1]].map(Math.abs));
    return `${far === 1 ? 'MOVE' : 'JUMP'} from ${text(begin)} to ${text(end)}.`;
  },
  cellsOf: (_board, _state, action) => named(action).map((hex) => key(...hex)),
};
