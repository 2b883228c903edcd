// The card of boards: examples, classics, the board of the day, random boards, files, the text, and the link.

import { api } from './api.js';
import { announce, download, el, field, select } from './dom.js';
import { takeFile } from './files.js';
import { language, t } from './language.js';

const LEVELS = [['easy', 'easy'], ['medium', 'medium'], ['hard', 'hard']];

/** Today's date as `2026-01-31`, by the clock of the browser. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** The name of a classic layout: Chinese first for Chinese readers. */
function nameOf({ chinese, english, moves }) {
  const name = language === 'zh' ? chinese : `${english} ${chinese}`;
  return moves === null ? name : `${name} (${moves})`;
}

export class BoardCard {
  constructor(store) {
    this.store = store;
    this.examples = el('div', { class: 'examples' });
    this.level = select(LEVELS, 'easy');
    this.text = el('textarea', { rows: 8, spellcheck: 'false', 'aria-label': 'The board as text', class: 'mono' });
    const file = el('input', {
      type: 'file', onchange: async (event) => {
        const [chosen] = event.target.files;
        if (chosen) await takeFile(store, chosen);
        event.target.value = '';
      },
    });
    this.linkStatus = el('span', { role: 'status', class: 'help' });
    this.root = el(
      'section',
      { class: 'card', 'aria-labelledby': 'board-heading' },
      el('h2', { id: 'board-heading' }, 'Board'),
      this.examples,
      el('div', { class: 'row' }, field('Random', this.level),
        el('button', { type: 'button', onclick: () => this.random() }, 'Draw'),
        el('button', { type: 'button', onclick: () => this.ofToday() }, 'Board of the day')),
      field('Open a file, or drop or paste one anywhere', file),
      el('details', {}, el('summary', {}, 'As text'), this.text,
        el('div', { class: 'buttons' },
          el('button', { type: 'button', onclick: () => store.open({ text: this.text.value }) }, 'Read'),
          el('button', { type: 'button', onclick: () => this.saveText() }, 'Download'))),
      el('div', { class: 'row' },
        el('button', { type: 'button', onclick: () => this.copyLink() }, 'Copy link'), this.linkStatus),
    );
  }

  /** Called for a new board. */
  refresh(isEdit) {
    this.text.value = this.store.text;
    this.linkStatus.textContent = '';
    if (!isEdit) this.showExamples();
  }

  showExamples() {
    const { store } = this;
    const { examples, classics = [] } = store.card;
    const boards = [...examples, ...classics.map((one) => ({ name: nameOf(one), text: one.text }))];
    const known = boards.findIndex(({ text }) => text === store.text);
    const option = ({ name }, at) => el('option', { value: String(at) }, name);
    const list = el('select', {
      onchange: (event) => {
        const board = boards[Number(event.target.value)];
        if (board) store.open({ ...board, puzzle: store.puzzle });
      },
    });
    if (known < 0) list.append(el('option', { value: '' }, '…'));
    list.append(...examples.map(option));
    if (classics.length > 0) {
      const classic = classics.map((_, at) => option(boards[examples.length + at], examples.length + at));
      list.append(el('optgroup', { label: t('Classics, with their fewest moves') }, classic));
    }
    list.value = known < 0 ? '' : String(known);
    this.examples.replaceChildren(field('Example', list));
  }

  saveText() {
    const { module, puzzle, text } = this.store;
    download(`${puzzle}.${module.fileType ?? 'txt'}`, text, 'text/plain');
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.linkStatus.textContent = t(location.hash ? 'Copied.' : 'Copied, but the board is too large for a link.');
    } catch {
      this.linkStatus.textContent = t('The link is in the address of this page.');
    }
  }

  random() {
    return this.generate(this.level.value, {}, ({ seed }) => t('random board {seed}', { seed }));
  }

  /** The board that everybody gets on this day. */
  ofToday() {
    const date = today();
    return this.generate('medium', { seed: Number(date.replaceAll('-', '')) }, () => t('board of {date}', { date }));
  }

  async generate(level, more, nameOfDrawn) {
    const { module, puzzle } = this.store;
    this.root.ariaBusy = 'true';
    try {
      const drawn = await api.generate({ puzzle, ...module.levels[level], ...more });
      await this.store.open({ text: drawn.text, puzzle, name: nameOfDrawn(drawn) });
      announce('A new board.');
    } catch (error) {
      this.store.tell('problem', error);
    }
    this.root.ariaBusy = 'false';
  }
}
