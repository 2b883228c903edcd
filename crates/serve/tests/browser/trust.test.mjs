// What a person relies on: the history, undo, touch, messages, and that what is shown belongs to what is chosen.

import assert from 'node:assert/strict';

import {
  boardPoint, boardText, button, cell, changed, choose, enabled, mode, solve, until, view,
} from './support.mjs';
import { click, link, page } from './world.mjs';

const TRAP = 'G*..\n....\n....\n..S.\n';
const CLASSIC = '^11^\nv11v\n^<>^\nv22v\n2..2\n';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const movesAre = (p, count) =>
  p.waitForFunction((text) => document.querySelector('.moves')?.textContent === text, String(count));
const currentPuzzle = (p) => p.locator('#puzzles [aria-current="true"]').innerText();
const currentView = (p) => p.locator('#views [aria-current="page"]').innerText();

/** Swipes with a finger, as the browser sees it. */
async function swipe(p, from, to) {
  const session = await p.context().newCDPSession(p);
  const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [from]);
  for (let step = 1; step <= 10; step += 1) {
    const part = (name) => from[name] + ((to[name] - from[name]) * step) / 10;
    await touch('touchMove', [{ x: part('x'), y: part('y') }]);
  }
  await touch('touchEnd', []);
}

page('the results of a watched search go when its heuristic changes', async (p) => {
  await button(p, 'Search').click();
  await enabled(p);
  await button(p, 'To the end').click();
  const answers = p.locator('.watch-answer');
  await answers.first().getByText('9 steps, proved optimal').waitFor();
  await p.getByLabel('Heuristic').first().selectOption('manhattan');
  await until(async () => await answers.first().innerText() === '');
  assert.match(await answers.last().innerText(), /9 steps/, 'the other search keeps its results');
  assert.equal(await p.locator('.pane').first().locator('.layer-bars rect').count(), 0);
}, { hash: link({ view: 'watch', puzzle: 'die', text: TRAP }) });

page('space and arrow keys move a watched search', async (p) => {
  await button(p, 'Search').click();
  await enabled(p);
  await p.evaluate(() => document.activeElement.blur());
  const count = p.locator('.watch-view .count');
  await p.keyboard.press('Home');
  await p.keyboard.press('ArrowRight');
  await until(async () => (await count.innerText()).startsWith('1 of'));
  await p.keyboard.press('End');
  await until(async () => /^(\d+) of \1 /.test(await count.innerText()));
  await p.keyboard.press('Home');
  await p.keyboard.press(' ');
  await button(p, 'Pause').waitFor();
}, { hash: link({ view: 'watch', puzzle: 'die', text: TRAP }) });

page('a swipe over the board scrolls and changes nothing', async (p) => {
  const walls = await boardText(p);
  for (const name of ['Play', 'Edit']) {
    await mode(p, name);
    await p.evaluate(() => scrollTo(0, 0));
    const [from, to] = [await boardPoint(p, ...cell(3, 2)), await boardPoint(p, ...cell(0, 2))];
    await swipe(p, from, to);
    await until(() => p.evaluate(() => scrollY > 40));
    assert.equal(await boardText(p), walls, name);
  }
  // A finger on the die rolls it and does not scroll.
  await mode(p, 'Play');
  await p.evaluate(() => scrollTo(0, 0));
  await swipe(p, await boardPoint(p, ...cell(0, 4)), await boardPoint(p, ...cell(1, 4)));
  await movesAre(p, 1);
  assert.equal(await p.evaluate(() => scrollY), 0);
}, { options: PHONE });

page('the message about a bad file is seen on a phone', async (p) => {
  await p.locator('input[type=file]').scrollIntoViewIfNeeded();
  await p.locator('input[type=file]').setInputFiles({
    name: 'maze.txt', mimeType: 'text/plain', buffer: Buffer.from('S..\n.x.\n..G\n'),
  });
  await p.getByRole('alert').waitFor();
  const seen = await p.getByRole('alert').evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  assert.ok(seen);
}, { options: PHONE });

page('a file that is too large is refused by the chooser', async (p) => {
  const text = await boardText(p);
  await p.locator('input[type=file]').setInputFiles({
    name: 'huge.txt', mimeType: 'text/plain', buffer: Buffer.alloc(900_001, '.'),
  });
  await p.getByRole('alert').getByText('huge.txt: expected a board of at most 900,000 bytes, found 900,001').waitFor();
  assert.equal(await boardText(p), text);
});

page('a message has no words of the command line', async (p) => {
  await p.getByText('As text').click();
  await p.getByLabel('The board as text').fill('hello\n');
  await button(p, 'Read').click();
  await p.getByRole('alert').waitFor();
  assert.doesNotMatch(await p.getByRole('alert').innerText(), /--/);
});

page('edits are undone and made again', async (p) => {
  await mode(p, 'Edit');
  const texts = [await boardText(p)];
  for (const column of [0, 1, 2]) {
    await click(p, ...cell(4, column));
    texts.push(await changed(p, texts.at(-1)));
  }
  await button(p, 'Undo').click();
  await until(async () => await boardText(p) === texts[2]);
  await p.keyboard.press('Control+z');
  await until(async () => await boardText(p) === texts[1]);
  await p.keyboard.press('Control+y');
  await until(async () => await boardText(p) === texts[2]);
  await button(p, 'Redo').click();
  await until(async () => await boardText(p) === texts[3]);
  // A new edit ends what could be made again.
  await p.keyboard.press('Control+z');
  await click(p, ...cell(4, 5));
  await until(async () => await button(p, 'Redo').getAttribute('aria-disabled') === 'true');
});

