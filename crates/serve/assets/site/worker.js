// A worker of the static site: an instance of the engine, which answers one request after the other.
//
// The first message has the compiled module, every other one a request `{ path, body }`. The answers are the events
// `{ name, text }` of the request, and at the end `{ bytes, failed }`: the size of the memory, and whether the engine
// has failed.

const decoder = new TextDecoder();
const encoder = new TextEncoder();
let engine;

const bytesAt = (at, length) => new Uint8Array(engine.memory.buffer, at, length);
const textAt = (at, length) => decoder.decode(bytesAt(at, length));

/** What the engine asks of the page. */
const page = {
  now: () => performance.timeOrigin + performance.now(),
  random: () => Math.random(),
  send: (name, nameLength, text, textLength) => {
    postMessage({ name: textAt(name, nameLength), text: textAt(text, textLength) });
  },
};

function answer({ path, body }) {
  const [name, rest] = [path, body].map((text) => encoder.encode(text));
  const at = engine.reserve(name.length + rest.length);
  bytesAt(at, name.length).set(name);
  bytesAt(at + name.length, rest.length).set(rest);
  engine.answer(name.length);
}

onmessage = ({ data }) => {
  if (data.module) {
    engine = new WebAssembly.Instance(data.module, { page }).exports;
    return;
  }
  let failed = false;
  try {
    answer(data);
  } catch {
    // The engine ends with a trap where its memory does, and where it has a fault.
    failed = true;
  }
  postMessage({ bytes: engine.memory.buffer.byteLength, failed });
};
