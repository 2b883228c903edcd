// The language of the page: English, or Chinese by the browser's language or the switch. The English text is the key.

import { CHINESE } from './chinese.js';
import { keep, kept } from './keep.js';

const preferred = navigator.languages?.[0] ?? navigator.language ?? 'en';

/** The language shown: `en` or `zh`. */
export const language = kept('language') ?? (preferred.toLowerCase().startsWith('zh') ? 'zh' : 'en');

const texts = new Map(Object.entries(language === 'zh' ? CHINESE : {}));

/** Adds the texts of a puzzle. */
export function addTexts(translations = {}) {
  for (const [english, text] of Object.entries(translations[language] ?? {})) texts.set(english, text);
}

/** A text in the language of the page; `{name}` is replaced by a value. */
export function t(english, values = {}) {
  const text = texts.get(english) ?? english;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** Changes the language. The page begins anew; its board is in its address. */
export function speak(chosen) {
  keep('language', chosen);
  location.reload();
}
