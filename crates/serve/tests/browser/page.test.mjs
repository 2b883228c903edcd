import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import {
  BAD_FILE, LAB_VIEWS, boardPoint, boardText, button, cell, changed, choose, complaints, enabled, onPage, ready, solve,
  solveButton, startBrowser, startOwnPuzzle, startServer, tabTo, until, view,
} from './support.mjs';

const TITLES = ['Rolling die', 'Sliding tiles', 'Klotski', 'Chexers'];
/** One heuristic overestimates here; the shortest solution takes 9 rolls. */
const TRAP = 'G*..\n....\n....\n..S.\n';

const world = {};
before(async () => {
  world.server = await startServer();
  world.url = world.server.url;
  world.browser = await startBrowser();
});
after(async () => {
  await world.browser?.close();
  world.server?.stop();
});

const page = (name, run, options) => test(name, { timeout: 180_000 }, () => onPage(world, run, options));
const link = (values) => `#${new URLSearchParams(values)}`;

/** Clicks on the board. */
async function click(p, x, y) {
  const point = await boardPoint(p, x, y);
  await p.mouse.click(point.x, point.y);
}

/** Solves, steps forward and back, and checks the displayed step. */
async function solveAndStep(p, expected) {
  assert.match(await solve(p), expected);
  const count = p.locator('.replay-panel .count');
  // Hidden pieces may be anywhere.
  const picture = () => p.locator('.stage .board').first().evaluate((board) => {
    const copy = board.cloneNode(true);
    copy.querySelectorAll('.hidden').forEach((hidden) => hidden.remove());
    return copy.outerHTML;
  });
  const length = Number((await count.innerText()).split(' / ')[1]);
  assert.ok(length > 0);
  const start = await picture();
  await button(p, 'A step on').click();
  await p.getByText(`1 / ${length}`, { exact: true }).waitFor();
  await until(async () => await picture() !== start);
  await button(p, 'A step back').click();
  await p.getByText(`0 / ${length}`, { exact: true }).waitFor();
  await until(async () => await picture() === start);
  await button(p, 'To the end').click();
  await p.getByText(`${length} / ${length}`, { exact: true }).waitFor();
  const text = (selector) => p.locator(selector).last().innerText();
  assert.equal(await text('.actions li[aria-current]'), await text('.actions li'));
  // Playback from the beginning reaches the end.
  await p.getByRole('combobox', { name: 'Speed' }).selectOption('5');
  await button(p, 'Play').last().click();
  await p.getByText(`${length} / ${length}`, { exact: true }).waitFor();
}

page('die: edited with the mouse, solved, stepped', async (p) => {
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
  // The faces of the die are visible.
  assert.equal(await p.locator('.stage .face:not(.hidden)').count(), 3);
});

page('tiles: a tile is slid by the rules and two are swapped, then solved', async (p) => {
  await choose(p, 'Sliding tiles');
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
  // A board without the 2 x 2 piece is refused.
  await click(p, ...cell(0, 1));
  const message = 'expected a 2x2 piece, or a goal board below the start, found neither';
  await p.getByRole('alert').getByText(message).waitFor();
  assert.ok(await solveButton(p).isDisabled());
  await p.getByRole('radio', { name: '2 x 2' }).check();
  await click(p, ...cell(0, 1));
  await enabled(p);
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
});

page('chexers: pieces and blocks are placed, then solved', async (p) => {
  await choose(p, 'Chexers');
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
  const hasPieces = (count) => JSON.parse(document.querySelector('textarea').value).pieces.length === count;
  await p.waitForFunction(hasPieces, before.pieces.length + 1);
  assert.ok(!has((await board()).blocks, free));
  await p.getByLabel('Colour').selectOption('green');
  await p.waitForFunction(() => JSON.parse(document.querySelector('textarea').value).colour === 'green');
  await solveAndStep(p, /^Shortest solution: \d+ steps, proved optimal\.$/);
});

