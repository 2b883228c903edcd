// Boards of square cells.

import { svg } from './dom.js';

export const CELL = 40;

export const key = (row, column) => `${row},${column}`;
export const place = (cell) => cell.split(',').map(Number);

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The neighbour of a cell in the direction of an arrow key, on a board of that size. */
export function beside(cell, arrow, rows, columns) {
  const [row, column] = place(cell);
  const [down, right] = ARROWS[arrow];
  const inside = row + down >= 0 && row + down < rows && column + right >= 0 && column + right < columns;
  return inside ? key(row + down, column + right) : cell;
}

/** The scene of a board of square cells. Puzzles draw into `pieces`. */
export class GridScene {
  constructor(rows, columns, margin = 3) {
    this.rows = rows;
    this.columns = columns;
    const [width, height] = [columns * CELL, rows * CELL];
    this.ground = svg('g');
    this.heatImage = svg('image', { class: 'heat', width, height, preserveAspectRatio: 'none' });
    this.under = svg('g');
    this.pieces = svg('g');
    this.marks = svg('g', { class: 'marks' });
    this.root = svg(
      'svg',
      {
        class: 'board',
        viewBox: `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`,
        'aria-hidden': 'true',
      },
      this.ground,
      this.heatImage,
      this.under,
      this.pieces,
      this.marks,
    );
    this.size = [width + 2 * margin, height + 2 * margin];
  }

  /** The lines between the cells, as one path. */
  lines() {
    const [width, height] = [this.columns * CELL, this.rows * CELL];
    let d = '';
    for (let row = 1; row < this.rows; row += 1) d += `M0 ${row * CELL}h${width}`;
    for (let column = 1; column < this.columns; column += 1) d += `M${column * CELL} 0v${height}`;
    return svg('path', { class: 'lines', d });
  }

  cellAt(x, y) {
    const [row, column] = [Math.floor(y / CELL), Math.floor(x / CELL)];
    return row >= 0 && row < this.rows && column >= 0 && column < this.columns ? key(row, column) : null;
  }

  outline(cell, kind) {
    const [row, column] = place(cell);
    const box = { x: column * CELL + 1.5, y: row * CELL + 1.5, width: CELL - 3, height: CELL - 3, rx: 6 };
    return svg('rect', { class: kind, ...box });
  }

  /** Marks cells; `marked` maps each kind to its cells. */
  mark(kinds) {
    const shapes = Object.entries(kinds).flatMap(([kind, cells]) => cells.map((cell) => this.outline(cell, kind)));
    this.marks.replaceChildren(...shapes);
  }

  /** Shows a heat map of one pixel a cell below the pieces. */
  heat(url) {
    if (url) this.heatImage.setAttribute('href', url);
    else this.heatImage.removeAttribute('href');
  }
}
