// The score of a game: what was played, the proved optimum, and the best result that the browser has kept.

import { el, select } from './dom.js';
import { keep, kept } from './keep.js';
import { t } from './language.js';

/** The one metric of a puzzle that counts in one way. */
const MOVES = [['moves', 'Moves']];

/** A short name of a board, to keep results by. */
function nameOf({ puzzle, text, start }) {
  let hash = 5381;
  for (const letter of text + JSON.stringify(start ?? '')) hash = ((hash * 33) ^ letter.charCodeAt(0)) >>> 0;
  return `best.${puzzle}.${hash.toString(36)}`;
}

export class Score {
  constructor(store) {
    this.store = store;
    this.count = el('strong', { class: 'moves' }, '0');
    this.optimum = el('strong', { class: 'optimum' }, '…');
    this.best = el('span', { class: 'of' });
    this.label = el('span');
    this.root = el('div', { class: 'score' }, el('p', {}, this.label, ' ', this.count,
      el('span', { class: 'of' }, 'shortest', ' ', this.optimum), this.best));
    this.history = [];
    this.forget();
  }

  get metrics() {
    return this.store.module.metrics ?? MOVES;
  }

  get metric() {
    const names = this.metrics.map(([name]) => name);
    const chosen = kept('metric');
    return names.includes(chosen) ? chosen : names[0];
  }

  /** Forgets the optimum of the last board. */
  forget() {
    this.least = null;
    this.optimum.textContent = '…';
  }

  /** Begins a game. */
  begin() {
    this.chooser?.remove();
    this.chooser = null;
    if (this.metrics.length > 1) {
      this.chooser = select(this.metrics, this.metric, (name) => { keep('metric', name); this.show(this.history); });
      this.chooser.setAttribute('aria-label', t('What to count'));
      this.root.prepend(this.chooser);
    }
  }

  /** The answer of the search for the optimum; without one, the optimum is unknown. */
  found(answer) {
    if (answer?.outcome === 'solved' && answer.guarantee === 'optimal') {
      this.least = { [this.metrics[0][0]]: answer.cost, moves: answer.fewest_moves ?? answer.cost };
    } else {
      this.least = answer?.outcome === 'unsolvable' ? 'none' : 'unknown';
    }
    this.show(this.history);
  }

  /** The optimum in the metric, if it is known. */
  get leastCount() {
    return this.least?.[this.metric] ?? null;
  }

  /** The number of actions played, or of moves if runs of one piece count once. */
  played() {
    const { isSameMove } = this.store.module;
    const actions = this.history.slice(1).map(({ action }) => action);
    if (this.metric === this.metrics[0][0] || !isSameMove) return actions.length;
    return actions.filter((action, at) => at === 0 || !isSameMove(actions[at - 1], action)).length;
  }

  show(history) {
    this.history = history;
    this.label.textContent = this.chooser ? '' : t(this.metrics.find(([name]) => name === this.metric)[1]);
    this.count.textContent = String(this.played());
    const known = typeof this.least === 'string' ? t(this.least) : this.leastCount;
    this.optimum.textContent = this.least === null ? '…' : String(known ?? t('unknown'));
    const best = kept(nameOf(this.store), {})[this.metric];
    this.best.textContent = best === undefined ? '' : t('your best {best}', { best });
  }

  /** Keeps the result of a solved game. Returns what is to say about it. */
  finish() {
    const count = this.played();
    const name = nameOf(this.store);
    const results = kept(name, {});
    const isRecord = results[this.metric] === undefined || count < results[this.metric];
    if (isRecord) keep(name, { ...results, [this.metric]: count });
    this.show(this.history);
    const unit = { steps: ['step', 'steps'], moves: ['move', 'moves'] }[this.metric][count === 1 ? 0 : 1];
    const solved = t('Solved in {count} {unit}', { count, unit: t(unit) });
    const best = this.leastCount;
    const how = best === null ? '' : count === best ? t(', which is optimal') : t('; {best} is proved best', { best });
    return `${solved}${how}${t('.')}`;
  }
}