page('a person plays with hints and gets to the shortest solution', async (p) => {
  await button(p, 'Play').first().click();
  await p.getByText('shortest 9').waitFor();
  await p.locator('.stage').focus();
  const arrows = { N: 'ArrowUp', E: 'ArrowRight', S: 'ArrowDown', W: 'ArrowLeft' };
  for (let moves = 1; moves <= 9; moves += 1) {
    await p.keyboard.press('h');
    await p.getByText(`(${10 - moves} to go)`).waitFor();
    const [, action] = (await p.locator('.note').innerText()).match(/^Best: (\w) /);
    assert.equal(await p.locator('.marks .hint').count(), 1, 'the cell is pointed at');
    await p.keyboard.press(arrows[action]);
    await p.waitForFunction((count) => document.querySelector('.moves').textContent === count, String(moves));
  }
  await p.getByText('Solved in 9 moves, which is optimal.').waitFor();
  await button(p, 'Undo').click();
  await p.waitForFunction(() => document.querySelector('.moves').textContent === '8');
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

page('the other puzzles are played with the mouse', async (p) => {
  const showsMoves = (text) => document.querySelector('.moves')?.textContent === text;
  const moves = (count) => p.waitForFunction(showsMoves, String(count));
  await choose(p, 'Sliding tiles');
  await button(p, 'Play').first().click();
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

page('a long search is cancelled, and the page goes on', async (p) => {
  await p.getByLabel('Algorithm').selectOption('idastar');
  await p.getByLabel('Heuristic').selectOption('zero');
  await solveButton(p).click();
  await p.locator('.status').getByText(/bound \d+, [\d,]+ states expanded/).first().waitFor();
  await button(p, 'Cancel').click();
  await p.getByText('Cancelled.').waitFor();
  assert.ok(await solveButton(p).isEnabled());
  await p.getByLabel('Example').selectOption({ label: 'random 8-puzzle' });
  await p.getByLabel('Heuristic').selectOption('manhattan');
  await p.getByLabel('Algorithm').selectOption('astar');
  assert.match(await solve(p), /proved optimal/);
}, { hash: link({ view: 'solve', puzzle: 'tiles', text: '1 3 7 4\n2 0 14 13\n9 10 5 8\n12 15 6 11\n' }) });

page('a bad file shows the message of the program', async (p) => {
  const text = await boardText(p);
  await p.getByLabel('Open a file').setInputFiles(BAD_FILE);
  const alert = p.getByRole('alert');
  await alert.getByText("error: maze.txt:2:2: expected 'S', 'G', '.' or '*', found 'x'").waitFor();
  const message = await alert.locator('pre').innerText();
  assert.equal(message, [
    "error: maze.txt:2:2: expected 'S', 'G', '.' or '*', found 'x'", ' 2 | .x', '   |  ^',
    'error: maze.txt:2:3: expected 3 cells as in the first row, found 2', ' 2 | .x', '   |   ^',
    "error: maze.txt:3:3: expected one goal 'G', found a second (the first is at 3:1)", ' 3 | G.G', '   |   ^',
    '(read as a die puzzle)',
  ].join('\n'));
  assert.equal(await boardText(p), text, 'the board stays');
  await button(p, 'Dismiss').click();
  assert.ok(await alert.isHidden());
  // A dropped file is recognised.
  await p.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['1 2 3\n4 5 6\n7 0 8\n'], 'easy.txt'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  const current = (title) => document.querySelector('#puzzles [aria-current="true"]').textContent === title;
  await p.waitForFunction(current, 'Sliding tiles');
  // So is a pasted text.
  await p.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', '{"colour": "blue", "pieces": [[0, 0]]}');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await p.waitForFunction(() => document.querySelector('#puzzles [aria-current="true"]').textContent === 'Chexers');
  // If two puzzles fit, the user chooses.
  await p.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', '1 1 0\n1 1 0\n0 0 0\n');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await alert.getByText('it could be tiles or klotski').waitFor();
  await button(p, 'Read as klotski').click();
  await p.waitForFunction(() => document.querySelector('#puzzles [aria-current="true"]').textContent === 'Klotski');
  assert.ok(await alert.isHidden());
});

page('the audit shows a counterexample that can be played', async (p) => {
  await button(p, 'Audit').last().click();
  const oriented = p.getByRole('region', { name: 'oriented' });
  await oriented.getByText('NOT admissible, NOT consistent').waitFor();
  await oriented.getByText(/^h = 3, and the goal is 1 step away: [NESW]$/).waitFor();
  await p.getByRole('region', { name: 'open-board' }).getByText('admissible and consistent').waitFor();
  const action = (await oriented.getByText(/^h = 3/).innerText()).slice(-1);
  await oriented.getByRole('button', { name: 'Play this board' }).click();
  await p.getByText('shortest 1').waitFor();
  await p.locator('.stage').focus();
  await p.keyboard.press({ N: 'ArrowUp', E: 'ArrowRight', S: 'ArrowDown', W: 'ArrowLeft' }[action]);
  await p.getByText('Solved in 1 move, which is optimal.').waitFor();
}, { hash: link({ view: 'audit', puzzle: 'die', text: TRAP }) });

page('two searches are watched side by side', async (p) => {
  for (const title of TITLES) {
    await choose(p, title);
    await view(p, 'Watch');
    await p.getByRole('combobox', { name: 'Speed' }).selectOption('2');
    await button(p, 'Search').click();
    const panes = p.locator('.pane');
    assert.equal(await panes.count(), 2);
    await p.waitForFunction(() => document.querySelector('.watch-view .primary').ariaDisabled !== 'true');
    await button(p, 'To the beginning').click();
    const count = p.locator('.watch-view .count');
    for (const [name, expected] of [['A step on', '1 of'], ['A step on', '2 of'], ['A step back', '1 of']]) {
      await button(p, name).click();
      assert.ok((await count.innerText()).startsWith(expected), `${name}: ${await count.innerText()}`);
    }
    await button(p, 'To the end').click();
    const answers = await panes.locator('.watch-answer').allInnerTexts();
    assert.match(answers[0], /^Shortest solution: \d+ steps, proved optimal\.$/);
    assert.equal(answers[0], answers[1], 'both are optimal');
    const expanded = await panes.locator('.figures dd:first-of-type').allInnerTexts();
    const number = (text) => Number(text.replaceAll(',', ''));
    assert.ok(number(expanded[0]) < number(expanded[6]), `a heuristic saves work: ${expanded}`);
    if (title === 'Rolling die') assert.ok(await p.locator('.heat').first().getAttribute('href'));
    assert.ok(await p.locator('.layer-bars rect').count() > 1);
  }
});

page('the comparison draws the bars of the lab, which can be kept', async (p) => {
  await button(p, 'Compare').last().click();
  await p.locator('.charts svg').nth(2).waitFor();
  assert.equal(await p.locator('tbody tr').count(), 6);
  const [kept] = await Promise.all([p.waitForEvent('download'), button(p, 'Download chart').first().click()]);
  assert.equal(kept.suggestedFilename(), 'die-generated.svg');
  const [figures] = await Promise.all([p.waitForEvent('download'), button(p, 'Download figures').click()]);
  assert.equal(figures.suggestedFilename(), 'die-figures.csv');
}, { hash: link({ view: 'compare', puzzle: 'die', text: TRAP }) });

page('solution and trace can be kept', async (p) => {
  await solve(p);
  for (const [name, file] of [['Download solution', 'die-solution.json'], ['Download trace', 'die-trace.jsonl']]) {
    const [kept] = await Promise.all([p.waitForEvent('download'), button(p, name).click()]);
    assert.equal(kept.suggestedFilename(), file);
  }
});

page('a link brings back board and settings', async (p) => {
  await choose(p, 'Klotski');
  await p.getByLabel('Heuristic').selectOption('an expression …');
  await p.getByLabel('Expression').fill('max(manhattan, 3)');
  await p.getByLabel('Expression').press('Tab');
  await p.getByLabel('Algorithm').selectOption('bfs');
  await p.waitForFunction(() => location.hash.includes('bfs') && location.hash.includes('max'));
  const [text, address] = [await boardText(p), p.url()];
  const other = await p.context().newPage();
  await other.goto(address);
  await ready(other);
  assert.equal(await boardText(other), text);
  assert.equal(await other.getByLabel('Algorithm').inputValue(), 'bfs');
  assert.equal(await other.getByLabel('Expression').inputValue(), 'max(manhattan, 3)');
});

page('random boards of each difficulty', async (p) => {
  for (const title of TITLES) {
    await choose(p, title);
    for (const level of ['easy', 'medium', 'hard']) {
      const text = await boardText(p);
      await p.getByLabel('Random').selectOption(level);
      await button(p, 'Draw').click();
      await changed(p, text);
    }
  }
});

page('the keyboard alone can do everything', async (p) => {
  const press = (...keys) => keys.reduce((done, key) => done.then(() => p.keyboard.press(key)), Promise.resolve());
  await tabTo(p, 'Klotski', (label) => label === 'Klotski');
  await press('Enter');
  await p.waitForFunction(() => document.querySelector('#puzzles [aria-current="true"]').textContent === 'Klotski');
  const text = await boardText(p);
  // To the single at the lower left, which is picked up, moved, and let go.
  await tabTo(p, 'the board', (label) => label === 'Board');
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowRight');
  const slid = await changed(p, text);
  assert.equal(slid.split('\n')[4], '.2.2');
  await press('Enter', 'ArrowLeft', '2');
  await p.waitForFunction(() => document.querySelector('textarea').value.split('\n')[4] === '22.2');
  await press('.');
  await p.waitForFunction(() => document.querySelector('textarea').value.split('\n')[4] === '.2.2');
  await enabled(p);
  await tabTo(p, 'the algorithm', (label) => label.startsWith('Algorithm'));
  await press('ArrowDown');
  await tabTo(p, 'Solve', (label) => label === 'Solve');
  await press('Enter');
  await p.locator('.answer .verdict').waitFor();
  // Back to the board: the arrow keys step.
  const isFocused = () => p.locator('.stage').evaluate((stage) => stage === document.activeElement);
  for (let presses = 0; presses < 60 && !(await isFocused()); presses += 1) {
    await p.keyboard.press('Shift+Tab');
  }
  await press('ArrowRight');
  await p.getByText(/^1 \/ \d+$/).waitFor();
  await press('End');
  await p.waitForFunction(() => /^(\d+) \/ \1$/.test(document.querySelector('.replay-panel .count').textContent));
  await press('Home');
  // Playing: Enter picks a piece up, arrows move it.
  for (let presses = 0; presses < 60; presses += 1) {
    await p.keyboard.press('Shift+Tab');
    if (await p.evaluate(() => document.activeElement.textContent === 'Play')) break;
  }
  await press('Enter');
  await tabTo(p, 'the board', (label) => label === 'Board');
  await p.waitForFunction(() => document.querySelector('.moves')?.textContent === '0');
  // To the lower left corner, wherever the cursor is.
  await press(...Array(7).fill('ArrowDown'), ...Array(6).fill('ArrowLeft'), 'ArrowRight', 'Enter', 'ArrowRight');
  await p.waitForFunction(() => document.querySelector('.moves').textContent === '1');
  // The other views.
  for (const [name, run, done] of [['Watch the search', ...LAB_VIEWS[0].slice(1)], ...LAB_VIEWS.slice(1)]) {
    await p.evaluate(() => document.activeElement.blur());
    await tabTo(p, name, (label) => label === name);
    await press('Enter');
    await tabTo(p, run, (label) => label === run);
    await press('Enter');
    await p.locator(done).first().waitFor();
  }
});

page('a phone-sized window works', async (p) => {
  const fits = async (where) => {
    const [inner, whole] = await p.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    assert.ok(whole <= inner, `${where}: ${whole} > ${inner}`);
  };
  for (const title of TITLES) {
    await choose(p, title);
    await fits(title);
    await solveButton(p).tap();
    await p.locator('.answer .verdict').waitFor();
    await button(p, 'A step on').tap();
    await p.getByText(/^1 \/ \d+$/).waitFor();
    await fits(title);
  }
  await choose(p, 'Rolling die');
  const text = await boardText(p);
  const point = await boardPoint(p, ...cell(4, 0));
  await p.locator('.stage').scrollIntoViewIfNeeded();
  await p.touchscreen.tap(point.x, point.y);
  await changed(p, text);
  for (const [name, run, done] of LAB_VIEWS) {
    await view(p, name);
    await button(p, run).last().tap();
    await p.locator(done).first().waitFor();
    await fits(name);
  }
}, { options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });

for (const colorScheme of ['light', 'dark']) {
  page(`contrast and labels pass the check of axe-core: ${colorScheme}`, async (p) => {
    const check = async (where) => assert.deepEqual(await complaints(p), [], where);
    for (const title of TITLES) {
      await choose(p, title);
      await check(`${title}, edit`);
      await solve(p);
      await check(`${title}, solution`);
    }
    await button(p, 'Play').first().click();
    await check('play');
    await choose(p, 'Rolling die');
    await p.getByLabel('Open a file').setInputFiles(BAD_FILE);
    await p.getByRole('alert').waitFor();
    await check('a problem');
    for (const [name, run, done] of LAB_VIEWS) {
      await view(p, name);
      await button(p, run).last().click();
      await p.locator(done).first().waitFor();
      await check(name);
    }
  }, { options: { colorScheme } });
}

test('a puzzle without a module is shown as text, and everything works on it', { timeout: 180_000 }, async () => {
  const server = await startOwnPuzzle();
  try {
    await onPage({ browser: world.browser, url: server.url }, async (p) => {
      assert.deepEqual(await p.locator('#puzzles button').allInnerTexts(), ['own-mazes', 'Sliding tiles']);
      const drawing = () => p.locator('.text-board').first().innerText();
      const start = await drawing();
      assert.equal(start.trimEnd().split('\n').length, 4);
      assert.match(await solve(p), /^Shortest solution: 9 steps, proved optimal\.$/);
      await button(p, 'A step on').click();
      await until(async () => await drawing() !== start);
      await button(p, 'A step back').click();
      await until(async () => await drawing() === start);
      // Played with buttons: there and back.
      await button(p, 'Play').first().click();
      const moves = (count) => until(async () => await p.locator('.moves').innerText() === count);
      await button(p, 'N').click();
      await moves('1');
      await until(async () => await drawing() !== start);
      await button(p, 'S').click();
      await moves('2');
      await until(async () => await drawing() === start);
      assert.deepEqual(await complaints(p), []);
      await view(p, 'Watch');
      await button(p, 'Search').click();
      await enabled(p);
      await button(p, 'To the end').click();
      assert.match(await p.locator('.watch-answer').first().innerText(), /9 steps, proved optimal/);
      await view(p, 'Compare');
      await button(p, 'Compare').last().click();
      await p.locator('.charts svg').first().waitFor();
      await view(p, 'Audit');
      await button(p, 'Audit').last().click();
      const oriented = p.getByRole('region', { name: 'oriented' });
      await oriented.getByText(/^h = 3/).waitFor();
      assert.equal((await oriented.locator('.text-board').innerText()).split('\n').length, 4);
      await oriented.getByRole('button', { name: 'Play this board' }).click();
      await p.getByText('shortest 1').waitFor();
      const text = await boardText(p);
      await p.getByLabel('Random').selectOption('easy');
      await button(p, 'Draw').click();
      await changed(p, text);
      await choose(p, 'Sliding tiles');
      assert.match(await solve(p), /proved optimal/);
    });
  } finally {
    server.stop();
  }
});
