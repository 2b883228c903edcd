// The link: board and settings in the fragment of the URL, which browsers do not send to a server.

/** The most characters of a link; some programs cut off longer ones. */
const MOST_LENGTH = 8000;

const KEYS = [
  'view', 'puzzle', 'text', 'state',
  'algorithm', 'heuristic', 'algorithm1', 'heuristic1', 'algorithm2', 'heuristic2',
];

/** The values in the fragment. */
export function read() {
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

/** Writes the values into the fragment; false if they are too long. */
export function write(values) {
  const parameters = new URLSearchParams();
  for (const key of KEYS) {
    const value = values[key];
    if (value) parameters.set(key, key === 'state' ? JSON.stringify(value) : value);
  }
  const hash = `#${parameters}`;
  if (hash.length > MOST_LENGTH) {
    history.replaceState(null, '', location.pathname);
    return false;
  }
  if (hash !== location.hash) history.replaceState(null, '', hash);
  return true;
}
