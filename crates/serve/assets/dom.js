// DOM elements, controls, downloads and number formats that the views and puzzle modules share.

import { t } from './language.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The attributes that people read. */
const READ = new Set(['aria-label', 'title', 'placeholder', 'alt']);

/** Texts that the page has in another language are translated. */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (['value', 'checked', 'disabled', 'hidden', 'selected'].includes(name)) node[name] = value;
    else node.setAttribute(name, value === true ? '' : READ.has(name) ? t(value) : value);
  }
  const shown = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  node.append(...shown.map((child) => (typeof child === 'string' ? t(child) : child)));
  return node;
}

/** An HTML element. */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

const ICONS = {
  first: 'M5 4v12M16 4 8 10l8 6z',
  back: 'M14 4 6 10l8 6z',
  play: 'M6 3l11 7-11 7z',
  pause: 'M6 4v12M14 4v12',
  next: 'M6 4l8 6-8 6z',
  last: 'M15 4v12M4 4l8 6-8 6z',
};

/** A button with an icon. */
export function iconButton(name, label, onclick) {
  const button = el('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick });
  setIcon(button, name, label);
  return button;
}

export function setIcon(button, name, label) {
  button.setAttribute('aria-label', t(label));
  button.title = t(label);
  button.replaceChildren(svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] })));
}

let fields = 0;

/** A labelled control. */
export function field(label, control) {
  fields += 1;
  control.id = `field-${fields}`;
  return el('div', { class: 'field' }, el('label', { for: control.id }, label), control);
}

/** Rebuilds the fields in an element; the one that had the focus has it again. */
export function rebuilt(root, build) {
  const labelOf = (one) => one?.querySelector('label')?.textContent;
  const active = document.activeElement;
  const focused = root.contains(active) ? labelOf(active.closest('.field')) : null;
  build();
  if (root.contains(active)) active.focus();
  if (!focused) return;
  const same = [...root.querySelectorAll('.field')].find((one) => labelOf(one) === focused);
  same?.querySelector('input, select')?.focus();
}

/**
 * Enables or disables a button. A disabled one keeps the focus, so that a keyboard user who has just pressed it does
 * not lose the place on the page.
 */
export function setEnabled(button, isEnabled) {
  button.setAttribute('aria-disabled', String(!isEnabled));
}

// In the capture phase, before any other listener.
document.addEventListener('click', (event) => {
  if (!event.target.closest?.('[aria-disabled="true"]')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

/** A select element; options are pairs of value and text. */
export function select(options, value, onchange) {
  const list = el('select', { onchange: (event) => onchange?.(event.target.value) });
  list.append(...options.map(([key, text]) => el('option', { value: key }, text)));
  list.value = value;
  return list;
}

/** Announces a text to screen readers. */
export function announce(text) {
  byId('announcer').textContent = t(text);
}

/** Downloads a file. */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const GROUPED = new Intl.NumberFormat('en');
export const grouped = (number) => GROUPED.format(number);

/** A time in a suitable unit. The clock of a browser counts in steps of a tenth of a millisecond. */
export function seconds(value) {
  if (value === 0) return '< 0.1 ms';
  if (value < 1e-3) return `${(value * 1e6).toFixed(0)} µs`;
  if (value < 1) return `${(value * 1e3).toPrecision(3)} ms`;
  return `${value.toPrecision(3)} s`;
}

/** An amount of memory in a suitable unit. */
export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let at = 0;
  for (; value >= 1024 && at < units.length - 1; at += 1) value /= 1024;
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`;
}

/** Whether the user prefers reduced motion. */
export const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
