// The play mode: moves by the rules, counted against the optimum, with hints.

import { ask, isAbort, run } from './api.js';
import { announce, el, setEnabled } from './dom.js';

export class Play {
  constructor(store, widget) {
    this.store = store;
    this.widget = widget;
    this.count = el('strong', { class: 'moves' }, '0');
    this.optimum = el('strong', {}, '…');
    this.note = el('p', { class: 'note', role: 'status' });
    this.undoButton = el('button', { type: 'button', onclick: () => this.undo() }, 'Undo');
    this.restartButton = el('button', { type: 'button', onclick: () => this.begin() }, 'Start again');
    this.hintButton = el('button', { type: 'button', onclick: () => this.hint() }, 'Hint');
    this.moves = el('div', { class: 'buttons', hidden: true });
    this.help = el('p', { class: 'help' });
    this.root = el(
      'div',
      { class: 'mode-panel play-panel' },
      el('p', { class: 'score' }, 'Moves ', this.count, el('span', { class: 'of' }, ' shortest '), this.optimum),
      el('div', { class: 'buttons' }, this.undoButton, this.restartButton, this.hintButton),
      this.moves,
      this.note,
      this.help,
    );
  }

  /** Whether the arrow keys choose a cell. In most puzzles whose moves take one press, they make the moves instead. */
  get hasCursor() {
    const { module } = this.store;
    return module.hasCursor ?? !module.movesAtOnce;
  }

  handler() {
    return {
      hasCursor: this.hasCursor,
      press: (cell) => this.press(cell),
      drag: (from, cell) => this.drag(from, cell),
      drop: (from, cell) => this.drop(from, cell),
      key: (key) => this.key(key),
    };
  }

  /** Starts at the start of the current board. */
  begin() {
    const { state, moves, solved, module } = this.store;
    this.history = [{ state, moves, solved }];
    this.picked = null;
    this.pointed = [];
    this.help.textContent = module.playText;
    this.note.textContent = '';
    this.widget.show(state);
    this.show();
    this.findOptimum();
  }

  /** Searches for the optimum, once for each board. */
  async findOptimum() {
    const { text, start } = this.store;
    if (this.known?.text === text && this.known.start === start) return;
    this.cancel();
    this.known = { text, start };
    this.optimum.textContent = '…';
    this.search = new AbortController();
    const { signal } = this.search;
    try {
      const answer = await run('/api/solve', { board: this.store.request() }, { signal, on: { progress() {} } });
      const optimal = answer.outcome === 'solved' && answer.guarantee === 'optimal';
      this.optimum.textContent = optimal ? String(answer.cost) : answer.outcome === 'unsolvable' ? 'none' : 'unknown';
    } catch (error) {
      this.known = null;
      if (!isAbort(error)) this.optimum.textContent = 'unknown';
    }
  }

  cancel() {
    this.search?.abort();
    this.search = null;
    this.hinting?.abort();
    this.hinting = null;
  }

  leave() {
    if (this.optimum.textContent === '…') this.known = null;
    this.cancel();
  }

  get now() {
    return this.history[this.history.length - 1];
  }

  show() {
    const moves = this.history.length - 1;
    this.count.textContent = String(moves);
    setEnabled(this.undoButton, moves > 0);
    setEnabled(this.restartButton, moves > 0);
    setEnabled(this.hintButton, !this.now.solved);
    const listed = this.store.module.listsMoves ? this.now.moves ?? [] : [];
    this.moves.hidden = listed.length === 0;
    this.moves.replaceChildren(...listed.map(({ action }) =>
      el('button', { type: 'button', onclick: () => this.make(action) }, action)));
    const marks = this.picked ? { picked: [this.picked], target: this.targets() } : {};
    this.widget.mark({ ...marks, hint: this.pointed });
  }

  /** The targets of the picked piece. */
  targets() {
    if (this.store.module.follow) return [];
    const named = (this.now.moves ?? []).map(({ action }) => [...action.matchAll(/\((-?\d+), (-?\d+)\)/g)]);
    const cell = (match) => `${match[1]},${match[2]}`;
    return named.filter(([from, to]) => to && cell(from) === this.picked).map(([, to]) => cell(to));
  }

  /** Makes a legal move. */
  async make(action) {
    const move = this.now.moves.find((candidate) => candidate.action === action);
    const position = { state: move.state, moves: null, solved: false };
    position.known = this.look(position);
    this.history.push(position);
    this.pointed = [];
    this.note.textContent = '';
    this.show();
    await Promise.all([this.widget.animate(action, move.state, this.store.module.moveTime ?? 170), position.known]);
    if (this.now !== position) return;
    this.show();
    announce(`${action} ${this.store.module.stateText(move.state)}`);
    if (position.solved) this.celebrate();
  }

