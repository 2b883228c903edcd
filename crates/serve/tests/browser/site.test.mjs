// What the static site does beyond the page: the engine in workers, no network, and what is too large for a browser.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import {
  button, choose, complaints, isSite, LAB_VIEWS, mode, onPage, ready, solve, solveButton, startSite, view,
} from './support.mjs';
import { link, page, world } from './world.mjs';

/**
 * The most bytes of the whole site, compressed with brotli, as web servers send it to browsers. The stable toolchain
 * has no standard library that is built for size.
 */
const MOST_BYTES = process.env.SITE_TOOLCHAIN === 'nightly' ? 600_000 : 640_000;
const TITLES = ['Rolling die', 'Sliding tiles', 'Klotski', 'Chexers', 'Pancakes'];
/** A board on which a blind search does not end. */
const ENDLESS = '1 3 7 4\n2 0 14 13\n9 10 5 8\n12 15 6 11\n';

assert.ok(isSite, 'SITE names the folder of the site');

test('all files together are small', () => {
  const contents = readdirSync(process.env.SITE).map((name) => readFileSync(join(process.env.SITE, name)));
  const sizes = contents.map((content) => brotliCompressSync(content).length);
  const total = sizes.reduce((sum, size) => sum + size);
  assert.ok(total <= MOST_BYTES, `${total} bytes`);
});

page('every puzzle is solved, and every view works', async (p) => {
  for (const title of TITLES) {
    await choose(p, title);
    assert.match(await solve(p), /^Shortest solution: \d+ steps, proved optimal\.$/, title);
  }
  await choose(p, 'Rolling die');
  for (const [name, run, done] of LAB_VIEWS) {
    await view(p, name);
    await button(p, run).last().click();
    await p.locator(done).first().waitFor();
  }
  assert.deepEqual(await complaints(p), []);
});

page('a cancelled search ends its worker, and the next one answers', async (p) => {
  await p.getByLabel('Algorithm').selectOption('idastar');
  await p.getByLabel('Heuristic').selectOption('zero');
  for (let round = 0; round < 6; round += 1) {
    await solveButton(p).click();
    await p.locator('.status').getByText(/states expanded/).first().waitFor();
    await button(p, 'Cancel').first().click();
    await p.locator('.status').getByText('Cancelled.').first().waitFor();
  }
  await choose(p, 'Pancakes');
  assert.match(await solve(p), /proved optimal/);
}, { hash: link({ view: 'solve', puzzle: 'tiles', text: ENDLESS }) });

page('a message of the engine is shown', async (p) => {
  await p.getByText('As text').click();
  await p.getByLabel('The board as text').fill('S..\n.x.\n..G\n');
  await button(p, 'Read').click();
  await p.getByRole('alert').getByText("expected 'S', 'G', '.' or '*', found 'x'").waitFor();
  await button(p, 'Dismiss').click();
  assert.match(await solve(p), /proved optimal/, 'the worker goes on');
});

test('once loaded, the site needs no network', { timeout: 180_000 }, async () => {
  const site = await startSite();
  try {
    await onPage({ browser: world.browser, url: site.url }, async (p) => {
      await p.evaluate(() => navigator.serviceWorker.ready);
      await p.waitForFunction(() => navigator.serviceWorker.controller);
      site.stop();
      await p.reload();
      await ready(p);
      await choose(p, 'Klotski');
      assert.match(await solve(p), /^Shortest solution: 116 steps, proved optimal\.$/);
      await mode(p, 'Play');
      await p.getByText('shortest 116').waitFor();
    });
  } finally {
    site.stop();
  }
});

if (process.env.ALL) {
  page('a search that is too large for the browser stops, and says so', async (p) => {
    await p.getByLabel('Algorithm').selectOption('astar');
    await p.getByLabel('Heuristic').selectOption('zero');
    await solveButton(p).click();
    await p.locator('.answer').getByText(/^Stopped at the (memory|time) limit\./).waitFor();
    await p.locator('.answer').getByText(/all cores: admissible serve\.$/).waitFor();
  }, { hash: link({ view: 'solve', puzzle: 'tiles', text: ENDLESS }) });
}
