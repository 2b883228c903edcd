// The engine of the static site: WebAssembly in workers of the page. A worker does one job at a time, and is ended when
// its job is cancelled.

import { t } from './language.js';
import { Refusal } from './refusal.js';
import { VERSION } from './version.js';

/** The most workers. */
const MOST_WORKERS = 4;

/** The memory of a worker never shrinks: one with more bytes than this is not used again. */
const MOST_KEPT = 64 * 2 ** 20;

/** A worker with more bytes than this has failed for want of memory. */
const MOST_SMALL = 2 ** 29;

/** What helps where a search is too large for this engine. */
export const TOO_LARGE = ' The program has more time and memory, and all cores: admissible serve.';

const addressOf = (name) => new URL(`${name}?${VERSION}`, import.meta.url);

/** The module, compiled once. */
async function load() {
  const response = await fetch(addressOf('engine.wasm'));
  if (!response.ok) throw new Error(response.statusText);
  // Some servers do not know the type, and then the browser does not compile while it reads.
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

const loading = load();
// Whoever asks first reports a failure.
loading.catch(() => {});

const idle = [];
const waiting = [];
let busy = 0;

/** A worker, once it is this job's turn. */
async function take() {
  if (busy >= MOST_WORKERS) await new Promise((go) => { waiting.push(go); });
  else busy += 1;
  if (idle.length > 0) return idle.pop();
  const module = await loading.catch(() => {
    throw new Refusal({ message: t('The engine could not be loaded.') });
  });
  const worker = new Worker(addressOf('worker.js'));
  worker.postMessage({ module });
  return worker;
}

/** Ends a job's turn; the next one's begins. */
function pass() {
  if (waiting.length > 0) waiting.shift()();
  else busy -= 1;
}

/** Keeps a worker for the next job, unless it has grown. */
function release(worker, bytes) {
  worker.onmessage = null;
  worker.onerror = null;
  if (bytes <= MOST_KEPT) idle.push(worker);
  else worker.terminate();
}

/** Has a worker answer a request; `heard` gets its events. */
function answered(worker, request, signal, heard) {
  return new Promise((resolve, reject) => {
    const fail = (error) => {
      release(worker, Infinity);
      reject(error);
    };
    const abort = () => fail(signal.reason);
    if (signal?.aborted) {
      abort();
      return;
    }
    signal?.addEventListener('abort', abort, { once: true });
    worker.onerror = () => fail(new Refusal({ message: t('The engine could not be loaded.') }));
    worker.onmessage = ({ data: { name, text, bytes, failed } }) => {
      try {
        if (name) {
          heard(name, JSON.parse(text));
          return;
        }
      } catch (error) {
        fail(error);
        return;
      }
      signal?.removeEventListener('abort', abort);
      if (failed) {
        const isFull = bytes > MOST_SMALL;
        const why = isFull ? 'The browser has no more memory for this.' : 'The engine has failed.';
        fail(new Refusal({ message: t(why) + (isFull ? t(TOO_LARGE) : '') }));
        return;
      }
      release(worker, bytes);
      resolve();
    };
    worker.postMessage(request);
  });
}

/**
 * Starts a job and returns the data of its last event. `on` has a handler for each earlier kind of event. Aborting the
 * signal ends the job. A refusal is data with `error`.
 */
export async function run(path, body, { signal, on = {} } = {}) {
  let final;
  try {
    const worker = await take();
    await answered(worker, { path, body: JSON.stringify(body ?? null) }, signal, (name, data) => {
      if (name in on) on[name](data);
      else final = data;
    });
  } finally {
    pass();
  }
  if (!final || final.error) throw new Refusal(final?.error);
  return final;
}

/** Sends a request and returns its answer. */
export const ask = (path, body, signal) => run(path, body, { signal });

// Once all files are there, the page needs no network.
navigator.serviceWorker?.register('offline.js').catch(() => {});
