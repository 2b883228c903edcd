// Every puzzle: edited, solved, stepped through and played by hand.

import assert from 'node:assert/strict';

import { boardPoint, boardText, cell, changed, choose, enabled, mode, solve, solveButton } from './support.mjs';
import { click, link, page, solveAndStep } from './world.mjs';

page('die: edited with the mouse, solved, stepped', async (p) => {
  await mode(p, 'Edit');
  const text = await boardText(p);
  await click(p, ...cell(4, 0));
  const walled = await changed(p, text);
  assert.equal(walled.split('\n')[4][0], '*');
  await p.getByRole('radio', { name: 'Goal' }).check();
  await click(p, ...cell(4, 5));
  const moved = await changed(p, walled);
  assert.equal(moved.split('\n')[4][5], 'G');
  assert.equal(moved.match(/G/g).length, 1);
  // Painting by dragging.
  await p.getByRole('radio', { name: 'Wall' }).check();
  const [from, to] = [await boardPoint(p, ...cell(3, 1)), await boardPoint(p, ...cell(3, 3))];
  await p.mouse.move(from.x, from.y);
  await p.mouse.down();
  await p.mouse.move(to.x, to.y, { steps: 12 });
  await p.mouse.up();
  await p.waitForFunction(() => document.querySelector('textarea').value.split('\n')[3].slice(1, 4) === '***');
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
  // The faces of the die are seen.
  assert.equal(await p.locator('.stage .face:not(.hidden)').count(), 3);
});

page('tiles: a tile is slid by the rules and two are swapped, then solved', async (p) => {
  await choose(p, 'Sliding tiles');
  await mode(p, 'Edit');
  const text = await boardText(p);
  const tiles = (of) => of.trim().split(/\s+/).map(Number);
  const gap = tiles(text).indexOf(0);
  // The first board has its gap at the left of the second row; the tile above slides down.
  assert.equal(gap, 3);
  await click(p, ...cell(0, 0));
  const slid = await changed(p, text);
  assert.deepEqual(tiles(slid).slice(0, 4), [0, tiles(text)[1], tiles(text)[2], tiles(text)[0]]);
  await click(p, ...cell(2, 2));
  assert.equal(await boardText(p), slid, 'a tile that is not beside the gap stays');
  await p.getByRole('radio', { name: 'Swap two' }).check();
  await click(p, ...cell(2, 1));
  await click(p, ...cell(2, 2));
  const swapped = await changed(p, slid);
  assert.deepEqual(tiles(swapped).slice(7), [tiles(slid)[8], tiles(slid)[7]]);
  assert.match(await solve(p), /There is no solution: proved\./);
  await click(p, ...cell(2, 1));
  await click(p, ...cell(2, 2));
  await changed(p, swapped);
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
});

page('klotski: a piece is dragged and one is put down, then solved', async (p) => {
  await choose(p, 'Klotski');
  await mode(p, 'Edit');
  const text = await boardText(p);
  assert.equal(text.split('\n')[4], '2..2');
  const [from, to] = [await boardPoint(p, ...cell(4, 0)), await boardPoint(p, ...cell(4, 2))];
  await p.mouse.move(from.x, from.y);
  await p.mouse.down();
  await p.mouse.move(to.x, to.y, { steps: 20 });
  await p.mouse.up();
  await p.waitForFunction(() => /^\.(2\.|\.2)2$/.test(document.querySelector('textarea').value.split('\n')[4]));
  const slid = await boardText(p);
  await p.getByRole('radio', { name: 'Empty' }).check();
  await click(p, ...cell(4, 3));
  const emptied = await changed(p, slid);
  assert.equal(emptied.split('\n')[4][3], '.');
  // Without the 2 x 2 piece it is no board, and the program says so.
  await click(p, ...cell(0, 1));
  await p.getByRole('alert').getByText('expected a 2x2 piece, or a goal board below the start, found neither').waitFor();
  assert.ok(await solveButton(p).isDisabled());
  await p.getByRole('radio', { name: '2 x 2' }).check();
  await click(p, ...cell(0, 1));
  await enabled(p);
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
});

