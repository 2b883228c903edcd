// What the page asks for, in one interface. The server of the program answers; another engine has the same methods.
//
// A job takes `{ signal, on }`: aborting the signal ends it, and `on` has a handler for each kind of event before the
// last one, whose data is the result.

/** The status of a request for which no job is free, the most further tries, and the milliseconds before one. */
const [BUSY, MOST_TRIES, TRY_PAUSE] = [503, 4, 150];

/** A refused request, with the reason. */
export class Refusal extends Error {
  constructor(body, status) {
    super(body?.message ?? `The server answered with ${status}.`);
    this.body = body ?? {};
    this.status = status;
  }
}

async function send(path, body, signal) {
  const request = body === undefined
    ? { signal }
    : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal };
  let response;
  try {
    response = await fetch(path, request);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal({ message: 'The server does not answer. Is it still running?' }, 0);
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Refusal(answer.error, response.status);
}

/** Sends a request for a job; while none is free, for example because one has just been cancelled, tries again. */
async function sendPatiently(path, body, signal) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send(path, body, signal);
    } catch (error) {
      if (error.status !== BUSY || tries >= MOST_TRIES) throw error;
      await new Promise((done) => { setTimeout(done, TRY_PAUSE); });
      signal?.throwIfAborted();
    }
  }
}

/** Sends a request and returns its JSON answer. */
async function ask(path, body, signal) {
  const answer = await (await send(path, body, signal)).json();
  if (answer.error) throw new Refusal(answer.error, 200);
  return answer;
}

/**
 * Starts a job and returns the data of its last event. `on` has a handler for each earlier kind of event. Aborting the
 * signal ends the job on the server.
 */
async function run(path, body, { signal, on = {} } = {}) {
  const response = await sendPatiently(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let final;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events) {
      const [name, data] = parse(event);
      if (name === 'error') throw new Refusal(data.error, 200);
      if (name in on) on[name](data);
      else if (name) final = data;
    }
  }
  if (final === undefined) throw new Refusal({ message: 'The server ended the job without an answer.' }, 200);
  return final;
}

function parse(event) {
  let name = '';
  let data = '';
  for (const line of event.split('\n')) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data += line.slice(6);
  }
  // A keep-alive comment has neither.
  return name ? [name, JSON.parse(data)] : ['', null];
}

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

export const isAbort = (error) => error.name === 'AbortError';
