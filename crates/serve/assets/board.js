// The board widget: drawing, animation, and input by mouse and keyboard, which it passes to a handler.

import { announce, el, isStill } from './dom.js';
import { Drag } from './drag.js';

/** The way in pixels that a pointer goes in a click. */
const STEADY = 6;

/** A static drawing of a state; `lines` are its drawing in text, for puzzles without a module. */
export function picture(module, board, state, label, lines) {
  const scene = module.scene(board, lines);
  scene.show(state);
  return el('div', { class: 'picture', role: 'img', 'aria-label': label }, scene.root);
}

export class BoardWidget {
  constructor(label) {
    this.handler = {};
    this.root = el('div', { class: 'stage', tabindex: 0, role: 'application', 'aria-label': label });
    this.root.addEventListener('pointerdown', (event) => this.down(event));
    this.root.addEventListener('pointermove', (event) => this.move(event));
    this.root.addEventListener('pointerup', (event) => this.up(event));
    this.root.addEventListener('pointercancel', () => this.lose());
    // A finger that holds a piece does not scroll the page.
    this.root.addEventListener('touchstart', (event) => {
      if (this.drag || (event.touches.length === 1 && this.isHeldAt(event.touches[0]))) event.preventDefault();
    }, { passive: false });
    this.root.addEventListener('keydown', (event) => this.key(event));
    this.root.addEventListener('focus', () => this.refreshMarks());
    this.root.addEventListener('blur', () => this.refreshMarks());
    this.marked = {};
  }

  /** Shows another board. */
  load(module, board, state) {
    this.finish();
    this.module = module;
    this.board = board;
    this.scene = module.scene(board);
    this.scene.root.classList.add(`scene-${module.name}`);
    const [width, height] = this.scene.size;
    this.root.style.setProperty('--shape', `${width / height}`);
    this.root.replaceChildren(this.scene.root);
    this.cursor = module.firstCell(board, state);
    this.marked = {};
    this.show(state);
  }

  show(state) {
    this.finish();
    this.state = state;
    this.scene.show(state);
    this.refreshMarks();
    this.onState?.();
  }

  /** Draws a part of a move that a pointer makes. */
  tween({ action, state }, share) {
    this.finish();
    this.isTweened = true;
    this.scene.mark({});
    this.scene.tween(this.state, state, action, share);
  }

  untween() {
    if (!this.isTweened) return;
    this.isTweened = false;
    this.show(this.state);
  }

  /**
   * Animates an action from a part of it on; resolves at its end. An earlier animation is finished at once. Where
   * people prefer reduced motion, the board changes at once, and the time passes all the same if `waits`.
   */
  animate(action, after, milliseconds, { from = 0, waits = false } = {}) {
    this.finish();
    const before = this.state;
    this.state = after;
    this.isTweened = false;
    if (isStill() && waits) this.scene.show(after);
    const duration = isStill() && !waits ? 0 : milliseconds * (1 - from);
    this.scene.mark({});
    return new Promise((done) => {
      let begin;
      const end = () => {
        cancelAnimationFrame(this.frame);
        this.ending = null;
        this.scene.show(after);
        this.refreshMarks();
        this.onState?.();
        done();
      };
      this.ending = end;
      const step = (now) => {
        begin ??= now;
        const share = duration > 0 ? (now - begin) / duration : 1;
        if (share >= 1) {
          end();
          return;
        }
        // Ease in and out.
        if (!isStill()) this.scene.tween(before, after, action, from + (1 - from) * share * share * (3 - 2 * share));
        this.frame = requestAnimationFrame(step);
      };
      this.frame = requestAnimationFrame(step);
    });
  }

  finish() {
    this.ending?.();
  }

  /** Marks cells by kind: `picked`, `target`, `hint`. */
  mark(marked) {
    this.marked = marked;
    this.refreshMarks();
  }

  refreshMarks() {
    if (!this.scene) return;
    const shown = this.handler.hasCursor && this.root.matches(':focus-visible');
    this.scene.mark({ ...this.marked, ...(shown ? { cursor: [this.cursor] } : {}) });
  }

  /** Announces the cell below the cursor. */
  tell() {
    announce(this.module.describe(this.board, this.state, this.cursor));
  }

  /** The point of the board below a pointer. */
  pointOf(event) {
    const matrix = this.scene?.root.getScreenCTM?.();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
  }

  cellOf(event) {
    const point = this.pointOf(event);
    return point && this.scene.cellAt ? this.scene.cellAt(point.x, point.y) : null;
  }

  /** Whether a pointer is on a piece that can be dragged. */
  isHeldAt(event) {
    const cell = this.handler.ways && this.cellOf(event);
    return Boolean(cell && this.handler.holds(cell));
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary || !this.handler.press) return;
    const cell = this.cellOf(event);
    if (!cell) return;
    const isHeld = this.isHeldAt(event);
    this.pressed = { cell, last: cell, x: event.clientX, y: event.clientY, isHeld, waits: isHeld };
    // A finger that holds nothing may be about to scroll: what it touches counts when it is lifted.
    if (event.pointerType === 'touch' && !isHeld) {
      this.pressed.waits = true;
      return;
    }
    this.root.setPointerCapture(event.pointerId);
    if (!isHeld) this.press(cell);
  }

  press(cell) {
    this.cursor = cell;
    this.handler.press(cell);
  }

  move(event) {
    const { pressed } = this;
    if (!pressed) return;
    if (pressed.isHeld) {
      const isFar = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STEADY;
      if (!this.drag && isFar) {
        const point = this.pointOf({ clientX: pressed.x, clientY: pressed.y });
        this.drag = new Drag(this, this.handler, pressed.cell, point);
        this.root.classList.add('dragging');
      }
      if (this.drag) this.drag.move(this.pointOf(event));
      return;
    }
    const cell = pressed.waits ? null : this.cellOf(event);
    if (!cell || cell === pressed.last) return;
    pressed.last = cell;
    this.handler.drag?.(pressed.cell, cell);
  }

  up(event) {
    const { pressed, drag } = this;
    this.release();
    if (drag) drag.drop();
    else if (pressed?.waits && this.cellOf(event) === pressed.cell) this.press(pressed.cell);
    else if (pressed && !pressed.waits) this.handler.drop?.(pressed.cell, this.cellOf(event));
  }

  release() {
    this.pressed = null;
    this.drag = null;
    this.root.classList.remove('dragging');
  }

  /** The pointer is taken away, for example to scroll. */
  lose() {
    this.release();
    this.untween();
  }

  /** Shows that a move is refused. */
  refuse() {
    const { classList } = this.root;
    classList.remove('refused');
    // The animation begins anew.
    void this.root.offsetWidth;
    classList.add('refused');
  }

  key(event) {
    if (!this.scene || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.handler.key?.(event.key)) {
      event.preventDefault();
      return;
    }
    if (!this.handler.hasCursor) return;
    if (event.key.startsWith('Arrow')) {
      this.cursor = this.module.beside(this.board, this.cursor, event.key);
      this.refreshMarks();
      this.tell();
      event.preventDefault();
    }
  }
}