  /** Asks the server for the moves of a position. */
  async look(position) {
    try {
      const { moves, solved } = await ask('/api/open', this.store.request(position.state));
      Object.assign(position, { moves, solved });
    } catch (error) {
      this.note.textContent = error.message;
    }
  }

  isPossible(action) {
    return Boolean(this.now.moves?.some((move) => move.action === action));
  }

  /** Queues a move by an arrow key, so that fast keystrokes are made one after the other. */
  steer(key) {
    const { module, board } = this.store;
    const { history } = this;
    this.steering = Promise.resolve(this.steering).then(async () => {
      await this.now.known;
      // The game was restarted meanwhile.
      if (this.history !== history) return;
      const action = module.arrowAction(board, this.now.state, this.picked, key);
      if (!this.isPossible(action)) {
        announce('That is not possible.');
        return;
      }
      if (module.follow) {
        this.picked = module.follow(this.picked, action);
        this.widget.cursor = this.picked;
      }
      this.make(action);
    });
  }

  celebrate() {
    const moves = this.history.length - 1;
    const best = Number(this.optimum.textContent);
    const how = Number.isNaN(best) ? '' : moves === best ? ', which is optimal' : `; ${best} would do`;
    this.note.textContent = `Solved in ${moves} ${moves === 1 ? 'move' : 'moves'}${how}.`;
  }

  undo() {
    if (this.history.length < 2) return;
    this.history.pop();
    this.picked = null;
    this.pointed = [];
    this.note.textContent = '';
    this.widget.show(this.now.state);
    this.show();
  }

  async hint() {
    this.hinting?.abort();
    this.hinting = new AbortController();
    const { signal } = this.hinting;
    const position = this.now;
    this.note.textContent = 'Looking for the best move…';
    try {
      const request = { board: this.store.request(position.state) };
      const answer = await run('/api/solve', request, { signal, on: { progress() {} } });
      if (this.now !== position) return;
      if (answer.outcome === 'unsolvable') this.note.textContent = 'No solution from here: undo.';
      else if (answer.outcome !== 'solved') this.note.textContent = 'No hint: the search took too long.';
      else if (answer.cost === 0) this.note.textContent = 'It is solved.';
      else this.point(answer);
    } catch (error) {
      if (!isAbort(error)) this.note.textContent = error.message;
    }
  }

  /** Shows the first action of an answer. */
  point({ actions: [action], cost, guarantee }) {
    const { module, board } = this.store;
    this.note.textContent = `Best: ${action} (${cost} to go${guarantee === 'optimal' ? '' : ' this way'})`;
    this.pointed = module.cellsOf(board, this.now.state, action);
    this.show();
  }

  tryAction(from, to) {
    const { module, board } = this.store;
    const action = module.action(board, this.now.state, from, to);
    if (!action || !this.isPossible(action)) return false;
    const following = module.follow?.(from, action);
    this.picked = following && this.picked ? following : null;
    this.make(action);
    return following ?? true;
  }

  press(cell) {
    const { module } = this.store;
    if (module.movesAtOnce) {
      this.tryAction(cell, null);
      return;
    }
    this.grip = cell;
    // A second press chooses the target.
    if (this.picked && !module.follow && this.tryAction(this.picked, cell)) return;
    this.picked = cell;
    this.show();
  }

  drag(from, cell) {
    const { module } = this.store;
    if (!module.follow) return;
    const gone = this.tryAction(this.grip ?? from, cell);
    if (typeof gone === 'string') this.grip = gone;
  }

  drop(from, cell) {
    const { module } = this.store;
    if (module.movesAtOnce || module.follow || !cell || cell === from) return;
    this.tryAction(from, cell);
  }

  key(key) {
    const { module, board } = this.store;
    if (key.startsWith('Arrow')) {
      if (!module.arrowAction(board, this.now.state, this.picked, key)) return false;
      this.steer(key);
      return true;
    }
    if (key === 'Enter' || key === ' ') {
      if (!this.hasCursor) return false;
      const { cursor } = this.widget;
      if (module.movesAtOnce) {
        if (!this.tryAction(cursor, null)) announce('That is not possible.');
        return true;
      }
      if (this.picked && module.follow) this.picked = null;
      else if (!(this.picked && this.tryAction(this.picked, cursor))) this.picked = cursor;
      announce(this.picked ? `Picked: ${module.describe(board, this.now.state, cursor)}` : 'Let go.');
      this.show();
      return true;
    }
    if (key === 'Escape') {
      this.picked = null;
      this.show();
      return true;
    }
    if (key === 'u' || key === 'Backspace') this.undo();
    else if (key === 'h') this.hint();
    else return false;
    return true;
  }
}