page('chexers: pieces and blocks are placed, then solved', async (p) => {
  await choose(p, 'Chexers');
  await mode(p, 'Edit');
  const board = async () => JSON.parse(await boardText(p));
  const before = await board();
  const free = [0, 0];
  await p.getByRole('radio', { name: 'Block' }).check();
  const text = await boardText(p);
  await click(p, 0, 0);
  await changed(p, text);
  const has = (list, hex) => list.some((other) => String(other) === String(hex));
  assert.ok(has((await board()).blocks, free));
  await p.getByRole('radio', { name: 'Piece' }).check();
  await click(p, 0, 0);
  await p.waitForFunction((count) => JSON.parse(document.querySelector('textarea').value).pieces.length === count, before.pieces.length + 1);
  assert.ok(!has((await board()).blocks, free));
  await p.getByLabel('Colour').selectOption('green');
  await p.waitForFunction(() => JSON.parse(document.querySelector('textarea').value).colour === 'green');
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
});

page('pancakes: some are flipped, two are swapped and two taken away, then solved', async (p) => {
  await choose(p, 'Pancakes');
  await mode(p, 'Edit');
  const sizes = (of) => of.trim().split(' ').map(Number);
  const text = await boardText(p);
  await click(p, ...cell(3, 0));
  const flipped = await changed(p, text);
  assert.deepEqual(sizes(flipped), [...sizes(text).slice(0, 4).reverse(), ...sizes(text).slice(4)]);
  // The letter takes the tool, which knows nothing of the flip.
  await p.keyboard.press('x');
  await click(p, ...cell(0, 0));
  await click(p, ...cell(1, 0));
  const swapped = await changed(p, flipped);
  assert.deepEqual(sizes(swapped), [sizes(flipped)[1], sizes(flipped)[0], ...sizes(flipped).slice(2)]);
  const count = sizes(text).length - 2;
  await p.getByLabel('Pancakes').fill(String(count));
  await p.getByLabel('Pancakes').press('Enter');
  const fewer = await changed(p, swapped);
  assert.deepEqual(sizes(fewer), sizes(swapped).filter((size) => size <= count));
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
});

page('pancakes: a click flips, and so do arrow keys and Enter', async (p) => {
  await mode(p, 'Play');
  await p.getByText('shortest 2').waitFor();
  await click(p, ...cell(2, 0));
  await p.waitForFunction(() => document.querySelector('.moves').textContent === '1');
  await p.waitForFunction(() => document.querySelector('#announcer').textContent === 'flip 3 2 1 3 4 5 6 from the top');
  await p.keyboard.press('ArrowUp');
  await p.waitForFunction(() => document.querySelector('#announcer').textContent === 'place 2 from the top: pancake 1');
  await p.keyboard.press('Enter');
  await p.getByText('Solved in 2 moves, which is optimal.').waitFor();
  assert.equal(await p.locator('.stage .pancake.home').count(), 6);
  await p.keyboard.press('ArrowUp');
  await p.keyboard.press('Enter');
  await p.getByText('A flip takes at least two pancakes.').waitFor();
}, { hash: link({ view: 'solve', puzzle: 'pancake', text: '3 1 2 4 5 6\n' }) });

page('the other puzzles are played with the mouse', async (p) => {
  const moves = (count) => p.waitForFunction((text) => document.querySelector('.moves')?.textContent === text, String(count));
  await choose(p, 'Sliding tiles');
  await mode(p, 'Play');
  await click(p, ...cell(0, 0));
  await moves(1);
  await choose(p, 'Klotski');
  await moves(0);
  const [from, to] = [await boardPoint(p, ...cell(4, 0)), await boardPoint(p, ...cell(4, 1))];
  await p.mouse.move(from.x, from.y);
  await p.mouse.down();
  await p.mouse.move(to.x, to.y, { steps: 8 });
  await p.mouse.up();
  await moves(1);
  await choose(p, 'Chexers');
  await moves(0);
  // A piece is taken to a hex of the exit and off the board.
  const { pieces } = JSON.parse(await boardText(p));
  assert.ok(pieces.some(([q, r]) => q === 2 && r === 0));
  const at = (q, r) => [26 * Math.sqrt(3) * (q + r / 2), 39 * r];
  await click(p, ...at(2, 0));
  await click(p, ...at(3, 0));
  await moves(1);
  await p.waitForFunction(() => document.querySelector('#announcer').textContent.startsWith('MOVE'));
  await click(p, ...at(3, 0));
  await click(p, ...at(3, 0));
  await moves(2);
  await p.waitForFunction(() => document.querySelector('#announcer').textContent.startsWith('EXIT'));
});
