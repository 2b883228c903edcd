// What the page asks for, in one interface. The engine that answers is chosen when the page is put together: the server
// of the program (`engine.js`), or workers in the browser (`site/engine.js`).
//
// A job takes `{ signal, on }`: aborting the signal ends it, and `on` has a handler for each kind of event before the
// last one, whose data is the result.

import { ask, run } from './engine.js';

/** The engine behind the page. */
export const api = {
  /** The puzzles with their heuristics, examples and parameters, the algorithms, and the limits. */
  puzzles: () => ask('/api/puzzles'),
  /** Reads a board `{ text, name, puzzle, state }`: its state and the moves from there. */
  open: (board, signal) => ask('/api/open', board, signal),
  /** A random board `{ text, seed }` of a puzzle and its parameters. */
  generate: (wish, signal) => ask('/api/generate', wish, signal),
  /** Solves `{ board, search }`. */
  solve: (request, job) => run('/api/solve', request, job),
  /** Every visited state of a search in order, as events `lines`. */
  trace: (request, job) => run('/api/trace', request, job),
  /** A search in frames, as events `frames`. */
  watch: (request, job) => run('/api/watch', request, job),
  /** Compares `heuristics` and `algorithms` on a board. */
  compare: (request, job) => run('/api/compare', request, job),
  /** Audits `heuristics` on the states of a board or of the puzzle. */
  audit: (request, job) => run('/api/audit', request, job),
  /** Explains `heuristics` on a board. */
  explain: (request, job) => run('/api/explain', request, job),
};

/** Whether a job ended because its signal was aborted. */
export const isAbort = (error) => error.name === 'AbortError';
