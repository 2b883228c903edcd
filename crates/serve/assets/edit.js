// The edit mode: changes a board by mouse and keyboard.

import { announce, el, field, rebuilt, select, setEnabled } from './dom.js';

export class Editor {
  constructor(store, widget) {
    this.store = store;
    this.widget = widget;
    this.root = el('div', { class: 'mode-panel edit-panel' });
    this.undoButton = el('button', { type: 'button', title: 'Ctrl+Z', onclick: () => store.undo() }, 'Undo');
    this.redoButton = el('button', { type: 'button', title: 'Ctrl+Y', onclick: () => store.redo() }, 'Redo');
    addEventListener('keydown', (event) => this.shortcut(event));
  }

  /** Ctrl+Z and Ctrl+Y, wherever the focus is but in a field for text. */
  shortcut(event) {
    const isText = event.target.closest?.('textarea, input[type="text"], input[type="number"]');
    if (isText || !this.root.isConnected || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) this.store.undo();
    else if (key === 'y' || (key === 'z' && event.shiftKey)) this.store.redo();
    else return;
    event.preventDefault();
  }

  refreshUndo() {
    setEnabled(this.undoButton, this.store.past.length > 0);
    setEnabled(this.redoButton, this.store.future.length > 0);
  }

  /** Called for a new board. */
  refresh() {
    const { module, board } = this.store;
    if (module.tools.length === 0) {
      this.root.replaceChildren(el('p', { class: 'help' }, 'To change the board, change its text.'));
      return;
    }
    if (!module.tools.some((tool) => tool.id === this.tool)) this.tool = module.tools[0].id;
    this.held = null;
    const tools = module.tools.map((tool) => el(
      'label',
      { class: 'chip' },
      el('input', {
        type: 'radio', name: 'tool', value: tool.id, checked: tool.id === this.tool,
        onchange: () => this.take(tool),
      }),
      el('span', {}, tool.label, ' ', el('kbd', {}, tool.key)),
    ));
    const choices = module.choices(board).map((choice) => {
      const change = (value) => this.apply(module.choose(this.store.board, this.store.state, choice.id, value));
      if (choice.values) {
        const options = choice.values.map((value) => [value, value]);
        return field(choice.label, select(options, choice.value, change));
      }
      return field(choice.label, el('input', {
        type: 'number', min: choice.min, max: choice.max, value: choice.value,
        onchange: (event) => {
          const value = Math.round(Number(event.target.value));
          const clamped = Math.min(choice.max, Math.max(choice.min, value || choice.min));
          event.target.value = clamped;
          change(clamped);
        },
      }));
    });
    this.refreshUndo();
    // A new board replaces the controls.
    rebuilt(this.root, () => this.root.replaceChildren(
      el('fieldset', { class: 'chips' }, el('legend', {}, 'Tool'), tools),
      el('div', { class: 'choices' }, choices,
        el('div', { class: 'buttons' }, this.undoButton, this.redoButton)),
      el('p', { class: 'help' }, 'Click or drag on the board. With the keyboard: arrow keys move, Enter uses the tool, '
        + 'and the letters use theirs.'),
    ));
  }

  handler() {
    if (this.store.module.tools.length === 0) return {};
    return {
      hasCursor: true,
      press: (cell) => this.use(cell),
      drag: (from, cell) => this.drag(from, cell),
      holds: (cell) => this.holds(cell),
      ways: (cell) => this.ways(cell),
      make: (way, from) => this.makeDragged(way, from),
      key: (key) => this.key(key),
    };
  }

  find(id) {
    return this.store.module.tools.find((tool) => tool.id === id);
  }

  /** Takes another tool and lets go of what the last one held. */
  take(tool) {
    this.tool = tool.id;
    this.held = null;
    this.widget.mark({});
  }

  use(cell) {
    const tool = this.find(this.tool);
    if (tool.slides) this.pick(cell);
    else if (tool.pairs) this.pair(cell);
    else this.apply(this.edited(cell));
  }

  /** The board after the tool is used on a cell. */
  edited(cell) {
    const { module, board, state } = this.store;
    return module.edit(board, state, this.tool, cell);
  }

  drag(from, cell) {
    const tool = this.find(this.tool);
    if (tool.slides) this.slide(this.held ?? from, cell);
    else if (tool.paints) this.apply(this.edited(cell));
  }

  pick(cell) {
    const { module } = this.store;
    this.held = cell;
    if (module.movesAtOnce) this.slide(cell, null);
    else this.widget.mark({ picked: [cell] });
  }

  holds(cell) {
    const { module, board, state } = this.store;
    return Boolean(this.find(this.tool).slides && module.holds?.(board, state, cell));
  }

  /** The legal moves of what lies in a cell, for dragging it. */
  ways(cell) {
    const { module, board, state, moves } = this.store;
    return moves.map((move) => ({ ...move, ...module.dragOf(board, state, move.action, cell) }))
      .filter(({ vector }) => vector);
  }

  /** Makes a move of which a part is drawn already. */
  makeDragged({ action, state }, from) {
    this.held = null;
    const { board, module } = this.store;
    if (from < 1) this.widget.animate(action, state, module.moveTime ?? 140, { from });
    else this.widget.show(state);
    this.store.edit({ board, state }, { keepScene: true });
  }

  /** Moves a piece by the rules. */
  slide(from, to) {
    const { module, board, state, moves } = this.store;
    const action = module.action(board, state, from, to);
    const move = moves.find((candidate) => candidate.action === action);
    if (move) this.make(move, from);
  }

  make(move, from) {
    const { module, board } = this.store;
    if (module.follow && from) this.held = module.follow(from, move.action);
    this.widget.animate(move.action, move.state, module.moveTime ?? 140).then(() => {
      if (this.held && !module.movesAtOnce) this.widget.mark({ picked: [this.held] });
    });
    this.store.edit({ board, state: move.state }, { keepScene: true });
  }

  pair(cell) {
    const { module, board, state } = this.store;
    if (this.held && this.held !== cell) {
      const held = this.held;
      this.held = null;
      this.widget.mark({});
      this.apply(module.edit(board, state, this.tool, held, cell));
      return;
    }
    this.held = cell;
    this.widget.mark({ picked: [cell] });
    announce('Choose the other one.');
  }

  apply(edited) {
    if (edited) this.store.edit(edited);
  }

  key(key) {
    const { module, board, state, moves } = this.store;
    const tool = this.find(this.tool);
    if (key === 'Enter' || key === ' ') {
      if (tool.slides && this.held && !module.movesAtOnce) {
        this.held = null;
        this.widget.mark({});
        announce('Let go.');
      } else {
        this.use(this.widget.cursor);
      }
      return true;
    }
    if (key === 'Escape') {
      this.held = null;
      this.widget.mark({});
      return true;
    }
    if (key.startsWith('Arrow') && tool.slides && this.held && !module.movesAtOnce) {
      const action = module.arrowAction(board, state, this.held, key);
      const move = moves.find((candidate) => candidate.action === action);
      if (move) {
        const from = this.held;
        this.make(move, from);
        this.widget.cursor = this.held;
      } else {
        announce('It cannot go there.');
      }
      return true;
    }
    const named = module.tools.find((candidate) => candidate.key === key.toLowerCase());
    if (!named) return false;
    this.take(named);
    const radio = this.root.querySelector(`input[value="${named.id}"]`);
    if (radio) radio.checked = true;
    if (!named.slides && !named.pairs) {
      this.use(this.widget.cursor);
      this.widget.tell();
    }
    return true;
  }
}
