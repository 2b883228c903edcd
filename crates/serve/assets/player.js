// Playback controls: buttons, a slider and a speed.

import { el, field, iconButton, select, setIcon } from './dom.js';

export class Transport {
  /** `actions` has the functions first, back, toggle, next, last, seek(position) and speed(factor). */
  constructor(label, actions, speeds, speed) {
    this.toggle = iconButton('play', 'Play', () => actions.toggle());
    this.slider = el('input', {
      type: 'range', min: 0, max: 0, value: 0, 'aria-label': `${label}: position`,
      oninput: (event) => actions.seek(Number(event.target.value)),
    });
    this.count = el('output', { class: 'count' }, '0 / 0');
    const speedList = select(speeds, speed, (value) => actions.speed(Number(value)));
    this.buttons = [
      iconButton('first', 'To the beginning', () => actions.first()),
      iconButton('back', 'A step back', () => actions.back()),
      this.toggle,
      iconButton('next', 'A step on', () => actions.next()),
      iconButton('last', 'To the end', () => actions.last()),
    ];
    this.root = el(
      'div',
      { class: 'transport', role: 'group', 'aria-label': label },
      el('div', { class: 'buttons' }, this.buttons),
      this.slider,
      this.count,
      field('Speed', speedList),
    );
  }

  show(position, length, isPlaying, text = `${position} / ${length}`) {
    this.slider.max = length;
    this.slider.value = position;
    this.slider.disabled = length === 0;
    this.slider.setAttribute('aria-valuetext', text);
    this.count.textContent = text;
    setIcon(this.toggle, isPlaying ? 'pause' : 'play', isPlaying ? 'Pause' : 'Play');
  }
}

/** Handles the keys of the buttons; true if `key` is one. */
export function transportKey(key, actions) {
  const action = {
    ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ' ': 'toggle',
  }[key];
  if (action) actions[action]();
  return Boolean(action);
}
