// The solve view: one board to edit, play, or solve and replay.

import { api, isAbort } from './api.js';
import { BoardWidget, picture } from './board.js';
import { BoardCard } from './boards.js';
import { announce, bytes, download, el, grouped, seconds, setEnabled } from './dom.js';
import { Editor } from './edit.js';
import { Explain } from './explain.js';
import { t } from './language.js';
import { Play } from './play.js';
import { Replay } from './replay.js';
import { GLOSSARY } from './glossary.js';
import { SearchForm, figures, progressText, verdict, wanted } from './search.js';
import { term } from './tips.js';

const MODES = [['play', 'Play'], ['replay', 'Solution'], ['edit', 'Edit']];

export class SolveView {
  constructor(store) {
    this.store = store;
    this.widget = new BoardWidget('Board');
    this.editor = new Editor(store, this.widget);
    this.play = new Play(store, this.widget);
    this.replay = new Replay(store, this.widget);
    this.modes = { edit: this.editor, play: this.play, replay: this.replay };
    this.mode = 'play';
    this.build();
    store.addEventListener('board', (event) => this.boardChanged(event.detail));
    store.addEventListener('checked', () => { this.editor.refreshUndo(); this.showRun(); });
    store.addEventListener('settings', () => this.form.refresh());
  }

  build() {
    this.modeButtons = MODES.map(([mode, label]) => el('button', {
      type: 'button', class: 'tab', 'aria-pressed': 'false', onclick: () => this.enter(mode),
    }, label));
    this.goalText = el('p', { class: 'goal-text' });
    this.goalNote = el('div', { class: 'goal-note', hidden: true });
    this.goal = el('figure', { class: 'goal-board', hidden: true });
    this.panel = el('div', { class: 'panel' });
    const stage = el(
      'section',
      { class: 'card board-card', 'aria-label': 'The board itself' },
      el('div', { class: 'board-head' },
        el('div', { class: 'tabs modes', role: 'group', 'aria-label': 'What to do with the board' }, this.modeButtons),
        this.goalText),
      this.goalNote,
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
    this.widget.onState = () => this.explain.stateChanged();
    this.boards = new BoardCard(this.store);
    const side = el('div', { class: 'side' }, search, this.boards.root, this.explain.root);
    this.root = el('div', { class: 'solve-view' }, stage, side);
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
    this.boards.refresh(isEdit);
    this.showGoal();
    if (!keepScene) this.editor.refresh();
    this.form.refresh();
    if (isEdit) this.refreshMode();
    else this.enter(this.mode === 'replay' ? 'play' : this.mode);
    this.widget.refreshMarks();
    this.showRun();
  }

  /** The goal in words and as a board, and another one where it cannot be reached. */
  showGoal() {
    const { module, board, state } = this.store;
    this.goalText.textContent = t(module.goalText(board));
    const goal = module.goalState?.(board);
    this.goal.hidden = !goal;
    if (goal) this.goal.replaceChildren(picture(module, board, goal, 'Goal'), el('figcaption', {}, 'Goal'));
    const other = module.otherGoal?.(board, state);
    this.goalNote.hidden = !other;
    if (!other) return;
    const take = () => this.store.open({ text: module.toText(other.board, state), puzzle: this.store.puzzle });
    this.goalNote.replaceChildren(
      el('span', {}, other.why), ' ', el('button', { type: 'button', onclick: take }, other.label));
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
    setEnabled(this.modeButtons[0], this.store.valid);
    setEnabled(this.modeButtons[1], this.store.valid && !this.job);
  }

  /** Begins the search of a link. */
  launch() {
    return this.solve();
  }

  async solve() {
    const { store } = this;
    if (this.job || !store.valid) return;
    this.forget();
    this.play.cancel();
    const job = new AbortController();
    this.job = job;
    this.status.textContent = t('Searching…');
    this.showRun();
    try {
      const request = { board: store.request(), search: wanted(store.algorithm, store.heuristic) };
      const answer = await api.solve(request, {
        signal: job.signal,
        on: { progress: (progress) => { this.status.textContent = progressText(progress); } },
      });
      if (this.job === job) this.showAnswer(answer);
    } catch (error) {
      if (this.job !== job) return;
      this.status.textContent = '';
      if (isAbort(error)) this.status.textContent = t('Cancelled.');
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
    this.store.tell('did', { kind: 'answer', ...answer, ...answer.stats, frontier: answer.stats.max_frontier });
    if (answer.guarantee === 'optimal') this.play.score.found(answer);
    const { tone, text, word, advice = '' } = verdict(answer);
    const { stats } = answer;
    const how = answer.chosen ? '{algorithm} with {heuristic}, chosen because {chosen}.'
      : '{algorithm} with {heuristic}.';
    const extras = Object.entries({ moves: 'moves', fewest_moves: 'fewest moves of any solution' })
      .filter(([key]) => answer[key] !== undefined).map(([key, name]) => [name, grouped(answer[key])]);
    this.status.textContent = '';
    this.answerBox.replaceChildren(
      el('div', { class: `verdict ${tone}` },
        el('p', {}, el('strong', {}, text), ' ', term('why?', GLOSSARY[word])),
        el('p', { class: 'how' }, t(how, answer) + advice)),
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
      await api.trace({ board: store.request(), search: { algorithm, heuristic } }, {
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
