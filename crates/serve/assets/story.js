// The visits of a small search in order, and the search tree and the open list at any moment of it.

/** The most visits of a search whose tree is kept. */
export const MOST_VISITS = 5000;
/** How far ahead the next states of the open list are looked for. */
const AHEAD = 3000;

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Story {
  /** `lines` are the visits of a trace; `solution` are the states of the solution, if there is one. */
  constructor(lines, solution = []) {
    this.lines = lines;
    this.onWay = new Set(solution.map((state) => JSON.stringify(state)));
    this.breaks = this.findBreaks();
    this.rewind();
  }

  rewind() {
    this.at = 0;
    this.nodes = new Map();
    this.roots = [];
    this.current = null;
  }

  get length() {
    return this.lines.length;
  }

  /** Goes to the moment after so many visits. */
  goTo(visits) {
    const to = Math.min(visits, this.lines.length);
    if (to < this.at) this.rewind();
    while (this.at < to) this.visit(this.lines[this.at]);
  }

  visit(line) {
    // IDA* begins again at the start with each new bound; only the last tree is kept.
    if (line.parent === null && this.nodes.has(line.id) && !line.backward) {
      this.nodes.clear();
      this.roots = [];
    }
    const known = this.nodes.get(line.id);
    const parent = line.parent === null ? null : this.nodes.get(line.parent) ?? null;
    if (known) this.detach(known);
    const [children, times] = [known?.children ?? [], (known?.times ?? 0) + 1];
    const node = { ...line, number: this.at + 1, children, parent, times };
    for (const child of node.children) child.parent = node;
    this.nodes.set(line.id, node);
    (parent ? parent.children : this.roots).push(node);
    this.current = node;
    this.at += 1;
  }

  detach(node) {
    const list = node.parent ? node.parent.children : this.roots;
    const at = list.indexOf(node);
    if (at >= 0) list.splice(at, 1);
  }

  /** Whether a node is on the solution. */
  isOnWay(node) {
    return this.onWay.has(JSON.stringify(node.state));
  }

  /** The states that are open now and will be visited, in the order of their visits. */
  upcoming(most) {
    const found = [];
    const seen = new Set();
    const end = Math.min(this.lines.length, this.at + AHEAD);
    for (let at = this.at; at < end && found.length < most; at += 1) {
      const line = this.lines[at];
      if (line.parent !== null && this.nodes.has(line.parent) && !seen.has(line.id)) found.push(line);
      seen.add(line.id);
    }
    return found;
  }

  /** The visit that a state with this JSON is first expanded at. */
  firstVisit(state) {
    return this.lines.findIndex((line) => same(line.state, state)) + 1;
  }

  /** The visits at which something happens, by kind. */
  findBreaks() {
    const breaks = { rise: [], reopened: [], inconsistent: [], way: [] };
    const last = new Map();
    let most = -Infinity;
    this.lines.forEach((line, at) => {
      const visit = at + 1;
      if (line.f > most) {
        if (at > 0) breaks.rise.push(visit);
        most = line.f;
      }
      const parent = last.get(line.parent);
      if (last.has(line.id)) breaks.reopened.push(visit);
      if (parent && parent.h - line.h > line.g - parent.g + 1e-9) breaks.inconsistent.push(visit);
      if (this.onWay.has(JSON.stringify(line.state))) breaks.way.push(visit);
      last.set(line.id, line);
    });
    return breaks;
  }
}
