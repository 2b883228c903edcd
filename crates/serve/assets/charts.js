// Charts that the lab has drawn, and a small one that changes while one looks.

import { download, el, grouped, svg } from './dom.js';

/** A chart of the lab as a figure, with a button to keep it. */
export function chartFigure(chart, name) {
  // The width below which it scrolls stands in an attribute that the policy of the page forbids, so it is set here.
  const width = chart.page.match(/ style="min-width:([\d.]+px)"/)?.[1];
  const text = chart.page.replace(/ style="[^"]*"/, '');
  const drawing = document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);
  if (width) drawing.style.minWidth = width;
  const save = el('button', {
    type: 'button', onclick: () => download(`${name}.svg`, `${chart.paper}\n`, 'image/svg+xml'),
  }, 'Download chart');
  return el(
    'figure',
    { class: 'chart' },
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': chart.title }, drawing),
    save,
  );
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [420, 150, 8, 22, 16];

/** How many states of each `f` were visited. */
export class LayerChart {
  constructor() {
    this.bars = svg('g', { class: 'layer-bars' });
    this.root = svg('svg', { class: 'layers', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'States visited by f' });
    this.root.append(this.bars);
    this.drawn = '';
  }

  /** `layers` has the number of states by `f`, `most` the highest bar to come. */
  show(layers, bound) {
    const keys = [...layers.keys()];
    if (keys.length === 0) {
      this.bars.replaceChildren();
      return;
    }
    const [first, last] = [Math.min(...keys), Math.max(...keys)];
    const most = Math.max(...layers.values());
    const slot = (WIDTH - 2 * LEFT) / (last - first + 1);
    const thick = Math.min(slot * 0.82, 56);
    const room = HEIGHT - BOTTOM - TOP;
    const every = Math.max(1, Math.ceil(34 / slot));
    const parts = [];
    for (let f = first; f <= last; f += 1) {
      const count = layers.get(f) ?? 0;
      const middle = LEFT + (f - first + 0.5) * slot;
      const height = Math.max(count > 0 ? 1.5 : 0, (room * count) / most);
      parts.push(svg('rect', {
        class: f === bound ? 'now' : '', x: middle - thick / 2, y: HEIGHT - BOTTOM - height, width: thick, height, rx: 2,
      }));
      if ((f - first) % every === 0) parts.push(svg('text', { x: middle, y: HEIGHT - 6 }, String(f)));
      if (count === most) parts.push(svg('text', { x: middle, y: HEIGHT - BOTTOM - height - 4 }, grouped(count)));
    }
    parts.push(svg('path', { class: 'axis', d: `M${LEFT} ${HEIGHT - BOTTOM}H${WIDTH - LEFT}` }));
    this.bars.replaceChildren(...parts);
  }
}
