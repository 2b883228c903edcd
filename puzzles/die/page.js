// Rolling-die mazes. The die is a cube: its faces are turned in space and seen from above, a little from the south-east.

import { svg } from '../dom.js';
import { CELL, GridScene, beside, key, place } from '../grid.js';

/** Where each face points while the 1 is up, the 2 north and the 3 east: x east, y south, z up. */
const NORMALS = { 1: [0, 0, 1], 6: [0, 0, -1], 2: [0, -1, 0], 5: [0, 1, 0], 3: [1, 0, 0], 4: [-1, 0, 0] };
const PIPS = {
  1: [[0.5, 0.5]],
  2: [[0.27, 0.27], [0.73, 0.73]],
  3: [[0.25, 0.25], [0.5, 0.5], [0.75, 0.75]],
  4: [[0.27, 0.27], [0.27, 0.73], [0.73, 0.27], [0.73, 0.73]],
  5: [[0.25, 0.25], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [0.75, 0.75]],
  6: [[0.27, 0.22], [0.27, 0.5], [0.27, 0.78], [0.73, 0.22], [0.73, 0.5], [0.73, 0.78]],
};
/** The side of the die in cells. */
const SIDE = 0.64;
/** How far what is higher is seen to the north-west. */
const TILT = 0.3;
/** Where the light comes from. */
const LIGHT = [-0.25, 0.2, 0.95];

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** How a lying die turns what it has: where its top, north and east point. */
function turned({ top, north, east }) {
  const [up, back, right] = [NORMALS[top], NORMALS[north], NORMALS[east]];
  return (v) => [dot(right, v), -dot(back, v), dot(up, v)];
}

/** Rolling by part of a quarter turn in a direction: turns a vector. */
function rolling(direction, share) {
  const [cos, sin] = [Math.cos((share * Math.PI) / 2), Math.sin((share * Math.PI) / 2)];
  return ([x, y, z]) => {
    switch (direction) {
      case 'E': return [x * cos + z * sin, y, z * cos - x * sin];
      case 'W': return [x * cos - z * sin, y, z * cos + x * sin];
      case 'S': return [x, y * cos + z * sin, z * cos - y * sin];
      default: return [x, y * cos - z * sin, z * cos + y * sin];
    }
  };
}

/** A maze with more cells is drawn as an image of one pixel a cell. */
const MOST_SHAPES = 4000;
/** The rows and columns beyond which the die and the ends are drawn larger than a cell, so that they are seen. */
const SEEN = 24;

/** The walls as an image, so that a maze of half a million cells is drawn as fast as a small one. */
function wallImage(rows) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [rows[0].length, rows.length];
  const context = canvas.getContext('2d');
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--wall');
  rows.forEach((row, r) => {
    for (const run of row.matchAll(/\*+/g)) context.fillRect(run.index, r, run[0].length, 1);
  });
  return canvas.toDataURL();
}

const STEPS = { N: [-1, 0], E: [0, 1], S: [1, 0], W: [0, -1] };

class DieScene extends GridScene {
  constructor(board) {
    super(board.rows.length, board.rows[0].length, 6);
    const [width, height] = [this.columns * CELL, this.rows * CELL];
    this.zoom = Math.max(1, Math.max(this.rows, this.columns) / SEEN);
    this.ground.append(svg('rect', { class: 'floor', width, height }));
    if (this.rows * this.columns > MOST_SHAPES) {
      const href = wallImage(board.rows);
      this.under.append(svg('image', { class: 'wall-image', href, width, height, preserveAspectRatio: 'none' }));
    } else {
      this.under.append(this.wallPath(board.rows), this.lines());
    }
    board.rows.forEach((row, r) => {
      for (const symbol of 'SG') {
        const column = row.indexOf(symbol);
        if (column < 0) continue;
        const box = { x: column * CELL + 2, y: r * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 5 };
        const middle = { x: (column + 0.5) * CELL, y: (r + 0.5) * CELL };
        const end = svg('g', {}, svg('rect', { class: `end end-${symbol}`, ...box }),
          svg('text', { class: `letter letter-${symbol}`, ...middle }, symbol));
        end.setAttribute('transform', this.zoomed(middle.x, middle.y));
        this.under.append(end);
      }
    });
    this.path = svg('path', { class: 'path', 'stroke-width': 3 * this.zoom });
    this.under.append(this.path);
    this.shadow = svg('ellipse', { class: 'shadow', rx: CELL * 0.36, ry: CELL * 0.33 });
    this.faces = Object.keys(NORMALS).map((face) => {
      const pips = PIPS[face].map(([cx, cy]) => svg('circle', { cx, cy, r: face === '1' ? 0.17 : 0.1 }));
      const shade = svg('rect', { class: 'shade', width: 1, height: 1, rx: 0.12 });
      const group = svg('g', { class: `face face-${face}` }, svg('rect', { class: 'side', width: 1, height: 1, rx: 0.12 }), pips, shade);
      return { group, shade, normal: NORMALS[face] };
    });
    this.pieces.append(this.shadow, ...this.faces.map((face) => face.group));
  }

