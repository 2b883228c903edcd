// The lessons: each is followed to its end, by pressing what it says.

import assert from 'node:assert/strict';

import { linkText, button, complaints, enabled, ready, until, view } from './support.mjs';
import { page } from './world.mjs';

const lesson = (p) => p.getByRole('complementary', { name: 'Lesson' });
const begin = async (p, title) => {
  await view(p, 'Learn');
  await button(p, `Begin: ${title}`).click();
  await lesson(p).getByRole('heading').waitFor();
};
const next = (p) => lesson(p).getByRole('button', { name: /^(Next|End)$/ }).click();
const done = (p, text) => lesson(p).locator('.lesson-end').getByText(text).waitFor();

page('a heuristic is written, found out, refuted by play, and sent as a link', async (p) => {
  await begin(p, 'Break this heuristic');
  assert.equal(await p.locator('.pointed').innerText(), 'Solve');
  await button(p, 'Solve').click();
  await done(p, /^26 steps, after [\d,]+ expanded states/);
  await next(p);
  await p.getByLabel('Heuristic').selectOption('an expression …');
  await p.getByLabel('Expression').fill('2*manhattan');
  await p.getByLabel('Expression').press('Enter');
  await button(p, 'Solve').click();
  await done(p, /^28 steps after only \d+ states/);
  await next(p);
  assert.equal(await p.getByLabel('And an expression of your own').inputValue(), '2*manhattan');
  await button(p, 'Audit').last().click();
  await done(p, /^Refuted: [\d,]+ states/);
  await next(p);
  await button(p, 'Play this board').first().click();
  await p.getByText('shortest 1').waitFor();
  await p.keyboard.press('Tab');
  await p.locator('.stage').focus();
  await button(p, 'Hint').click();
  const hint = await p.getByText(/^Best: [NESW] /).first().innerText();
  await p.locator('.stage').focus();
  await p.keyboard.press({ N: 'ArrowUp', E: 'ArrowRight', S: 'ArrowDown', W: 'ArrowLeft' }[hint.slice(6, 7)]);
  await done(p, /^Solved in 1\./);
  await next(p);
  await p.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await button(p, 'Copy a link that replays this').click();
  await lesson(p).getByText('Copied.').waitFor();
  const address = await p.evaluate(() => navigator.clipboard.readText());
  // The link replays the search, without the lesson.
  const other = await p.context().newPage();
  await other.goto(address);
  await ready(other);
  await other.getByText('Solution of 28 steps. Nothing is proved about its length.').first().waitFor();
  assert.equal(await other.getByLabel('Expression').inputValue(), '2*manhattan');
  assert.ok(await lesson(other).isHidden());
  await next(p);
  assert.ok(await lesson(p).isHidden());
});

const OTHERS = [
  'Why A* beats blind search', 'Admissible is not consistent', 'Dominance', 'Why IDA* needs no memory',
];
for (const title of OTHERS) {
  page(`the lesson can be followed: ${title}`, async (p) => {
    await begin(p, title);
    for (;;) {
      await lesson(p).getByRole('button', { name: 'Show me' }).click();
      await lesson(p).locator('.lesson-end strong').waitFor();
      const said = await lesson(p).locator('.lesson-end').innerText();
      assert.doesNotMatch(said, /undefined|\{|null/, said);
      assert.deepEqual(await complaints(p), [], said);
      const last = await lesson(p).getByRole('button', { name: 'End' }).count() > 0;
      await next(p);
      if (last) break;
    }
  });
}

page('a link leads into a lesson, and Back to the step before', async (p) => {
  await begin(p, 'Dominance');
  const [first, text] = [await lesson(p).getByRole('heading').innerText(), await linkText(p)];
  await next(p);
  await until(async () => await lesson(p).getByRole('heading').innerText() !== first);
  const address = p.url();
  await p.goBack();
  await until(async () => await lesson(p).getByRole('heading').innerText() === first);
  const other = await p.context().newPage();
  await other.goto(address);
  await ready(other);
  await enabled(other);
  assert.equal(await lesson(other).getByRole('heading').innerText(), 'What it buys');
  assert.equal(await linkText(other), text);
  await lesson(p).getByRole('button', { name: 'Leave the lesson' }).click();
  assert.ok(await lesson(p).isHidden());
});

page('the step of a lesson fits a phone', async (p) => {
  await begin(p, 'Break this heuristic');
  const [inner, whole] = await p.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  assert.ok(whole <= inner, `${whole} > ${inner}`);
}, { options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } });
