// The shared state of the views: the current board, and the search options.

import { api } from './api.js';
import { PUZZLES } from './content.js';
import { addTexts } from './language.js';
import { textModule } from './text.js';

/**
 * The default options: the puzzle's advice for a search, and two searches to watch, with the strongest heuristic and
 * without one.
 */
export const CHOICES = {
  algorithm: '', heuristic: '', algorithm1: 'astar', heuristic1: '', algorithm2: 'astar', heuristic2: 'zero',
};

/** The most edits that can be undone. */
const MOST_UNDONE = 500;

/** Sends the events `board` for a new board, `checked` after an edit, `settings` for new options, and `problem`. */
export class Store extends EventTarget {
  constructor(catalogue) {
    super();
    this.catalogue = catalogue;
    Object.assign(this, CHOICES);
    this.turn = 0;
    // The module of each puzzle, which draws its boards; a puzzle without one is shown as text.
    const module = (card) => PUZZLES[card.name] ?? textModule(card, this);
    this.modules = Object.fromEntries(catalogue.puzzles.map((card) => [card.name, module(card)]));
    for (const { texts } of Object.values(this.modules)) addTexts(texts);
  }

  get card() {
    return this.catalogue.puzzles.find((card) => card.name === this.puzzle);
  }

  tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** The board for a request, at its start or at another state. */
  request(state = this.start) {
    const request = { text: this.text, name: this.name, puzzle: this.puzzle };
    return state ? { ...request, state } : request;
  }

  /**
   * Opens a text; the server recognises its puzzle if none is given. `state` replaces the start. Returns whether the
   * text could be read.
   */
  async open({ text, puzzle, name = 'board', state = null }) {
    this.turn += 1;
    const { turn } = this;
    this.tried = { text, name };
    try {
      const plain = await api.open({ text, name, puzzle });
      const opened = state ? await api.open({ text, name, puzzle: plain.puzzle, state }) : plain;
      if (turn !== this.turn) return false;
      const isOther = this.puzzle !== plain.puzzle;
      Object.assign(this, { text, name, puzzle: plain.puzzle, board: plain.board, start: state });
      Object.assign(this, { module: this.modules[plain.puzzle], drawing: opened.drawing, valid: true });
      Object.assign(this, { state: opened.state, moves: opened.moves, solved: opened.solved, lacks: opened.lacks });
      [this.past, this.future] = [[], []];
      // Another puzzle has other heuristics.
      for (const key of ['heuristic', 'heuristic1', 'heuristic2']) {
        if (isOther || this.lacks[this[key]]) this[key] = CHOICES[key];
      }
      this.tell('problem', null);
      this.tell('board', { isOther });
      return true;
    } catch (error) {
      if (turn === this.turn) this.tell('problem', error);
      return false;
    }
  }

  /** Changes the board at once, then has the server check it. */
  async edit(next, { keepScene = false } = {}) {
    this.past = [...this.past.slice(1 - MOST_UNDONE), { board: this.board, state: this.state }];
    this.future = [];
    await this.change(next, keepScene);
  }

  /** Takes the last edit back. */
  undo() {
    if (this.past.length === 0) return;
    this.future.push({ board: this.board, state: this.state });
    this.change(this.past.pop());
  }

  /** Makes the last undone edit again. */
  redo() {
    if (this.future.length === 0) return;
    this.past.push({ board: this.board, state: this.state });
    this.change(this.future.pop());
  }

  async change({ board, state }, keepScene = false) {
    const { module, puzzle, name } = this;
    this.turn += 1;
    const { turn } = this;
    Object.assign(this, { board, state, text: module.toText(board, state), start: null, moves: [], valid: false });
    this.tell('board', { isEdit: true, keepScene });
    try {
      const { moves, solved, lacks } = await api.open({ text: this.text, name, puzzle });
      if (turn !== this.turn) return;
      Object.assign(this, { moves, solved, lacks, valid: true });
      this.tell('problem', null);
      this.tell('checked');
    } catch (error) {
      if (turn !== this.turn) return;
      this.tell('problem', error);
      this.tell('checked');
    }
  }

  /** Changes search options. */
  set(settings) {
    Object.assign(this, settings);
    this.tell('settings');
  }
}
