// A running lesson: a panel beside the views with the text of the step, which sets up what the step is about.

import { announce, byId, el, setEnabled } from './dom.js';
import { t } from './language.js';
import { lessons, prose } from './lessons.js';
import { fragment } from './link.js';

/** The milliseconds after which a view has scrolled to its result. */
const LATER = 300;

const COMPARE = {
  '<': (a, b) => a < b, '>': (a, b) => a > b, '=': (a, b) => String(a) === String(b),
};

/** Whether an event ends a step: `answer cost > 26` is the event, a field, and a condition on it. */
export function isEnd(until, event) {
  const [kind, field, sign, value] = until.split(' ');
  if (kind !== event.kind) return false;
  const number = Number(value);
  return !field || COMPARE[sign](event[field], Number.isNaN(number) ? value : number);
}

export class LessonPanel {
  constructor(store, app) {
    this.store = store;
    this.app = app;
    this.root = byId('lesson');
    store.addEventListener('did', (event) => this.did(event.detail));
    // Whatever redraws the buttons of a view comes from one of these.
    for (const kind of ['board', 'settings', 'checked']) store.addEventListener(kind, () => this.point());
  }

  /** The name and step for the link; empty without a lesson. */
  get link() {
    return this.lesson ? { lesson: this.name, step: String(this.at + 1) } : {};
  }

  /** Begins a lesson at a step. The board and the choices of a link stay as they are. */
  async start(name, at = 0, { keeps = false } = {}) {
    const lesson = lessons.get(name);
    if (!lesson) return;
    Object.assign(this, { name, lesson, mine: null });
    await this.go(Math.min(Math.max(0, at), lesson.steps.length - 1), keeps);
  }

  quit() {
    this.lesson = null;
    this.root.hidden = true;
    this.root.replaceChildren();
    this.point();
    this.app.refresh(false);
  }

  get step() {
    return this.lesson.steps[this.at];
  }

  async go(at, keeps = false) {
    this.at = at;
    this.event = null;
    if (!keeps) await this.app.together(() => this.setUp(this.step.options));
    this.show();
    if (keeps) this.app.refresh(false);
    this.root.scrollTop = 0;
    announce(`${this.step.title}. ${this.step.texts.join(' ')}`);
  }

  /** A value of the lesson, in which `mine` is the person's own heuristic. */
  own(value) {
    // A comma within brackets belongs to an expression.
    const words = value.split(/,(?![^(]*\))/).map((word) => word.trim());
    return words.map((word) => (word === 'mine' ? this.mine ?? this.lesson.options.mine : word));
  }

  async setUp(options) {
    const { store, app } = this;
    if (options.text || options.board) {
      const puzzle = options.puzzle ?? this.lesson.options.puzzle;
      const card = store.catalogue.puzzles.find(({ name }) => name === puzzle);
      const example = card?.examples.find(({ name }) => name === options.board);
      await store.open({ text: options.text ?? example?.text, puzzle, name: this.lesson.title });
    }
    const choices = {};
    for (const key of ['algorithm', 'heuristic', 'algorithm1', 'heuristic1', 'algorithm2', 'heuristic2']) {
      if (options[key] !== undefined) [choices[key]] = this.own(options[key] === 'strongest' ? '' : options[key]);
    }
    store.set(choices);
    if (options.view) app.show(options.view);
    const listOf = (key) => [key, options[key] && this.own(options[key])];
    const lists = Object.fromEntries(['heuristics', 'algorithms'].map(listOf));
    app.views[app.view].prepare?.(lists);
  }

  show() {
    const { lesson, at, step } = this;
    const isLast = at === lesson.steps.length - 1;
    this.end = el('div', { role: 'status', class: 'lesson-end' });
    const goOn = () => (isLast ? this.quit() : this.go(at + 1));
    this.next = el('button', { type: 'button', onclick: goOn }, isLast ? 'End' : 'Next');
    const back = el('button', { type: 'button', onclick: () => this.go(at - 1) }, 'Back');
    setEnabled(back, at > 0);
    const press = step.options.press && el('button', { type: 'button', onclick: () => this.press() }, 'Show me');
    const copied = el('span', { role: 'status', class: 'help' });
    const copy = isLast
      && el('button', { type: 'button', onclick: () => this.copy(copied) }, 'Copy a link that replays this');
    this.root.hidden = false;
    this.root.replaceChildren(
      el('div', { class: 'lesson-head' },
        el('p', { class: 'help' }, `${lesson.title} ${at + 1} / ${lesson.steps.length}`),
        el('button', {
          type: 'button', class: 'tab', 'aria-label': 'Leave the lesson', onclick: () => this.quit(),
        }, '×')),
      el('h2', {}, step.title),
      ...step.texts.map(prose),
      this.end,
      el('div', { class: 'buttons' }, press, copy, copied),
      el('div', { class: 'buttons lesson-steps' }, back, this.next),
    );
    this.progress();
    this.point();
  }

  /** What the person does on the page. */
  did(event) {
    if (!this.lesson) return;
    const { heuristic, card } = this.store;
    if (event.kind === 'answer' && heuristic && !card.heuristics.some(({ name }) => name === heuristic)) {
      this.mine = heuristic;
    }
    const { until } = this.step.options;
    if (!until || !isEnd(until, event)) return;
    this.event = event;
    this.progress();
    // On a phone the panel is above what was pressed.
    setTimeout(() => this.end.scrollIntoView({ block: 'nearest' }), LATER);
  }

  /** Shows whether the step has reached its end. */
  progress() {
    const { until, then } = this.step.options;
    const isOver = !until || this.event !== null;
    this.next.classList.toggle('primary', isOver);
    this.end.replaceChildren(...(until && isOver ? [
      el('div', { class: 'verdict good' }, el('p', {}, el('strong', {}, then ? t(then, this.event) : t('Done.')))),
    ] : []));
  }

  /** The button of the page that the step wants pressed: the first of several that is there. */
  wanted() {
    const name = this.lesson && this.step.options.press;
    const buttons = [...byId('main').querySelectorAll('button, summary')];
    const named = (one) => buttons.find((button) => button.textContent === t(one.trim()));
    return name ? name.split('|').map(named).find(Boolean) ?? null : null;
  }

  /** Marks that button. */
  point() {
    document.querySelector('.pointed')?.classList.remove('pointed');
    this.wanted()?.classList.add('pointed');
  }

  press() {
    const { write } = this.step.options;
    if (write) this.store.set({ heuristic: write });
    const button = this.wanted();
    button?.scrollIntoView({ block: 'nearest' });
    button?.click();
  }

  /** Copies the link to the present board, heuristic and view, which begins the search when it is opened. */
  async copy(status) {
    const { lesson: _, step: __, ...link } = this.app.link();
    const address = `${location.origin}${location.pathname}${fragment({ ...link, run: '1' })}`;
    this.replay = address;
    try {
      await navigator.clipboard.writeText(address);
      status.textContent = t('Copied.');
    } catch {
      status.replaceChildren(el('a', { href: address }, 'The link'));
    }
  }
}
