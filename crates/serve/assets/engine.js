// The engine of a page that `admissible serve` serves: requests to its API, jobs as server-sent events.

import { t } from './language.js';
import { Refusal } from './refusal.js';

/** The status of a request for which no job is free, the most further tries, and the milliseconds before one. */
const [BUSY, MOST_TRIES, TRY_PAUSE] = [503, 4, 150];

/** What helps where a search is too large for this engine: the page knows of nothing larger. */
export const TOO_LARGE = '';

async function send(path, body, signal) {
  const request = body === undefined
    ? { signal }
    : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal };
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(path, request).catch((error) => {
      if (error.name === 'AbortError') throw error;
      throw new Refusal({ message: t('The server does not answer. Is it still running?') });
    });
    if (response.ok) return response;
    // While no job is free, for example because one has just been cancelled, tries again.
    if (response.status !== BUSY || tries >= MOST_TRIES) {
      const answer = await response.json().catch(() => ({}));
      throw new Refusal(answer.error);
    }
    await new Promise((done) => { setTimeout(done, TRY_PAUSE); });
    signal?.throwIfAborted();
  }
}

/** Sends a request and returns its JSON answer. */
export async function ask(path, body, signal) {
  const answer = await (await send(path, body, signal)).json();
  if (answer.error) throw new Refusal(answer.error);
  return answer;
}

/**
 * Starts a job and returns the data of its last event. `on` has a handler for each earlier kind of event. Aborting the
 * signal ends the job.
 */
export async function run(path, body, { signal, on = {} } = {}) {
  const response = await send(path, body, signal);
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
      if (name === 'error') throw new Refusal(data.error);
      if (name in on) on[name](data);
      else if (name) final = data;
    }
  }
  if (final === undefined) throw new Refusal();
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