  wallPath(rows) {
    let d = '';
    rows.forEach((row, r) => {
      // A run of walls is one rectangle.
      for (const run of row.matchAll(/\*+/g)) {
        d += `M${run.index * CELL} ${r * CELL}h${run[0].length * CELL}v${CELL}h${-run[0].length * CELL}z`;
      }
    });
    return svg('path', { class: 'walls', d });
  }

  /** The transformation that draws larger around a point. */
  zoomed(x, y) {
    return this.zoom > 1 ? `translate(${x} ${y}) scale(${this.zoom}) translate(${-x} ${-y})` : '';
  }

  show(state) {
    this.pose(state, turned(state), 0, 0, 0.5);
  }

  tween(before, _after, direction, share) {
    const roll = rolling(direction, share);
    const turn = turned(before);
    const [down, right] = STEPS[direction];
    // The middle of the die turns about the edge it rolls over; what a cell is wider than the die, it slides.
    const edge = [right * 0.5, down * 0.5, -0.5];
    const middle = roll(edge.map((part) => -part)).map((part, at) => part + edge[at]);
    const slide = ((1 - SIDE) / SIDE) * share;
    this.pose(before, (v) => roll(turn(v)), middle[0] + right * slide, middle[1] + down * slide, middle[2] + 0.5);
  }

  /** Draws the die with its middle moved by so many sides from the cell, at that height. */
  pose({ row, col }, turn, x, y, height) {
    const unit = CELL * SIDE;
    const flat = ([vx, vy, vz]) => [(vx - TILT * vz) * unit, (vy - TILT * vz) * unit];
    const centre = [(col + 0.5) * CELL + x * unit + TILT * unit * 0.45, (row + 0.5) * CELL + y * unit + TILT * unit * 0.45];
    if (this.zoom > 1) this.pieces.setAttribute('transform', this.zoomed(...centre));
    this.shadow.setAttribute('cx', centre[0] - 1);
    this.shadow.setAttribute('cy', centre[1] + 2);
    for (const { group, shade, normal } of this.faces) {
      const axis = Math.abs(normal[2]) > 0 ? [1, 0, 0] : [0, 0, 1];
      const [u, v] = [axis, cross(normal, axis)].map(turn);
      const out = turn(normal);
      const corner = out.map((part, at) => (part - u[at] - v[at]) / 2 + (at === 2 ? height : 0));
      const [a, b, o] = [flat(u), flat(v), flat(corner)];
      // A face is seen if it points to whoever looks.
      const seen = dot(out, [TILT, TILT, 1]) > 0.01;
      group.classList.toggle('hidden', !seen);
      if (!seen) continue;
      group.setAttribute('transform', `matrix(${[...a, ...b, centre[0] + o[0], centre[1] + o[1]].map((n) => n.toFixed(3))})`);
      shade.setAttribute('fill-opacity', (0.34 * (1 - Math.max(0, dot(out, LIGHT)))).toFixed(3));
    }
  }

  /** Draws the way of a solution. */
  way(states) {
    const points = states.map(({ row, col }) => `${(col + 0.5) * CELL} ${(row + 0.5) * CELL}`);
    this.path.setAttribute('d', points.length > 1 ? `M${points.join('L')}` : '');
  }
}

const put = (row, column, symbol) => row.slice(0, column) + symbol + row.slice(column + 1);

/** The board with a symbol in a cell. There is one S and one G, and neither is painted over. */
function painted(board, cell, symbol) {
  const [row, column] = place(cell);
  const rows = [...board.rows];
  const there = rows[row][column];
  if (there === 'S' || there === 'G') return board;
  if (symbol === 'S' || symbol === 'G') rows.forEach((line, at) => { rows[at] = line.replace(symbol, '.'); });
  rows[row] = put(rows[row], column, symbol);
  return { rows };
}

function start(board) {
  const row = board.rows.findIndex((line) => line.includes('S'));
  return { row, col: board.rows[row].indexOf('S'), top: 1, north: 2, east: 3 };
}

