// Content and looks: classics, the board of the day, results that are kept and shared, Chinese, colours, large type.

import assert from 'node:assert/strict';

import { boardText, button, changed, choose, complaints, mode, solve, until, view } from './support.mjs';
import { link, page } from './world.mjs';

const TRAP = 'G*..\n....\n....\n..S.\n';
/** Two rolls are the least that this takes, and more are easy. */
const SHORT = '1 2 3\n4 0 6\n7 5 8\n';

page('the classics of Klotski have both names and their fewest moves', async (p) => {
  await choose(p, 'Klotski');
  const classics = p.locator('optgroup option');
  assert.equal(await classics.count(), 27);
  const text = await boardText(p);
  await p.getByLabel('Example').selectOption({ label: "Generals around Cao Cao's Camp 将拥曹营 (72)" });
  await changed(p, text);
  await p.getByLabel('What to count').selectOption('moves');
  await p.getByText('shortest 72').waitFor();
});

page('the board of the day is the same for everybody', async (p) => {
  const texts = [];
  for (const title of ['Sliding tiles', 'Pancakes', 'Sliding tiles']) {
    await choose(p, title);
    const text = await boardText(p);
    await button(p, 'Board of the day').click();
    texts.push(await changed(p, text));
  }
  assert.equal(texts[0], texts[2]);
  assert.notEqual(texts[0], texts[1]);
});

page('the best result is kept and can be shared', async (p) => {
  await p.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await p.getByText('shortest 2').waitFor();
  const press = async (...keys) => {
    for (const key of keys) {
      const before = Number(await p.locator('.moves').innerText());
      await p.keyboard.press(key);
      await until(async () => Number(await p.locator('.moves').innerText()) > before);
    }
  };
  await p.locator('.stage').focus();
  await press('ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowLeft');
  await p.getByText('Solved in 4 moves; 2 is proved best.').waitFor();
  await p.getByText('your best 4').waitFor();
  await button(p, 'Start again').click();
  await p.locator('.stage').focus();
  await press('ArrowUp', 'ArrowLeft');
  await p.getByText('Solved in 2 moves, which is optimal.').first().waitFor();
  await button(p, 'Share the result').click();
  await p.getByText('The result is in the clipboard.').waitFor();
  const shared = await p.evaluate(() => navigator.clipboard.readText());
  assert.match(shared, /^Sliding tiles: Solved in 2 moves, which is optimal\. http:\/\/127\.0\.0\.1/);
  await p.reload();
  await p.getByText('your best 2').waitFor();
}, { hash: link({ view: 'solve', puzzle: 'tiles', text: SHORT }) });

page('the page is Chinese for Chinese browsers, and by the switch', async (p) => {
  assert.equal(await p.evaluate(() => document.documentElement.lang), 'zh-Hans');
  await p.getByRole('button', { name: '华容道', exact: true }).click();
  await p.getByText('滑动棋子，让 2 x 2 的大块到达出口。').waitFor();
  await p.getByRole('button', { name: '求解' }).click();
  await p.locator('.answer').getByText('最短解：116 步，已证明最优。').waitFor();
  assert.deepEqual(await complaints(p), []);
  await p.getByRole('button', { name: 'English' }).click();
  await p.getByText('Slide the pieces until the 2 x 2 piece is on its place.').waitFor();
  await p.getByRole('button', { name: '中文' }).click();
  await p.getByRole('button', { name: '求解' }).waitFor();
}, { options: { locale: 'zh-CN' } });

page('light and dark are switched, and stay', async (p) => {
  const paper = () => p.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await button(p, 'Dark mode').click();
  const dark = await paper();
  assert.notEqual(light, dark);
  assert.deepEqual(await complaints(p), [], 'dark');
  await p.reload();
  await button(p, 'Dark mode').waitFor();
  assert.equal(await paper(), dark);
  await button(p, 'Dark mode').click();
  assert.equal(await paper(), light);
}, { options: { colorScheme: 'light' } });

page('large type for a projector', async (p) => {
  const size = () => p.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize));
  const before = await size();
  await button(p, 'A+').click();
  assert.ok(await size() > 1.3 * before);
  for (const name of ['Puzzle', 'Watch', 'Compare', 'Audit', 'Learn']) {
    await view(p, name);
    const [inner, whole] = await p.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    assert.ok(whole <= inner, `${name}: ${whole} > ${inner}`);
  }
  await view(p, 'Puzzle');
  await solve(p);
  await mode(p, 'Play');
  assert.deepEqual(await complaints(p), []);
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });
