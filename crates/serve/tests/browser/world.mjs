// The server and the browser of a file of tests, and what its tests do on a page. With the folder of a static site in
// `SITE`, the tests run on that site.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { boardPoint, button, isSite, onPage, solve, startBrowser, startServer, startSite, until } from './support.mjs';

export const world = {};
before(async () => {
  world.server = await (isSite ? startSite() : startServer());
  world.url = world.server.url;
  world.browser = await startBrowser();
});
after(async () => {
  await world.browser?.close();
  world.server?.stop();
});

/** A test on a page of its own. */
export const page = (name, run, options) => test(name, { timeout: 180_000 }, () => onPage(world, run, options));
/** The address of a board. */
export const link = (values) => `#${new URLSearchParams(values)}`;

/** Clicks on the board. */
export async function click(p, x, y) {
  const point = await boardPoint(p, x, y);
  await p.mouse.click(point.x, point.y);
}

/** Solves, steps on and back, and looks whether what is shown is the step. */
export async function solveAndStep(p, expected) {
  assert.match(await solve(p), expected);
  const count = p.locator('.replay-panel .count');
  // What is hidden may lie about as it likes.
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
  assert.equal(await p.locator('.actions li[aria-current]').innerText(), await p.locator('.actions li').last().innerText());
  // Played from the beginning, it comes to the end by itself.
  await p.getByRole('combobox', { name: 'Speed' }).selectOption('5');
  await button(p, 'Play').last().click();
  await p.getByText(`${length} / ${length}`, { exact: true }).waitFor();
}
