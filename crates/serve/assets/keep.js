// What the browser keeps: choices and best results. Where it keeps nothing, the page goes on without.

const PREFIX = 'admissible.';

/** The kept value of a name, or `fallback`. */
export function kept(name, fallback = null) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** Keeps a value under a name. */
export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or forbidden store is no reason to stop.
  }
}
