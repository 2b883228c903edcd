// The link: board and settings in the fragment of the URL, which browsers do not send to a server. Boards and views are
// entries of the history, so that the browser's Back returns to them.

/** The most characters of a link; some programs cut off longer ones. */
const MOST_LENGTH = 8000;

const KEYS = [
  'view', 'puzzle', 'text', 'state', 'lesson', 'step', 'run',
  'algorithm', 'heuristic', 'algorithm1', 'heuristic1', 'algorithm2', 'heuristic2',
];

/** The values of the current entry of the history, or of the fragment. */
export function read() {
  if (history.state?.values) return history.state.values;
  const parameters = new URLSearchParams(location.hash.slice(1));
  const link = {};
  for (const key of KEYS) if (parameters.has(key)) link[key] = parameters.get(key);
  try {
    if (link.state) link.state = JSON.parse(link.state);
  } catch {
    delete link.state;
  }
  return link;
}

/** The fragment for some values. */
export function fragment(values) {
  const parameters = new URLSearchParams();
  for (const key of KEYS) {
    const value = values[key];
    if (value) parameters.set(key, key === 'state' ? JSON.stringify(value) : value);
  }
  return `#${parameters}`;
}

/**
 * Writes the values into the history: a new entry, or the current one. A board that is too long for the fragment is
 * only in the entry.
 */
export function write(values, isNew) {
  const hash = fragment(values);
  const address = hash.length > MOST_LENGTH ? location.pathname : hash;
  const known = JSON.stringify(values);
  if (history.state?.values && JSON.stringify(history.state.values) === known) return;
  const change = isNew && history.state?.values ? 'pushState' : 'replaceState';
  try {
    history[change]({ values: JSON.parse(known) }, '', address);
  } catch {
    history[change](null, '', address);
  }
}
