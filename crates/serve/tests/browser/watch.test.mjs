// Watching: the tree, the open list, the solution, breakpoints, values on cells, and dragging the start.

import assert from 'node:assert/strict';

import { button, cell, choose, complaints, enabled, linkText, until } from './support.mjs';
import { link, page } from './world.mjs';

const TRAP = 'G*..\n....\n....\n..S.\n';
const EIGHT = '1 2 3\n4 0 6\n7 5 8\n';

const first = (p) => p.locator('.pane').first();
const tab = (p, name) => first(p).getByRole('button', { name, exact: true }).click();
const count = (p) => p.locator('.watch-view .count').innerText();

async function search(p) {
  await button(p, 'Search').click();
  await enabled(p);
  await button(p, 'To the beginning').click();
}

page('the tree grows, opens and closes, and shows a state on the board', async (p) => {
  await search(p);
  await tab(p, 'Tree');
  await button(p, 'A step on').click();
  await until(async () => await p.locator('.node').count() === 1);
  await button(p, 'To the end').click();
  // The solution is the way in the tree: a board of two moves has three states.
  await until(async () => await p.locator('.node.on-way').count() === 3);
  assert.equal(await p.locator('.branch.on-way').count(), 2);
  assert.equal(await p.locator('.node .tile').count(), 8 * await p.locator('.node').count(), 'states are drawn small');
  const tiles = () => first(p).locator('.watch-stage .tile').evaluateAll((all) => all.map((one) => one.getAttribute('transform')).join());
  const end = await tiles();
  await p.getByRole('group', { name: 'Search tree' }).first().focus();
  await p.keyboard.press('ArrowLeft');
  await p.getByText(/^Visit \d+, by \w+: g = 1, h = 1, f = 2$/).waitFor();
  assert.notEqual(await tiles(), end);
  await p.keyboard.press('Enter');
  await p.evaluate(() => document.activeElement.blur());
  assert.equal(await tiles(), end);
}, { hash: link({ view: 'watch', puzzle: 'tiles', text: EIGHT, heuristic1: 'manhattan' }) });

page('a branch is closed to the number of its states, and opened', async (p) => {
  await search(p);
  await tab(p, 'Tree');
  await button(p, 'To the end').click();
  const closed = p.locator('.node').filter({ hasText: /\+\d+$/ }).first();
  await closed.waitFor();
  const before = await p.locator('.node').count();
  await closed.click();
  await until(async () => await p.locator('.node').count() > before);
}, { hash: link({ view: 'watch', puzzle: 'pancake', text: '3 5 1 4 2\n', heuristic1: 'zero' }) });

page('the open list has the states that come next, with f, g and h', async (p) => {
  await search(p);
  await tab(p, 'Open list');
  await button(p, 'A step on').click();
  await first(p).getByText(/^\d+ states are open\./).waitFor();
  const row = first(p).locator('.open-list tbody tr').first();
  const [f, g, h] = (await row.locator('.number').allInnerTexts()).map(Number);
  assert.equal(f, g + h);
  assert.equal(g, 1);
  // The next step expands it.
  await button(p, 'A step on').click();
  await until(async () => await first(p).locator('.figures dd').nth(4).innerText() === `${g} + ${h}`);
  await tab(p, 'Solution');
  assert.equal(await first(p).locator('.way-step').count(), 3);
}, { hash: link({ view: 'watch', puzzle: 'tiles', text: EIGHT, heuristic1: 'manhattan' }) });

page('a search stops where f rises, and where a step is inconsistent', async (p) => {
  await search(p);
  await p.getByRole('combobox', { name: 'Speed' }).selectOption('500');
  for (const [where, shown] of [['rise', null], ['inconsistent', null], ['way', null]]) {
    await button(p, 'To the beginning').click();
    await p.getByLabel('Stop').selectOption(where);
    await button(p, 'Play').last().click();
    await button(p, 'Play').last().waitFor();
    await until(async () => !(await count(p)).startsWith('0 of'));
    const [now, length] = (await count(p)).match(/\d+/g).map(Number);
    assert.ok(now > 0 && now < length, `${where}: ${now} of ${length}${shown ?? ''}`);
  }
}, { hash: link({ view: 'watch', puzzle: 'die', heuristic1: 'die-roll', heuristic2: 'zero' }) });

page('both charts have the same scale', async (p) => {
  await search(p);
  await button(p, 'To the end').click();
  const bars = (at) => p.locator('.pane').nth(at).locator('.layer-bars rect').count();
  await until(async () => await bars(0) > 1 && await bars(0) === await bars(1));
}, { hash: link({ view: 'watch', puzzle: 'die', text: TRAP }) });

page('values stand on the cells, and the dragged start redoes the search', async (p) => {
  await search(p);
  await button(p, 'To the end').click();
  await first(p).locator('.value-f').first().waitFor();
  await p.getByLabel('f, g, h on the cells').uncheck();
  assert.equal(await first(p).locator('.value-f').count(), 0);
  await p.locator('.watch-answer').first().getByText('9 steps').waitFor();
  const at = async (row, column) => first(p).locator('.watch-stage .board').evaluate((board, [x, y]) => {
    const point = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
    return { x: point.x, y: point.y };
  }, cell(row, column));
  const [from, to] = [await at(3, 2), await at(1, 0)];
  await p.mouse.move(from.x, from.y);
  await p.mouse.down();
  await p.mouse.move(to.x, to.y, { steps: 10 });
  await p.mouse.up();
  await until(async () => (await linkText(p)).split('\n')[1][0] === 'S');
  await until(async () => /^Shortest solution: 11 steps, proved/.test(await p.locator('.watch-answer').first().innerText()));
  assert.deepEqual(await complaints(p), []);
}, { hash: link({ view: 'watch', puzzle: 'die', text: TRAP }) });

page('the transport stays on screen at 1280 x 720, and any search fits into a minute', async (p) => {
  await search(p);
  await p.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const { y, height } = await p.getByRole('group', { name: 'Search', exact: true }).boundingBox();
  assert.ok(y >= 0 && y + height <= 720, `${y} ${height}`);
  assert.equal(await p.getByRole('combobox', { name: 'Speed' }).inputValue(), '0');
  await choose(p, 'Pancakes');
}, { hash: link({ view: 'watch', puzzle: 'die' }), options: { viewport: { width: 1280, height: 720 } } });
