// The solve view: one board to edit, play, or solve and replay.

import { ask, isAbort, run } from './api.js';
import { BoardWidget, picture } from './board.js';
import { announce, bytes, download, el, field, grouped, seconds, select, setEnabled } from './dom.js';
import { Editor } from './edit.js';
import { Explain } from './explain.js';
import { Play } from './play.js';
import { Replay } from './replay.js';
import { SearchForm, figures, progressText, verdict, wanted } from './search.js';

const MODES = [['edit', 'Edit'], ['play', 'Play'], ['replay', 'Solution']];

export class SolveView {
  constructor(store) {
    this.store = store;
    this.widget = new BoardWidget('Board');
    this.editor = new Editor(store, this.widget);
    this.play = new Play(store, this.widget);
    this.replay = new Replay(store, this.widget);
    this.modes = { edit: this.editor, play: this.play, replay: this.replay };
    this.mode = 'edit';
    this.build();
    store.addEventListener('board', (event) => this.boardChanged(event.detail));
    store.addEventListener('checked', () => this.showRun());
    store.addEventListener('settings', () => this.form.refresh());
  }

  build() {
    this.modeButtons = MODES.map(([mode, label]) => el('button', {
      type: 'button', class: 'tab', 'aria-pressed': 'false', onclick: () => this.enter(mode),
    }, label));
    this.goalText = el('p', { class: 'goal-text' });
    this.goal = el('figure', { class: 'goal-board', hidden: true });
    this.panel = el('div', { class: 'panel' });
    const stage = el(
      'section',
      { class: 'card board-card', 'aria-label': 'The board itself' },
      el('div', { class: 'tabs modes', role: 'group', 'aria-label': 'What to do with the board' }, this.modeButtons),
      this.goalText,
      el('div', { class: 'stage-row' }, this.widget.root, this.goal),
      this.panel,
    );
    const keys = { algorithm: 'algorithm', heuristic: 'heuristic' };
    this.form = new SearchForm(this.store, keys, (choice) => this.store.set(choice));
    this.solveButton = el('button', { type: 'button', class: 'primary', onclick: () => this.solve() }, 'Solve');
    this.cancelButton = el('button', { type: 'button', hidden: true, onclick: () => this.job?.abort() }, 'Cancel');
    this.status = el('p', { class: 'status', role: 'status' });
    this.answerBox = el('div', { class: 'answer' });
    const search = el(
      'section',
      { class: 'card', 'aria-labelledby': 'search-heading' },
      el('h2', { id: 'search-heading' }, 'Search'),
      this.form.root,
      el('div', { class: 'buttons' }, this.solveButton, this.cancelButton),
      this.status,
      this.answerBox,
    );
    this.explain = new Explain(this.store, this.widget);
    const side = el('div', { class: 'side' }, search, this.boardCard(), this.explain.root);
    this.root = el('div', { class: 'solve-view' }, stage, side);
  }

  /** The card with examples, random boards, files and text. */
  boardCard() {
    this.examples = el('div');
    this.level = select([['easy', 'easy'], ['medium', 'medium'], ['hard', 'hard']], 'easy');
    this.text = el('textarea', { rows: 8, spellcheck: 'false', 'aria-label': 'The board as text', class: 'mono' });
    const file = el('input', {
      type: 'file', onchange: async (event) => {
        const [chosen] = event.target.files;
        if (chosen) await this.store.open({ text: await chosen.text(), name: chosen.name });
        event.target.value = '';
      },
    });
    this.linkStatus = el('span', { role: 'status', class: 'help' });
    return el(
      'section',
      { class: 'card', 'aria-labelledby': 'board-heading' },
      el('h2', { id: 'board-heading' }, 'Board'),
      this.examples,
      el('div', { class: 'row' }, field('Random', this.level),
        el('button', { type: 'button', onclick: () => this.random() }, 'Draw')),
      field('Open a file, or drop or paste one anywhere', file),
      el('details', {}, el('summary', {}, 'As text'), this.text,
        el('div', { class: 'buttons' },
          el('button', { type: 'button', onclick: () => this.store.open({ text: this.text.value }) }, 'Read'),
          el('button', { type: 'button', onclick: () => this.saveText() }, 'Download'))),
      el('div', { class: 'row' },
        el('button', { type: 'button', onclick: () => this.copyLink() }, 'Copy link'), this.linkStatus),
    );
  }

