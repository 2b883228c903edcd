// The page: tabs for puzzles and views, error messages, and dropped or pasted boards.

import { ask } from './api.js';
import { AuditView } from './audit.js';
import { CompareView } from './compare.js';
import { byId, el } from './dom.js';
import { read, write } from './link.js';
import { SolveView } from './solve.js';
import { CHOICES, Store } from './store.js';
import { WatchView } from './watch.js';

const VIEWS = [
  ['solve', 'Solve', ' and play', SolveView],
  ['watch', 'Watch', ' the search', WatchView],
  ['compare', 'Compare', '', CompareView],
  ['audit', 'Audit', '', AuditView],
];

/** The largest file that is read as a board. */
const MOST_BYTES = 900_000;

class App {
  constructor(store) {
    this.store = store;
    this.views = Object.fromEntries(VIEWS.map(([name, , , View]) => [name, new View(this.store, this)]));
    this.view = '';
    this.tabs();
    this.store.addEventListener('problem', (event) => this.showProblem(event.detail));
    for (const kind of ['board', 'settings']) this.store.addEventListener(kind, () => this.refresh());
    addEventListener('hashchange', () => this.follow());
    this.takeFiles();
  }

  tabs() {
    const tab = (label, onclick, more = '') =>
      el('button', { type: 'button', class: 'tab', onclick }, label, more && el('span', { class: 'wide' }, more));
    const titles = Object.entries(this.store.modules).map(([name, { title }]) => [name, title]);
    this.puzzleTabs = titles.map(([name, title]) => [name, tab(title, () => this.choose(name))]);
    this.viewTabs = VIEWS.map(([name, label, more]) => [name, tab(label, () => this.show(name), more)]);
    byId('puzzles').append(...this.puzzleTabs.map(([, button]) => el('li', {}, button)));
    byId('views').append(...this.viewTabs.map(([, button]) => el('li', {}, button)));
  }

  refresh() {
    const mark = (button, current) => button.setAttribute('aria-current', current);
    for (const [name, button] of this.puzzleTabs) mark(button, String(name === this.store.puzzle));
    for (const [name, button] of this.viewTabs) mark(button, name === this.view ? 'page' : 'false');
    const { puzzle, text, start } = this.store;
    // The link has only choices that differ from the defaults.
    const changed = Object.keys(CHOICES).filter((key) => this.store[key] !== CHOICES[key]);
    const choices = Object.fromEntries(changed.map((key) => [key, this.store[key]]));
    if (puzzle) write({ view: this.view, puzzle, text, state: start, ...choices });
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
    this.refresh();
    if (this.store.board) this.views[name].begin();
  }

  /** Opens the board and the view of the address. */
  async follow() {
    const link = read();
    const view = VIEWS.some(([name]) => name === link.view) ? link.view : 'solve';
    const opened = link.text && await this.store.open({ text: link.text, puzzle: link.puzzle, state: link.state });
    if (!opened && !this.store.board) {
      const problem = this.problem;
      await this.choose(link.puzzle in this.store.modules ? link.puzzle : this.store.catalogue.puzzles[0].name);
      if (problem) this.showProblem(problem);
    }
    this.store.set(Object.fromEntries(Object.entries(CHOICES).map(([key, value]) => [key, link[key] ?? value])));
    this.show(view);
  }

  /** Shows an error as the program prints it, with the line and a caret below the column. */
  showProblem(error) {
    const box = byId('problem');
    this.problem = error;
    box.hidden = !error;
    if (!error) return;
    const { faults, puzzle, more, could_be: names = [] } = error.body ?? {};
    let text = error.message;
    if (faults) {
      const lines = error.message.split('\n');
      text = faults.map((fault, at) => {
        if (!fault.text && fault.text !== '') return lines[at];
        const number = String(fault.line);
        const indent = ' '.repeat(fault.column - 1);
        return `${lines[at]}\n ${number} | ${fault.text}\n ${' '.repeat(number.length)} | ${indent}^`;
      }).join('\n');
      if (more) text += `\n... and ${more} more`;
      if (puzzle) text += `\n(read as a ${puzzle} puzzle)`;
    }
    box.replaceChildren(
      el('pre', { tabindex: 0 }, text),
      // If several puzzles fit the text, the user chooses.
      ...names.map((name) => el('button', {
        type: 'button', onclick: () => this.store.open({ ...this.store.tried, puzzle: name }),
      }, `Read as ${name}`)),
      el('button', { type: 'button', onclick: () => this.showProblem(null) }, 'Dismiss'),
    );
  }

  /** Accepts dropped files, and texts pasted outside input fields. */
  takeFiles() {
    addEventListener('dragover', (event) => {
      event.preventDefault();
      document.body.classList.add('dropping');
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) document.body.classList.remove('dropping');
    });
    addEventListener('drop', async (event) => {
      event.preventDefault();
      document.body.classList.remove('dropping');
      const [file] = event.dataTransfer.files;
      if (file && file.size > MOST_BYTES) {
        const expected = `expected a board of at most ${MOST_BYTES} bytes, found ${file.size}`;
        this.showProblem(new Error(`error: ${file.name}: ${expected}`));
      } else if (file) {
        await this.store.open({ text: await file.text(), name: file.name });
      } else {
        const text = event.dataTransfer.getData('text/plain');
        if (text) await this.store.open({ text });
      }
    });
    addEventListener('paste', (event) => {
      if (event.target.closest?.('input, textarea, select')) return;
      const text = event.clipboardData.getData('text/plain');
      if (text.trim()) this.store.open({ text, name: 'pasted text' });
    });
  }
}

try {
  const store = new Store(await ask('/api/puzzles'));
  await store.loadModules();
  await new App(store).follow();
  document.documentElement.dataset.ready = 'true';
} catch (error) {
  byId('main').replaceChildren(el('p', { class: 'error', role: 'alert' }, error.message));
}
