// The module of puzzles that have none: boards are the text drawings of the server, and moves are buttons.

import { api } from './api.js';
import { el } from './dom.js';

/** The text drawing of a state. Requests for missing ones go one at a time, always for the latest state. */
class TextScene {
  constructor(store, lines) {
    this.store = store;
    this.lines = lines;
    this.root = el('pre', { class: 'board text-board' });
    this.size = [3, 2];
  }

  show(state) {
    this.wanted = null;
    if (this.lines) this.root.textContent = this.lines.join('\n');
    else if (state === this.store.state) this.root.textContent = this.store.drawing;
    else this.ask(state);
  }

  async ask(state) {
    this.wanted = state;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.wanted) {
      const asked = this.wanted;
      const answer = await api.open(this.store.request(asked)).catch((error) => ({ drawing: error.message }));
      // Meanwhile another state may have been shown.
      if (this.wanted === asked) {
        this.root.textContent = answer.drawing;
        this.wanted = null;
      }
    }
    this.isAsking = false;
  }

  tween() {}

  mark() {}

  heat() {}
}

export const textModule = (card, store) => ({
  name: card.name,
  title: card.name,
  goalText: () => card.summary,
  playText: 'Each button makes a move.',
  listsMoves: true,
  levels: { easy: {}, medium: {}, hard: {} },
  scene: (_board, lines) => new TextScene(store, lines),
  dimensions: () => [1, 1],
  /** Only the text of the current board is known. */
  toText: (board) => (JSON.stringify(board) === JSON.stringify(store.board) ? store.text : null),
  keepsState: true,
  firstCell: () => null,
  beside: (_board, cell) => cell,
  describe: () => '',
  stateText: () => '',
  tools: [],
  choices: () => [],
  arrowAction: () => null,
  action: () => null,
  movesAtOnce: true,
  cellsOf: () => [],
});
