// What the page does for all puzzles.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  BAD_FILE, boardPoint, boardText, button, cell, changed, choose, complaints, enabled, isSite, mode, onPage, ready, solve,
  solveButton, startOwnPuzzle, tabTo, until, view,
} from './support.mjs';
import { link, page, world } from './world.mjs';

const TITLES = ['Rolling die', 'Sliding tiles', 'Klotski', 'Chexers', 'Pancakes'];
/** One heuristic overestimates here, and the shortest solution takes 9 rolls. */
const TRAP = 'G*..\n....\n....\n..S.\n';

page('a person plays with hints and gets to the shortest solution', async (p) => {
  await mode(p, 'Play');
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
  // A good one, dropped: recognised by what is in it.
  await p.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['1 2 3\n4 5 6\n7 0 8\n'], 'easy.txt'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await p.waitForFunction(() => document.querySelector('#puzzles [aria-current="true"]').textContent === 'Sliding tiles');
  // And one pasted.
  const paste = (pasted) => p.evaluate((content) => {
    const data = new DataTransfer();
    data.setData('text/plain', content);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, pasted);
  await paste('{"colour": "blue", "pieces": [[0, 0]]}');
  await p.waitForFunction(() => document.querySelector('#puzzles [aria-current="true"]').textContent === 'Chexers');
  // Two puzzles recognise this file and neither can read it: the one that reads farther names its fault.
  await paste('1 1 0\n1 1 0\n0 0 9\n');
  await alert.getByText("expected a second '9' beside it, found none").waitFor();
  await paste('1 1 0\n1 1 0\n0 0 0\n');
  await p.waitForFunction(() => document.querySelector('#puzzles [aria-current="true"]').textContent === 'Klotski');
  assert.ok(await alert.isHidden());
});

page('the audit shows a counterexample that can be played', async (p) => {
  await button(p, 'Audit').last().click();
  const oriented = p.getByRole('region', { name: 'oriented', exact: true });
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

page('the heuristics of the board shown are explained', async (p) => {
  await button(p, 'Explain this board').click();
  await p.locator('.explained').getByText('The distance h* is 9 steps.').waitFor();
  const oriented = p.locator('.explained details').filter({ hasText: /^oriented h/ });
  assert.match(await oriented.locator('summary').innerText(), /^oriented h = \d+, relative error /);
  await oriented.locator('summary').click();
  await oriented.getByText(/^rule \d, .*, with m = dx \+ dy = \d+$/).waitFor();
  assert.equal(await oriented.locator('tr').count(), 3, 'dx, dy and the detour');
  // Another board: the explanation goes.
  await choose(p, 'Pancakes');
  assert.equal(await p.locator('.explained details').count(), 0);
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

page('two searches are watched side by side', async (p) => {
  for (const title of TITLES) {
    await choose(p, title);
    await view(p, 'Watch');
    if (title === 'Pancakes') {
      // Without a heuristic, the ten of the first board would take a debug build too long.
      await p.evaluate((hash) => { location.hash = hash; }, link({ view: 'watch', puzzle: 'pancake', text: '3 8 5 1 7 4 2 6\n' }));
      await until(async () => await p.locator('.pane .pancake').count() === 16);
    }
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
  assert.equal(await p.locator('tbody tr').count(), 8);
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
  await tabTo(p, 'Edit', (label) => label === 'Edit');
  await press('Enter');
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
  for (let presses = 0; presses < 60 && !(await p.locator('.stage').evaluate((stage) => stage === document.activeElement)); presses += 1) {
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
  for (const [name, run, done] of [['Watch the search', 'Search', '.layer-bars .now'], ['Compare', 'Compare', '.charts svg'], ['Audit', 'Audit', '.audit-card']]) {
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
  await mode(p, 'Edit');
  const text = await boardText(p);
  const point = await boardPoint(p, ...cell(4, 0));
  await p.locator('.stage').scrollIntoViewIfNeeded();
  await p.touchscreen.tap(point.x, point.y);
  await changed(p, text);
  for (const [name, run, done] of [['Watch', 'Search', '.layer-bars .now'], ['Compare', 'Compare', '.charts svg'], ['Audit', 'Audit', '.audit-card']]) {
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
      await mode(p, 'Edit');
      await check(`${title}, edit`);
      await solve(p);
      await check(`${title}, solution`);
    }
    await mode(p, 'Play');
    await check('play');
    await choose(p, 'Rolling die');
    await p.getByLabel('Open a file').setInputFiles(BAD_FILE);
    await p.getByRole('alert').waitFor();
    await check('a problem');
    for (const [name, run, done] of [['Watch', 'Search', '.layer-bars .now'], ['Compare', 'Compare', '.charts svg'], ['Audit', 'Audit', '.audit-card']]) {
      await view(p, name);
      await button(p, run).last().click();
      await p.locator(done).first().waitFor();
      await check(name);
    }
  }, { options: { colorScheme } });
}

const ofServer = { timeout: 180_000, skip: isSite && 'the site has the puzzles of the program' };
test('a puzzle without a module is shown as text, and everything works on it', ofServer, async () => {
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
      await mode(p, 'Play');
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
      const oriented = p.getByRole('region', { name: 'oriented', exact: true });
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
