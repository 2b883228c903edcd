// The search tree, grown as states are expanded. The way to the present state is open; other branches are closed to a
// number until they are opened.

import { el, svg } from './dom.js';
import { t } from './language.js';

/** The size of a drawn state, and the room of a level and of a leaf, in pixels. */
const [SIZE, LEVEL, LEAF] = [34, 58, 44];
/** The most levels of the way and children of a state that are drawn. */
const [MOST_LEVELS, MOST_CHILDREN] = [40, 8];

/** The number of states below a node. */
function sizeOf(node) {
  let count = 0;
  const open = [node];
  while (open.length > 0) {
    count += 1;
    open.push(...open.pop().children);
  }
  return count;
}

export class TreeView {
  /** `look(node)` is called with the node below the pointer, or with null. */
  constructor(look) {
    this.look = look;
    this.drawing = svg('svg', { class: 'tree', 'aria-hidden': 'true' });
    this.info = el('p', { class: 'help', role: 'status' });
    const attributes = { class: 'tree-room', tabindex: 0, role: 'group', 'aria-label': 'Search tree' };
    this.room = el('div', attributes, this.drawing);
    this.root = el('div', {}, this.room, this.info);
    this.room.addEventListener('keydown', (event) => this.key(event));
    this.room.addEventListener('blur', () => this.select(null));
    this.drawing.addEventListener('pointerleave', () => this.select(null));
    this.reset(null);
  }

  /** Begins with the tree of another search. */
  reset(story, module, board) {
    Object.assign(this, { story, module, board, opened: new Set(), thumbs: new Map(), selected: null });
    this.drawing.replaceChildren();
    this.info.textContent = '';
  }

  /** Draws the tree at the present moment. */
  show() {
    if (!this.story?.current) {
      this.drawing.replaceChildren();
      return;
    }
    const way = [];
    for (let node = this.story.current; node && way.length < MOST_LEVELS; node = node.parent) way.unshift(node);
    this.way = new Set(way);
    this.placed = [];
    this.leaves = 0;
    const roots = way[0].parent ? [way[0]] : this.story.roots;
    for (const root of roots) this.place(root, 0, null);
    this.draw();
  }

  place(node, level, above) {
    const item = { node, level, above, below: [] };
    this.placed.push(item);
    const isOpen = this.way.has(node) || this.opened.has(node.id);
    const children = isOpen ? node.children : [];
    // The way is always among the children that are drawn.
    const shown = children.filter((child, at) => at >= children.length - MOST_CHILDREN || this.way.has(child));
    item.hidden = isOpen ? 0 : sizeOf(node) - 1;
    item.below = shown.map((child) => this.place(child, level + 1, item));
    if (item.below.length === 0) {
      item.y = this.leaves * LEAF;
      this.leaves += 1;
    } else {
      item.y = (item.below[0].y + item.below.at(-1).y) / 2;
    }
    return item;
  }

  draw() {
    const { story } = this;
    const levels = Math.max(...this.placed.map(({ level }) => level));
    const [width, height] = [levels * LEVEL + SIZE + 40, this.leaves * LEAF + 6];
    this.drawing.setAttribute('viewBox', `-4 -4 ${width} ${height}`);
    this.drawing.setAttribute('width', width);
    this.drawing.setAttribute('height', height);
    const lines = this.placed.filter(({ above }) => above).map(({ node, level, y, above }) => {
      const [x1, y1, x2, y2] = [above.level * LEVEL + SIZE, above.y + SIZE / 2, level * LEVEL, y + SIZE / 2];
      const isWay = story.isOnWay(node) && story.isOnWay(above.node);
      const d = `M${x1} ${y1}C${x1 + 12} ${y1} ${x2 - 12} ${y2} ${x2} ${y2}`;
      return svg('path', { class: isWay ? 'branch on-way' : 'branch', d });
    });
    this.drawing.replaceChildren(...lines, ...this.placed.map((item) => this.nodeOf(item)));
    this.scrollTo(this.placed.find(({ node }) => node === story.current));
  }

  scrollTo(item) {
    const { room } = this;
    const [x, y] = [item.level * LEVEL, item.y];
    if (x < room.scrollLeft || x + LEVEL > room.scrollLeft + room.clientWidth) {
      room.scrollLeft = x - room.clientWidth + 2 * LEVEL;
    }
    if (y < room.scrollTop || y + LEAF > room.scrollTop + room.clientHeight) {
      room.scrollTop = y - room.clientHeight / 2;
    }
  }

  nodeOf(item) {
    const { node, level, y, hidden } = item;
    const kinds = ['node', node === this.story.current && 'current', this.story.isOnWay(node) && 'on-way',
      node === this.selected && 'selected'];
    const group = svg(
      'g',
      { class: kinds.filter(Boolean).join(' '), transform: `translate(${level * LEVEL} ${y})` },
      svg('rect', { x: -2, y: -2, width: SIZE + 4, height: SIZE + 4, rx: 5 }),
      this.thumb(node),
      hidden > 0 && svg('text', { x: SIZE + 5, y: SIZE / 2 + 4 }, `+${hidden}`),
    );
    group.addEventListener('pointerenter', () => this.select(node));
    group.addEventListener('click', () => this.toggle(node));
    return group;
  }

  /** The state drawn small. Drawings are kept, since the tree is drawn many times a second. */
  thumb(node) {
    const known = this.thumbs.get(node.id);
    if (known) return known;
    const drawn = thumbOf(this.module, this.board, node.state, SIZE)
      ?? svg('text', { x: SIZE / 2, y: SIZE / 2 + 4, class: 'middle' }, String(Number(node.f.toFixed(1))));
    this.thumbs.set(node.id, drawn);
    return drawn;
  }

  toggle(node) {
    if (!this.opened.delete(node.id)) this.opened.add(node.id);
    this.show();
  }

  select(node) {
    if (this.selected === node) return;
    this.selected = node;
    this.info.textContent = node ? describe(node) : '';
    this.look(node);
  }

  /** Arrow keys go through the tree; Enter opens and closes a branch. */
  key(event) {
    if (!this.placed?.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.placed.find(({ node }) => node === this.selected)
      ?? this.placed.find(({ node }) => node === this.story.current);
    const siblings = at.above ? at.above.below : [at];
    const to = {
      ArrowLeft: at.above, ArrowRight: at.below[0], ArrowUp: siblings[siblings.indexOf(at) - 1],
      ArrowDown: siblings[siblings.indexOf(at) + 1],
    };
    if (event.key in to) {
      if (to[event.key]) {
        this.select(to[event.key].node);
        this.draw();
        this.scrollTo(to[event.key]);
      }
    } else if (event.key === 'Enter') {
      this.toggle(at.node);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** A visited state in words. */
export function describe({ number, g, h, f, action, times }) {
  const round = (value) => String(Math.round(value * 100) / 100);
  const values = { number, g, h: round(h), f: round(f), action: action ?? '–' };
  const again = times > 1 ? t(', visited {times} times', { times }) : '';
  return t('Visit {number}, by {action}: g = {g}, h = {h}, f = {f}', values) + again;
}

/** A state as a small drawing; null if the puzzle has none. */
export function thumbOf(module, board, state, size) {
  const scene = module.thumb ? module.thumb(board, state) : module.scene(board);
  const root = scene.root ?? scene;
  if (root.namespaceURI !== 'http://www.w3.org/2000/svg') return null;
  scene.show?.(state);
  root.setAttribute('width', size);
  root.setAttribute('height', size);
  root.classList.add('thumb', `scene-${module.name}`);
  return root;
}
