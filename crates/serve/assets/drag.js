// Dragging: a piece follows the pointer along its legal moves, also over several moves in a row.

/** The share of a move beyond which a piece that is let go completes it. */
const ENOUGH = 0.45;

export class Drag {
  /**
   * `ways(cell)` lists the legal moves `{ action, state, vector, cell }` of what lies in a cell: the vector to its new
   * place in units of the board, and the cell where it can be held then. `make(way)` makes a move that is already drawn.
   */
  constructor(widget, { ways, make }, cell, point) {
    Object.assign(this, { widget, ways, make, cell, anchor: point, share: 0 });
  }

  /** The pointer is at a point of the board. */
  move(point) {
    this.point = point;
    const [x, y] = [point.x - this.anchor.x, point.y - this.anchor.y];
    let best = null;
    for (const way of this.ways(this.cell)) {
      const [dx, dy] = way.vector;
      const length = Math.hypot(dx, dy);
      // How far the pointer has gone along the way, less how far it is beside it.
      const along = (x * dx + y * dy) / length;
      const beside = Math.abs(x * dy - y * dx) / length;
      const rank = along - beside;
      if (along > 0 && (!best || rank > best.rank)) best = { way, share: along / length, rank };
    }
    this.way = best?.way ?? null;
    this.share = Math.min(1, best?.share ?? 0);
    if (this.share >= 1) this.complete();
    else this.draw();
  }

  draw() {
    const { widget, way, share } = this;
    if (way && share > 0) widget.tween(way, share);
    else widget.untween();
  }

  /** Makes the move whose end the pointer has reached; the next one begins there. */
  complete() {
    const { way } = this;
    this.anchor = { x: this.anchor.x + way.vector[0], y: this.anchor.y + way.vector[1] };
    this.cell = way.cell;
    [this.way, this.share] = [null, 0];
    this.make(way, 1);
  }

  /** The pointer lets go. */
  drop() {
    if (this.way && this.share > ENOUGH) this.make(this.way, this.share);
    else this.widget.untween();
  }
}