page('Back returns to the board and the view before, and stays on the page', async (p) => {
  const first = await boardText(p);
  await choose(p, 'Klotski');
  await view(p, 'Audit');
  await choose(p, 'Pancakes');
  await p.goBack();
  await until(async () => await currentPuzzle(p) === 'Klotski' && await currentView(p) === 'Audit');
  await p.goBack();
  await until(async () => await currentView(p) === 'Puzzle' && await currentPuzzle(p) === 'Klotski');
  await p.goBack();
  await until(async () => await currentPuzzle(p) === 'Rolling die');
  assert.equal(await boardText(p), first);
  await p.goForward();
  await until(async () => await currentPuzzle(p) === 'Klotski');
  // Many edits are one entry.
  await mode(p, 'Edit');
  await p.getByRole('radio', { name: 'Empty' }).check();
  const text = await boardText(p);
  await click(p, ...cell(4, 0));
  const once = await changed(p, text);
  await click(p, ...cell(4, 3));
  await changed(p, once);
  await p.goBack();
  await until(async () => await boardText(p) === text);
});

page('the skip link leads to the content and keeps board and settings', async (p) => {
  await p.getByLabel('Algorithm').selectOption('bfs');
  const address = p.url();
  await p.evaluate(() => document.activeElement.blur());
  await p.keyboard.press('Tab');
  assert.equal(await p.evaluate(() => document.activeElement.textContent), 'To the content');
  await p.keyboard.press('Enter');
  assert.equal(await p.evaluate(() => document.activeElement.id), 'main');
  assert.equal(await p.getByLabel('Algorithm').inputValue(), 'bfs');
  assert.equal(p.url(), address);
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

page('with reduced motion a solution takes its time', async (p) => {
  await solve(p);
  const begin = Date.now();
  await button(p, 'Play').last().click();
  await p.getByText('9 / 9', { exact: true }).waitFor();
  await p.getByRole('button', { name: 'Play', exact: true }).last().waitFor();
  assert.ok(Date.now() - begin > 8 * 420, `${Date.now() - begin} ms for nine steps`);
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

page('a large maze is drawn', async (p) => {
  const size = 300;
  const row = (at) => [...Array(size)].map((_, column) => ((at * 7 + column * 13) % 11 === 5 ? '*' : '.')).join('');
  const rows = [...Array(size)].map((_, at) => row(at));
  rows[0] = `S${rows[0].slice(1)}`;
  rows[size - 1] = `${rows[size - 1].slice(0, -1)}G`;
  await p.locator('input[type=file]').setInputFiles({
    name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.from(`${rows.join('\n')}\n`),
  });
  await p.locator('.stage .wall-image').waitFor();
  // Walls and floor are seen, and the die is not a speck.
  const shot = await p.locator('.stage').screenshot();
  assert.ok(shot.length > 8000, `${shot.length} bytes: the board is blank`);
  const { width } = await p.locator('.stage .face:not(.hidden)').first().boundingBox();
  assert.ok(width > 4, `the die has ${width} pixels`);
});

page('a move against the rules is refused with the reason', async (p) => {
  await p.locator('.stage').focus();
  await p.keyboard.press('ArrowDown');
  await p.getByText('The board ends there.').waitFor();
  await p.keyboard.press('ArrowUp');
  await movesAre(p, 1);
  await p.keyboard.press('ArrowUp');
  await p.getByText('The 6 would be up.').waitFor();
  await movesAre(p, 1);
  await choose(p, 'Sliding tiles');
  await click(p, ...cell(2, 2));
  await p.getByText('Only a tile beside the gap can slide.').waitFor();
  await movesAre(p, 0);
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

for (const [text, offer] of [
  ['2 1\n3 0\n', 'Take the goal with the gap first'],
  ['1 2 3\n4 5 6\n8 7 0\n', 'Take the goal with its last two tiles exchanged'],
]) {
  page(`the goal of the tiles is shown; where parity forbids it: ${offer}`, async (p) => {
    assert.equal(await p.locator('.goal-board .tile').count(), text.split(/\s+/).length - 2);
    await p.getByText('Parity forbids this goal').waitFor();
    await button(p, offer).click();
    await p.getByText('Parity forbids this goal').waitFor({ state: 'hidden' });
    assert.match(await boardText(p), /\n\n/, 'the text has a goal of its own');
    assert.match(await solve(p), /proved optimal/);
  }, { hash: link({ view: 'solve', puzzle: 'tiles', text }) });
}

page('Klotski counts in steps and in moves', async (p) => {
  await p.getByText('shortest 116').waitFor();
  // A piece follows the pointer over two cells: two steps, one move.
  const [from, to] = [await boardPoint(p, ...cell(4, 0)), await boardPoint(p, ...cell(4, 2))];
  await p.mouse.move(from.x, from.y);
  await p.mouse.down();
  await p.mouse.move(from.x + (to.x - from.x) / 4, from.y, { steps: 4 });
  const left = await p.locator('.stage .block').last().boundingBox();
  assert.ok(left, 'the piece is drawn on its way');
  await p.mouse.move(to.x, to.y, { steps: 20 });
  await until(async () => await p.locator('.moves').innerText() !== '0');
  await p.mouse.move(to.x + 2, to.y, { steps: 4 });
  await p.mouse.up();
  await movesAre(p, 2);
  await p.getByLabel('What to count').selectOption('moves');
  await movesAre(p, 1);
  await p.getByText('shortest 81').waitFor();
}, { hash: link({ view: 'solve', puzzle: 'klotski', text: CLASSIC }) });
