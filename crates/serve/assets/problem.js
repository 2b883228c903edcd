// The message about a file or request that was refused.

import { byId, el } from './dom.js';
import { t } from './language.js';

/** The text of a refusal, with each line of the file and a caret below the column. */
function textOf(error) {
  const { faults, puzzle, more } = error.body ?? {};
  if (!faults) return error.message;
  const lines = error.message.split('\n');
  const shown = faults.map((fault, at) => {
    if (!fault.text && fault.text !== '') return lines[at];
    const number = String(fault.line);
    const indent = ' '.repeat(fault.column - 1);
    return `${lines[at]}\n ${number} | ${fault.text}\n ${' '.repeat(number.length)} | ${indent}^`;
  });
  if (more) shown.push(t('... and {more} more', { more }));
  if (puzzle) shown.push(t('(read as a {puzzle} puzzle)', { puzzle }));
  return shown.join('\n');
}

/** Shows an error, or none. It stays in sight wherever the page is scrolled to. */
export function showProblem(store, error) {
  const box = byId('problem');
  box.hidden = !error;
  if (!error) {
    box.replaceChildren();
    return;
  }
  const names = error.body?.could_be ?? [];
  box.replaceChildren(
    el('pre', { tabindex: 0 }, textOf(error)),
    // If several puzzles fit the text, the user chooses.
    ...names.map((name) => el('button', {
      type: 'button', onclick: () => store.open({ ...store.tried, puzzle: name }),
    }, t('Read as {name}', { name: t(store.modules[name]?.title ?? name) }))),
    el('button', { type: 'button', onclick: () => showProblem(store, null) }, 'Dismiss'),
  );
}
