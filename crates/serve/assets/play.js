// The play mode: moves by the rules, counted against the optimum, with hints.

import { api, isAbort } from './api.js';
import { announce, el, setEnabled } from './dom.js';
import { t } from './language.js';
import { Score } from './score.js';

/** The most seconds of the search for the optimum. */
const OPTIMUM_TIME = 30;
const QUIET = { progress() {} };

export class Play {
  constructor(store, widget) {
    this.store = store;
    this.widget = widget;
    this.score = new Score(store);
    this.note = el('p', { class: 'note', role: 'status' });
    this.undoButton = el('button', { type: 'button', onclick: () => this.undo() }, 'Undo');
    this.restartButton = el('button', { type: 'button', onclick: () => this.begin() }, 'Start again');
    this.hintButton = el('button', { type: 'button', onclick: () => this.hint() }, 'Hint');
    this.shareButton = el('button', { type: 'button', hidden: true, onclick: () => this.share() }, 'Share the result');
    this.moves = el('div', { class: 'buttons', hidden: true });
    this.root = el(
      'div',
      { class: 'mode-panel play-panel' },
      el('div', { class: 'play-bar' }, this.score.root,
        el('div', { class: 'buttons' }, this.undoButton, this.restartButton, this.hintButton, this.shareButton)),
      this.moves,
      this.note,
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
      holds: (cell) => Boolean(this.store.module.holds?.(this.store.board, this.now.state, cell)),
      ways: (cell) => this.ways(cell),
      make: (way, from) => this.make(way.action, { from, held: way.cell }),
      key: (key) => this.key(key),
    };
  }

  /** Starts at the start of the current board. */
  begin() {
    const { state, moves, solved, module } = this.store;
    this.history = [{ state, moves, solved }];
    this.picked = null;
    this.pointed = [];
    this.say('');
    this.widget.show(state);
    this.score.begin();
    this.show();
    this.findOptimum();
  }

  /** Says something, or how to play. */
  say(text) {
    this.note.textContent = t(text || this.store.module.playText);
    this.note.classList.toggle('help', !text);
    this.note.classList.remove('refusal');
    this.shareButton.hidden = true;
  }

  /** Searches for the optimum, once for each board. */
  async findOptimum() {
    const { text, start } = this.store;
    if (this.known?.text === text && this.known.start === start) return;
    this.cancel();
    this.known = { text, start };
    this.score.forget();
    this.search = new AbortController();
    const { signal } = this.search;
    try {
      const request = { board: this.store.request(), search: { time_limit: OPTIMUM_TIME } };
      this.score.found(await api.solve(request, { signal, on: QUIET }));
    } catch (error) {
      this.known = null;
      if (!isAbort(error)) this.score.found(null);
    }
  }

  cancel() {
    this.search?.abort();
    this.search = null;
    this.hinting?.abort();
    this.hinting = null;
  }

  leave() {
    if (this.score.least === null) this.known = null;
    this.cancel();
  }

  get now() {
    return this.history[this.history.length - 1];
  }

  show() {
    const moves = this.history.length - 1;
    this.score.show(this.history);
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

  /** The legal moves of what lies in a cell, for dragging it. */
  ways(cell) {
    const { module, board } = this.store;
    const { state, moves } = this.now;
    const way = (move) => ({ ...move, ...module.dragOf(board, state, move.action, cell) });
    return (moves ?? []).map(way).filter(({ vector }) => vector);
  }

  /** Makes a legal move, of which the part `from` is drawn already. A piece that is dragged is now `held`. */
  async make(action, { from = 0, held = null } = {}) {
    const move = this.now.moves.find((candidate) => candidate.action === action);
    const position = { action, state: move.state, moves: null, solved: false };
    position.known = this.look(position);
    this.history.push(position);
    this.pointed = [];
    if (held) {
      this.picked = null;
      // The pointer may have gone on meanwhile.
      position.known.then(() => this.widget.drag?.move(this.widget.drag.point));
    }
    this.say('');
    this.show();
    const time = this.store.module.moveTime ?? 170;
    const shown = from < 1 ? this.widget.animate(action, move.state, time, { from }) : this.widget.show(move.state);
    await Promise.all([shown, position.known]);
    if (this.now !== position) return;
    this.show();
    announce(`${action} ${this.store.module.stateText(move.state)}`);
    if (position.solved) this.celebrate();
  }

  /** Asks the server for the moves of a position. */
  async look(position) {
    try {
      const { moves, solved } = await api.open(this.store.request(position.state));
      Object.assign(position, { moves, solved });
    } catch (error) {
      this.say(error.message);
    }
  }

  /** Says why a move is not possible. */
  refuse(action, cell = null) {
    const { module, board } = this.store;
    const why = module.whyNot?.(board, this.now.state, action, cell) ?? 'That is not possible.';
    this.say(why);
    this.note.classList.add('refusal');
    this.widget.refuse();
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
        this.refuse(action);
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
    const result = this.score.finish();
    this.say(result);
    this.shareButton.hidden = false;
    this.result = result;
    this.store.tell('did', { kind: 'game', moves: this.history.length - 1 });
  }

  /** Hands the result and the link to the board to whatever shares texts, or to the clipboard. */
  async share() {
    const { module, name } = this.store;
    const text = `${t(module.title)}${name === 'board' ? '' : ` (${t(name)})`}: ${this.result} ${location.href}`;
    try {
      if (navigator.share) await navigator.share({ text });
      else await navigator.clipboard.writeText(text);
      this.note.textContent = `${this.result} ${navigator.share ? '' : t('The result is in the clipboard.')}`;
    } catch (error) {
      if (!isAbort(error)) this.note.textContent = text;
    }
  }

  undo() {
    if (this.history.length < 2) return;
    this.history.pop();
    this.picked = null;
    this.pointed = [];
    this.say('');
    this.widget.show(this.now.state);
    this.show();
  }

  async hint() {
    this.hinting?.abort();
    this.hinting = new AbortController();
    const { signal } = this.hinting;
    const position = this.now;
    this.say('Looking for the best move…');
    try {
      const request = { board: this.store.request(position.state) };
      const answer = await api.solve(request, { signal, on: QUIET });
      if (this.now !== position) return;
      if (answer.outcome === 'unsolvable') this.say('No solution from here: undo.');
      else if (answer.outcome !== 'solved') this.say('No hint: the search took too long.');
      else if (answer.cost === 0) this.say('It is solved.');
      else this.point(answer);
    } catch (error) {
      if (!isAbort(error)) this.say(error.message);
    }
  }

  /** Shows the first action of an answer. */
  point({ actions: [action], cost, guarantee }) {
    const { module, board } = this.store;
    const to = guarantee === 'optimal' ? 'Best: {action} ({cost} to go)' : 'Try: {action} ({cost} to go this way)';
    this.say(t(to, { action, cost }));
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

  async press(cell) {
    const { module, board } = this.store;
    const { now } = this;
    // The moves from here may be on their way.
    if (!now.moves) await now.known;
    if (this.now !== now) return;
    if (module.movesAtOnce) {
      const action = module.action(board, this.now.state, cell, null);
      if (!this.tryAction(cell, null)) this.refuse(action, cell);
      return;
    }
    // A second press chooses the target.
    if (this.picked && !module.follow) {
      if (this.tryAction(this.picked, cell)) return;
      const isPiece = module.holds?.(board, this.now.state, cell);
      if (!isPiece && cell !== this.picked) this.refuse(module.action(board, this.now.state, this.picked, cell), cell);
    }
    this.picked = module.holds && !module.holds(board, this.now.state, cell) ? null : cell;
    this.show();
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
        this.press(cursor);
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
