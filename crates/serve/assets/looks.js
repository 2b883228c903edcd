// How the page looks: light or dark, large type for a projector, and the language.

import { el } from './dom.js';
import { keep, kept } from './keep.js';
import { language, speak } from './language.js';

const root = document.documentElement;

/** The medium of the rules for dark colours, by what was chosen. */
const MEDIA = { light: 'not all', dark: 'screen', '': 'screen and (prefers-color-scheme: dark)' };

/** The rules for dark colours. */
let darkRules;

function darkRulesOf(sheet) {
  return [...sheet.cssRules].filter((rule) => rule.media?.mediaText.includes('prefers-color-scheme: dark'));
}

/** Puts on the looks that were chosen before. */
export function wearLooks() {
  const theme = kept('theme') ?? '';
  darkRules ??= [...document.styleSheets].flatMap(darkRulesOf);
  for (const rule of darkRules) rule.media.mediaText = MEDIA[theme];
  root.dataset.theme = theme;
  root.classList.toggle('presenting', kept('presenting', false));
}

const isDark = () =>
  (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);

/** The buttons that change the looks. */
export function looksMenu() {
  const theme = el('button', {
    type: 'button', class: 'tab', title: 'Light or dark', 'aria-label': 'Dark mode', 'aria-pressed': String(isDark()),
    onclick: () => {
      keep('theme', isDark() ? 'light' : 'dark');
      wearLooks();
      theme.setAttribute('aria-pressed', String(isDark()));
    },
  }, '◐');
  const presenter = el('button', {
    type: 'button', class: 'tab', title: 'Large type for a projector',
    'aria-pressed': String(root.classList.contains('presenting')),
    onclick: () => {
      keep('presenting', !root.classList.contains('presenting'));
      wearLooks();
      presenter.setAttribute('aria-pressed', String(root.classList.contains('presenting')));
    },
  }, 'A+');
  const [other, label, lang] = language === 'zh' ? ['en', 'English', 'en'] : ['zh', '中文', 'zh-Hans'];
  const tongue = el('button', { type: 'button', class: 'tab', lang, onclick: () => speak(other) }, label);
  return el('div', { class: 'tabs' }, theme, presenter, tongue);
}