export default {
  name: 'die',
  title: 'Rolling die',
  texts: {
    zh: {
      'Rolling die': '滚骰子',
      'Roll the die from S to G so that it arrives with the 1 up. The 6 must never be up.':
        '把骰子从 S 滚到 G，到达时 1 朝上；6 在途中不得朝上。',
      'Arrow keys roll the die, or click a cell beside it.': '用方向键滚动骰子，或点击相邻的格子。',
      'The die rolls to a cell beside it.': '骰子只能滚到相邻的格子。',
      'The board ends there.': '那里是棋盘边缘。', 'There is a wall.': '那里是墙。', 'The 6 would be up.': '6 会朝上。',
      Wall: '墙', Free: '空', Goal: '目标',
    },
  },
  goalText: () => 'Roll the die from S to G so that it arrives with the 1 up. The 6 must never be up.',
  playText: 'Arrow keys roll the die, or click a cell beside it.',
  levels: {
    easy: { size: [6, 6], density: 0.15, difficulty: [5, 9] },
    medium: { size: [12, 12], density: 0.25, difficulty: [16, 26] },
    hard: { size: [20, 25], density: 0.25, difficulty: [34, 60] },
  },
  hasPlaces: true,
  scene: (board) => new DieScene(board),
  dimensions: (board) => [board.rows.length, board.rows[0].length],
  /** A die may lie in another way than files have it, and the text does not say so. */
  toText: (board) => `${board.rows.join('\n')}\n`,
  keepsState: true,
  firstCell: (_board, state) => key(state.row, state.col),
  beside: (board, cell, arrow) => beside(cell, arrow, board.rows.length, board.rows[0].length),
  describe(board, state, cell) {
    const [row, column] = place(cell);
    const what = { '*': 'wall', '.': 'free', S: 'start', G: 'goal' }[board.rows[row][column]];
    const die = state.row === row && state.col === column ? ', the die' : '';
    return `row ${row + 1}, column ${column + 1}: ${what}${die}`;
  },
  holds: (_board, state, cell) => cell === key(state.row, state.col),
  dragOf(_board, state, action, cell) {
    const [down, right] = STEPS[action];
    if (cell !== key(state.row, state.col)) return null;
    return { vector: [right * CELL, down * CELL], cell: key(state.row + down, state.col + right) };
  },
  whyNot(board, state, action) {
    if (!action) return 'The die rolls to a cell beside it.';
    const [down, right] = STEPS[action];
    const there = board.rows[state.row + down]?.[state.col + right];
    if (!there) return 'The board ends there.';
    return there === '*' ? 'There is a wall.' : 'The 6 would be up.';
  },
  stateText: (state) => `${state.top} up, ${state.north} north, ${state.east} east`,
  tools: [
    { id: 'wall', label: 'Wall', key: '*', paints: true },
    { id: 'free', label: 'Free', key: '.', paints: true },
    { id: 'start', label: 'Start', key: 's' },
    { id: 'goal', label: 'Goal', key: 'g' },
  ],
  choices: (board) => [
    { id: 'rows', label: 'Rows', min: 1, max: 100, value: board.rows.length },
    { id: 'columns', label: 'Columns', min: 2, max: 100, value: board.rows[0].length },
  ],
  choose(board, _state, id, value) {
    let rows = board.rows;
    const [height, width] = id === 'rows' ? [value, rows[0].length] : [rows.length, value];
    rows = Array.from({ length: height }, (_, at) => (rows[at] ?? '').slice(0, width).padEnd(width, '.'));
    const has = (symbol) => rows.some((row) => row.includes(symbol));
    // Whatever was cut off goes to a corner.
    if (!has('S')) rows[0] = put(rows[0], rows[0][0] === 'G' ? 1 : 0, 'S');
    const last = rows.length - 1;
    if (!has('G')) rows[last] = put(rows[last], rows[last][width - 1] === 'S' ? width - 2 : width - 1, 'G');
    return { board: { rows }, state: start({ rows }) };
  },
  edit(board, _state, tool, cell) {
    const symbol = { wall: '*', free: '.', start: 'S', goal: 'G' }[tool];
    const next = painted(board, cell, symbol);
    return next === board ? null : { board: next, state: start(next) };
  },
  placeOf: (state) => [state.row, state.col],
  /** The tool that moves the start or the goal that lies in a cell. */
  endAt(board, cell) {
    const [row, column] = place(cell);
    return { S: 'start', G: 'goal' }[board.rows[row][column]] ?? null;
  },
  /** The board with its start or goal moved to a free cell; null if the cell is not free. */
  moveEnd(board, tool, cell) {
    const [row, column] = place(cell);
    if (board.rows[row][column] !== '.') return null;
    const next = painted(board, cell, { start: 'S', goal: 'G' }[tool]);
    return { board: next, state: start(next) };
  },
  /** The die alone, larger than on a drawing of the maze. */
  thumb: (_board, state) => {
    const scene = new DieScene({ rows: ['.'] });
    scene.show({ ...state, row: 0, col: 0 });
    const [row, column] = [state.row + 1, state.col + 1];
    scene.root.append(svg('text', { class: 'thumb-place', x: 1, y: CELL + 3 }, `${row},${column}`));
    return scene.root;
  },
  arrowAction: (_board, _state, _picked, arrow) => ({ ArrowUp: 'N', ArrowRight: 'E', ArrowDown: 'S', ArrowLeft: 'W' })[arrow],
  /** The die is always the one to move. */
  action(_board, state, from, to) {
    const [row, column] = place(to ?? from);
    const found = Object.entries(STEPS).find(([, [down, right]]) => state.row + down === row && state.col + right === column);
    return found?.[0] ?? null;
  },
  movesAtOnce: true,
  /** The cells to point at for an action. */
  cellsOf: (_board, state, action) => [key(state.row + STEPS[action][0], state.col + STEPS[action][1])],
};
