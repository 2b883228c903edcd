// Charts drawn by the lab, and the live chart of f layers.

import { download, el, grouped, svg } from './dom.js';

/** A chart of the lab as a figure, with a download button. */
export function chartFigure(chart, name) {
  // The content security policy forbids the style attribute with the least width, so it is set here.
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

/** The number of visited states by `f`. It reuses its elements, since it is drawn sixty times a second. */
export class LayerChart {
  constructor() {
    this.root = svg('svg', {
      class: 'layers', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': 'States visited by f',
    });
    this.axis = svg('path', { class: 'axis', d: `M${LEFT} ${HEIGHT - BOTTOM}H${WIDTH - LEFT}` });
    this.bars = svg('g', { class: 'layer-bars' });
    this.labels = svg('g', { class: 'layer-labels' });
    this.most = svg('text');
    this.root.append(this.bars, this.labels, this.axis);
  }

  /**
   * `layers` maps `f` to the number of states; `bound` is the current layer. `scale` has the least and the largest f
   * and the most states of the charts that are compared.
   */
  show(layers, bound, scale = null) {
    let [first, last, most] = scale ? [scale.first, scale.last, scale.most] : [Infinity, -Infinity, 0];
    for (const [f, count] of scale ? [] : layers) {
      [first, last, most] = [Math.min(first, f), Math.max(last, f), Math.max(most, count)];
    }
    const length = layers.size > 0 ? last - first + 1 : 0;
    const own = Math.max(0, ...layers.values());
    if (this.first !== first || this.bars.childElementCount !== length) this.prepare(first, length);
    this.most.textContent = grouped(own);
    const room = HEIGHT - BOTTOM - TOP;
    for (let at = 0; at < length; at += 1) {
      const count = layers.get(first + at) ?? 0;
      const height = Math.max(count > 0 ? 1.5 : 0, (room * count) / most);
      const bar = this.bars.children[at];
      bar.setAttribute('y', (HEIGHT - BOTTOM - height).toFixed(1));
      bar.setAttribute('height', height.toFixed(1));
      bar.classList.toggle('now', first + at === bound);
      if (count === own) {
        this.most.setAttribute('x', this.middle(at));
        this.most.setAttribute('y', (HEIGHT - BOTTOM - height - 4).toFixed(1));
      }
    }
  }

  middle(at) {
    return (LEFT + (at + 0.5) * this.slot).toFixed(1);
  }

  /** Creates the bars and labels of `length` layers. */
  prepare(first, length) {
    this.first = first;
    this.slot = (WIDTH - 2 * LEFT) / Math.max(length, 1);
    const thick = Math.min(this.slot * 0.82, 56);
    const every = Math.max(1, Math.ceil(34 / this.slot));
    const places = Array.from({ length }, (_, at) => at);
    const bar = (at) => svg('rect', { x: this.middle(at) - thick / 2, width: thick, rx: 2 });
    this.bars.replaceChildren(...places.map(bar));
    const named = places.filter((at) => at % every === 0);
    const names = named.map((at) => svg('text', { x: this.middle(at), y: HEIGHT - 6 }, String(first + at)));
    this.labels.replaceChildren(...names, ...(length > 0 ? [this.most] : []));
  }
}
