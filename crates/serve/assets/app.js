// The page: tabs for puzzles and views, the history, and the views on one board.

import { api } from './api.js';
import { AuditView } from './audit.js';
import { CompareView } from './compare.js';
import { byId, el } from './dom.js';
import { takeDrops } from './files.js';
import { language, t } from './language.js';
import { LessonPanel } from './lesson.js';
import { LearnView, lessons } from './lessons.js';
import { read, write } from './link.js';
import { looksMenu, wearLooks } from './looks.js';
import { showProblem } from './problem.js';
import { SolveView } from './solve.js';
import { CHOICES, Store } from './store.js';
import { WatchView } from './watch.js';

const VIEWS = [
  ['solve', 'Puzzle', '', SolveView],
  ['watch', 'Watch', ' the search', WatchView],
  ['compare', 'Compare', '', CompareView],
  ['audit', 'Audit', '', AuditView],
  ['learn', 'Learn', '', LearnView],
];

class App {
  constructor(store) {
    this.store = store;
    this.views = Object.fromEntries(VIEWS.map(([name, , , View]) => [name, new View(this.store, this)]));
    this.view = '';
    /** While it is positive, changes make no entry of the history. */
    this.quiet = 0;
    this.lesson = new LessonPanel(store, this);
    this.tabs();
    store.addEventListener('problem', (event) => {
      this.problem = event.detail;
      showProblem(store, event.detail);
    });
    store.addEventListener('board', ({ detail: { isEdit } }) => this.refresh(!isEdit || !this.isEdited, isEdit));
    store.addEventListener('settings', () => this.refresh(false, this.isEdited));
    for (const kind of ['popstate', 'hashchange']) addEventListener(kind, () => this.follow());
    byId('skip').addEventListener('click', (event) => {
      // The fragment is the link to the board.
      event.preventDefault();
      byId('main').focus();
    });
    takeDrops(store);
  }

  tabs() {
    const tab = (label, onclick, more = '') => el('button', { type: 'button', class: 'tab', onclick }, label,
      more && el('span', { class: 'wide' }, more));
    const titles = Object.entries(this.store.modules).map(([name, { title }]) => [name, title]);
    this.puzzleTabs = titles.map(([name, title]) => [name, tab(title, () => this.choose(name))]);
    this.viewTabs = VIEWS.map(([name, label, more]) => [name, tab(label, () => this.show(name), more)]);
    byId('puzzles').append(...this.puzzleTabs.map(([, button]) => el('li', {}, button)));
    byId('views').append(...this.viewTabs.map(([, button]) => el('li', {}, button)));
    byId('looks').append(looksMenu());
  }

  refresh(isNew, isEdit = false) {
    const mark = (button, current) => button.setAttribute('aria-current', current);
    for (const [name, button] of this.puzzleTabs) mark(button, String(name === this.store.puzzle));
    for (const [name, button] of this.viewTabs) mark(button, name === this.view ? 'page' : 'false');
    if (!this.store.puzzle || !this.view || this.quiet > 0) return;
    this.isEdited = isEdit;
    write(this.link(), isNew);
  }

  /** The values that bring back what is shown. Only choices that differ from the defaults are among them. */
  link() {
    const { puzzle, text, start } = this.store;
    const changed = Object.keys(CHOICES).filter((key) => this.store[key] !== CHOICES[key]);
    const choices = Object.fromEntries(changed.map((key) => [key, this.store[key]]));
    return { view: this.view, puzzle, text, ...(start ? { state: start } : {}), ...choices, ...this.lesson.link };
  }

  /** Does several things that are one entry of the history. */
  async together(act, isNew = true) {
    this.quiet += 1;
    try {
      return await act();
    } finally {
      this.quiet -= 1;
      this.refresh(isNew);
    }
  }

  /** Opens the first example of a puzzle. */
  choose(puzzle) {
    const card = this.store.catalogue.puzzles.find(({ name }) => name === puzzle);
    return this.store.open({ ...card.examples[0], puzzle });
  }

  show(name) {
    if (this.view === name) return;
    this.views[this.view]?.leave();
    this.view = name;
    byId('main').replaceChildren(this.views[name].root);
    document.body.dataset.view = name;
    this.refresh(true);
    if (this.store.board) this.views[name].begin();
  }

  /** Opens a board to be played. */
  async play(board) {
    await this.together(async () => {
      if (!await this.store.open(board)) return;
      this.show('solve');
      this.views.solve.enter('play');
    });
  }

  /** Opens the board and the view of the current entry of the history. */
  async follow() {
    const link = read();
    const asked = JSON.stringify(link);
    // Some browsers report an entry twice, and what is shown already needs no opening.
    if (asked === this.asked || asked === JSON.stringify(this.link())) return;
    this.asked = asked;
    await this.together(() => this.open(link), false);
    this.asked = null;
  }

  async open(link) {
    const view = VIEWS.some(([name]) => name === link.view) ? link.view : 'solve';
    const opened = link.text && await this.store.open({ text: link.text, puzzle: link.puzzle, state: link.state });
    if (!opened && !this.store.board) {
      const { problem } = this;
      await this.choose(link.puzzle in this.store.modules ? link.puzzle : this.store.catalogue.puzzles[0].name);
      if (problem) this.store.tell('problem', problem);
    }
    this.store.set(Object.fromEntries(Object.entries(CHOICES).map(([key, value]) => [key, link[key] ?? value])));
    this.show(view);
    if (lessons.has(link.lesson)) {
      await this.lesson.start(link.lesson, Number(link.step) - 1 || 0, { keeps: Boolean(link.text) });
    } else if (this.lesson.lesson) {
      this.lesson.quit();
    }
    if (link.run) this.views[view].launch?.();
  }
}

wearLooks();
document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en';
byId('skip').textContent = t('To the content');
try {
  await new App(new Store(await api.puzzles())).follow();
  document.documentElement.dataset.ready = 'true';
} catch (error) {
  byId('main').replaceChildren(el('p', { class: 'error', role: 'alert' }, error.message));
}
