// The board widget: drawing, animation, and input by mouse and keyboard, which it passes to a handler.

import { announce, el, isStill } from './dom.js';

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
    this.root.addEventListener('pointercancel', () => { this.pressed = null; });
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
  }

  /** Animates an action; resolves at its end. An earlier animation is finished at once. */
  animate(action, after, milliseconds) {
    this.finish();
    const before = this.state;
    this.state = after;
    const duration = isStill() ? 0 : milliseconds;
    this.scene.mark({});
    return new Promise((done) => {
      let begin;
      const end = () => {
        cancelAnimationFrame(this.frame);
        this.ending = null;
        this.scene.show(after);
        this.refreshMarks();
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
        this.scene.tween(before, after, action, share * share * (3 - 2 * share));
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

  cellOf(event) {
    const matrix = this.scene.root.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return this.scene.cellAt(point.x, point.y);
  }

  down(event) {
    if (event.button !== 0 || !this.scene?.cellAt || !this.handler.press) return;
    const cell = this.cellOf(event);
    if (!cell) return;
    this.root.setPointerCapture(event.pointerId);
    this.pressed = cell;
    this.last = cell;
    this.cursor = cell;
    this.handler.press(cell);
  }

  move(event) {
    if (!this.pressed) return;
    const cell = this.cellOf(event);
    if (!cell || cell === this.last) return;
    this.last = cell;
    this.handler.drag?.(this.pressed, cell);
  }

  up(event) {
    if (!this.pressed) return;
    const from = this.pressed;
    this.pressed = null;
    this.handler.drop?.(from, this.cellOf(event));
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
