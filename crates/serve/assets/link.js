// The link: board and settings in the fragment of the address, which never leaves the browser.

/** Longer boards make links that some programs cut off. */
const MOST = 8000;

const KEYS = ['view', 'puzzle', 'text', 'state', 'algorithm', 'heuristic', 'algorithm1', 'heuristic1', 'algorithm2', 'heuristic2'];

/** What the address says. */
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

/** Puts board and settings into the address; false if the board is too large for that. */
export function write(values) {
  const parameters = new URLSearchParams();
  for (const key of KEYS) {
    const value = values[key];
    if (value) parameters.set(key, key === 'state' ? JSON.stringify(value) : value);
  }
  const hash = `#${parameters}`;
  if (hash.length > MOST) {
    history.replaceState(null, '', location.pathname);
    return false;
  }
  if (hash !== location.hash) history.replaceState(null, '', hash);
  return true;
}
