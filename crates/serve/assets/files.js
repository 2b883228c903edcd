// Boards from files: chosen, dropped or pasted.

import { grouped } from './dom.js';
import { t } from './language.js';

/** The largest file that is read as a board, in bytes. */
const MOST_BYTES = 900_000;

/** Opens a file as a board, unless it is too large to be one. */
export async function takeFile(store, file) {
  if (file.size > MOST_BYTES) {
    const sizes = { name: file.name, most: grouped(MOST_BYTES), found: grouped(file.size) };
    store.tell('problem', new Error(t('{name}: expected a board of at most {most} bytes, found {found}', sizes)));
    return false;
  }
  return store.open({ text: await file.text(), name: file.name });
}

/** Accepts dropped files, and texts pasted outside input fields. */
export function takeDrops(store) {
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', async (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData('text/plain');
    if (file) await takeFile(store, file);
    else if (text) await store.open({ text });
  });
  addEventListener('paste', (event) => {
    if (event.target.closest?.('input, textarea, select')) return;
    const text = event.clipboardData.getData('text/plain');
    if (text.trim()) store.open({ text, name: t('pasted text') });
  });
}
