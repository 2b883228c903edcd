// Short explanations in place: beside a word on hover, focus and tap. One element shows them all.

import { byId, el } from './dom.js';
import { GLOSSARY } from './glossary.js';
import { t } from './language.js';

/** The room between a word and its explanation, and at the edges of the window. */
const GAP = 6;

let box;
let owner;

function show(target, text) {
  box ??= el('div', { id: 'tip', class: 'tip', role: 'tooltip', popover: 'manual' });
  if (!box.isConnected) byId('main').append(box);
  hide();
  owner = target;
  box.textContent = text;
  box.showPopover?.();
  target.setAttribute('aria-describedby', 'tip');
  const [at, size] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
  const isBelow = at.bottom + GAP + size.height < innerHeight;
  const left = Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - size.width - GAP));
  box.style.left = `${left}px`;
  box.style.top = `${isBelow ? at.bottom + GAP : Math.max(GAP, at.top - GAP - size.height)}px`;
}

function hide() {
  if (!owner) return;
  owner.removeAttribute('aria-describedby');
  owner = null;
  if (box.matches(':popover-open')) box.hidePopover();
}

addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
addEventListener('scroll', hide, { passive: true, capture: true });
addEventListener('pointerdown', (event) => { if (owner && !owner.contains(event.target)) hide(); });

/** Explains an element by a text, or by what a function returns when it is asked. Returns the element. */
export function explained(element, text) {
  const say = () => {
    const found = typeof text === 'function' ? text() : text;
    if (found) show(element, t(found));
  };
  const leave = () => { if (owner === element) hide(); };
  element.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') say(); });
  element.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') leave(); });
  element.addEventListener('focusin', say);
  element.addEventListener('focusout', leave);
  element.addEventListener('click', say);
  return element;
}

/** A word with its explanation in the glossary; without one, the word. */
export function term(word, text = GLOSSARY[word]) {
  return text ? explained(el('button', { type: 'button', class: 'term' }, word), text) : el('span', {}, word);
}