  saveText() {
    const { module, puzzle, text } = this.store;
    download(`${puzzle}.${module.fileType ?? 'txt'}`, text, 'text/plain');
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.linkStatus.textContent = location.hash ? 'Copied.' : 'Copied, but the board is too large for a link.';
    } catch {
      this.linkStatus.textContent = 'The link is in the address of this page.';
    }
  }

  async random() {
    const { module, puzzle } = this.store;
    try {
      const drawn = await ask('/api/generate', { puzzle, ...module.levels[this.level.value] });
      await this.store.open({ text: drawn.text, puzzle, name: `random ${drawn.seed}` });
      announce('A new board.');
    } catch (error) {
      this.store.tell('problem', error);
    }
  }

  boardChanged({ isEdit, keepScene }) {
    const { store } = this;
    this.job?.abort();
    this.forget();
    this.explain.forget();
    if (!keepScene) {
      const { cursor } = this.widget;
      this.widget.load(store.module, store.board, store.state);
      if (isEdit && cursor) this.widget.cursor = cursor;
    }
    this.text.value = store.text;
    if (!isEdit) this.showExamples();
    this.goalText.textContent = store.module.goalText(store.board);
    const goal = store.module.goalState?.(store.board);
    this.goal.hidden = !goal;
    if (goal) this.goal.replaceChildren(picture(store.module, store.board, goal, 'Goal'), el('figcaption', {}, 'Goal'));
    if (!keepScene) this.editor.refresh();
    this.form.refresh();
    if (isEdit) this.refreshMode();
    else this.enter(this.mode === 'replay' ? 'edit' : this.mode);
    this.widget.refreshMarks();
    this.showRun();
  }

  showExamples() {
    const { store } = this;
    const examples = store.card.examples.map(({ name }, at) => [String(at), name]);
    const known = store.card.examples.findIndex(({ text }) => text === store.text);
    const list = select([...(known < 0 ? [['', '…']] : []), ...examples], known < 0 ? '' : String(known), (at) => {
      const example = store.card.examples[Number(at)];
      if (example) store.open({ ...example, puzzle: store.puzzle });
    });
    this.examples.replaceChildren(field('Example', list));
  }

  /** Drops the answer of the previous board. */
  forget() {
    this.answer = null;
    this.answerBox.replaceChildren();
    this.status.textContent = '';
    if (this.mode === 'replay') this.replay.leave();
  }

  enter(mode) {
    if (mode === 'replay' && !this.answer?.actions) {
      this.solve();
      return;
    }
    if (mode !== this.mode) this.modes[this.mode].leave?.();
    this.mode = mode;
    this.refreshMode();
    this.widget.mark({});
    if (mode === 'edit') {
      this.widget.show(this.store.state);
      this.editor.refresh();
    } else {
      this.modes[mode].begin();
    }
  }

  refreshMode() {
    MODES.forEach(([mode], at) => this.modeButtons[at].setAttribute('aria-pressed', String(mode === this.mode)));
    this.widget.handler = this.modes[this.mode].handler();
    this.widget.root.dataset.mode = this.mode;
    const { root } = this.modes[this.mode];
    if (this.panel.firstChild !== root) this.panel.replaceChildren(root);
  }

  showRun() {
    this.explain.refresh();
    setEnabled(this.solveButton, this.store.valid && !this.job);
    this.cancelButton.hidden = !this.job;
    setEnabled(this.modeButtons[1], this.store.valid);
    setEnabled(this.modeButtons[2], this.store.valid && !this.job);
  }

  async solve() {
    const { store } = this;
    if (this.job || !store.valid) return;
    this.forget();
    const job = new AbortController();
    this.job = job;
    this.status.textContent = 'Searching…';
    this.showRun();
    try {
      const request = { board: store.request(), search: wanted(store.algorithm, store.heuristic) };
      const answer = await run('/api/solve', request, {
        signal: job.signal,
        on: { progress: (progress) => { this.status.textContent = progressText(progress); } },
      });
      if (this.job === job) this.showAnswer(answer);
    } catch (error) {
      if (this.job !== job) return;
      this.status.textContent = '';
      if (isAbort(error)) this.status.textContent = 'Cancelled.';
      else this.answerBox.replaceChildren(el('pre', { class: 'error' }, error.message));
    } finally {
      if (this.job === job) {
        this.job = null;
        this.showRun();
      }
    }
  }

  showAnswer(answer) {
    this.answer = answer;
    const { tone, text } = verdict(answer);
    const { stats } = answer;
    const chosen = answer.chosen ? `, chosen because ${answer.chosen}` : '';
    const extras = Object.entries({ moves: 'moves', fewest_moves: 'fewest moves of any solution' })
      .filter(([key]) => answer[key] !== undefined).map(([key, name]) => [name, grouped(answer[key])]);
    this.status.textContent = '';
    this.answerBox.replaceChildren(
      el('div', { class: `verdict ${tone}` }, el('p', {}, el('strong', {}, text)),
        el('p', { class: 'how' }, `${answer.algorithm} with ${answer.heuristic}${chosen}.`)),
      figures([
        ...extras,
        ['expanded', grouped(stats.expanded)],
        ['generated', grouped(stats.generated)],
        ['reopened', grouped(stats.reopened)],
        ['before the last layer', grouped(stats.expanded_before_last_layer)],
        ['largest frontier', grouped(stats.max_frontier)],
        ['time', seconds(stats.seconds)],
        ['memory', bytes(stats.peak_bytes)],
      ]),
      el('div', { class: 'buttons' },
        el('button', { type: 'button', onclick: () => this.saveSolution() }, 'Download solution'),
        el('button', { type: 'button', onclick: (event) => this.saveTrace(event.target) }, 'Download trace')),
    );
    announce(text);
    if (answer.outcome === 'solved') {
      this.replay.load(answer);
      this.enter('replay');
      this.widget.root.scrollIntoView({ block: 'nearest' });
    }
  }

  saveSolution() {
    const answer = { ...this.answer };
    delete answer.chosen;
    download(`${this.store.puzzle}-solution.json`, `${JSON.stringify(answer)}\n`, 'application/json');
  }

  /** Downloads the visited states in order, a line of JSON each, as `--trace` writes them. */
  async saveTrace(button) {
    setEnabled(button, false);
    const parts = [];
    const { store } = this;
    try {
      const { algorithm, heuristic } = this.answer;
      await run('/api/trace', { board: store.request(), search: { algorithm, heuristic } }, {
        on: { progress() {}, lines: (lines) => parts.push(...lines.map((line) => `${JSON.stringify(line)}\n`)) },
      });
      download(`${store.puzzle}-trace.jsonl`, parts.join(''), 'application/jsonl');
    } catch (error) {
      this.status.textContent = error.message;
    }
    setEnabled(button, true);
  }

  /** Called before another view is shown. */
  leave() {
    this.job?.abort();
    this.explain.forget();
    this.modes[this.mode].leave?.();
  }

  /** Called when this view is shown. */
  begin() {
    if (this.mode === 'play') this.play.findOptimum();
  }
}
