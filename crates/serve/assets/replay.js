// The solution mode: plays a solution step by step.

import { announce, el } from './dom.js';
import { t } from './language.js';
import { Transport, transportKey } from './player.js';

const SPEEDS = [['0.5', 'slow'], ['1', 'normal'], ['2', 'fast'], ['5', 'very fast']];
/** The duration of a step at normal speed, in milliseconds. */
const STEP = 420;

export class Replay {
  constructor(store, widget) {
    this.store = store;
    this.widget = widget;
    this.speed = 1;
    this.actions = {
      first: () => this.seek(0),
      back: () => this.seek(this.at - 1),
      next: () => { this.pause(); this.step(); },
      last: () => this.seek(this.answer.actions.length),
      seek: (at) => this.seek(at),
      toggle: () => (this.playing ? this.pause() : this.play()),
      speed: (speed) => { this.speed = speed; },
    };
    this.transport = new Transport('Solution', this.actions, SPEEDS, '1');
    this.list = el('ol', { class: 'actions', tabindex: 0, 'aria-label': 'Actions of the solution' });
    this.list.addEventListener('click', (event) => {
      const item = event.target.closest('li');
      if (item) this.seek(Number(item.dataset.at));
    });
    this.root = el('div', { class: 'mode-panel replay-panel' }, this.transport.root, this.list);
  }

  handler() {
    return { key: (key) => transportKey(key, this.actions) };
  }

  /** Shows a solution from its beginning. */
  load(answer) {
    this.pause();
    this.answer = answer;
    this.at = 0;
    const items = answer.actions.map((action, at) => el('li', { 'data-at': at + 1 }, action));
    this.list.replaceChildren(...items);
    this.list.classList.toggle('short', answer.actions.every((action) => action.length < 7));
    this.seek(0);
  }

  begin() {
    this.widget.show(this.answer.states[this.at]);
    this.widget.scene.way?.(this.answer.states);
    this.show();
  }

  leave() {
    this.pause();
    this.widget.scene?.way?.([]);
  }

  show() {
    const { length } = this.answer.actions;
    this.transport.show(this.at, length, this.playing);
    const current = this.list.querySelector('[aria-current]');
    current?.removeAttribute('aria-current');
    const item = this.list.children[this.at - 1];
    if (item) {
      item.setAttribute('aria-current', 'step');
      // Only the list scrolls, never the page.
      const { list } = this;
      const top = item.offsetTop - list.offsetTop;
      const bottom = top + item.offsetHeight;
      if (top < list.scrollTop) list.scrollTop = top;
      else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
    } else {
      this.list.scrollTop = 0;
    }
  }

  seek(at) {
    this.pause();
    this.at = Math.min(this.answer.actions.length, Math.max(0, at));
    this.widget.show(this.answer.states[this.at]);
    this.show();
    this.tell();
  }

  tell() {
    const action = this.answer.actions[this.at - 1] ?? t('Start');
    announce(`${action} ${this.store.module.stateText(this.answer.states[this.at])}`);
  }

  /** Plays one action; false at the end. */
  async step() {
    if (this.at >= this.answer.actions.length) return false;
    const action = this.answer.actions[this.at];
    this.at += 1;
    this.show();
    await this.widget.animate(action, this.answer.states[this.at], STEP / this.speed, { waits: Boolean(this.playing) });
    if (!this.playing) this.tell();
    return this.at < this.answer.actions.length;
  }

  async play() {
    if (this.at >= this.answer.actions.length) this.seek(0);
    const token = {};
    this.playing = token;
    this.show();
    while (this.playing === token && await this.step());
    if (this.playing === token) this.pause();
  }

  pause() {
    if (!this.playing) return;
    this.playing = null;
    this.show();
  }
}
