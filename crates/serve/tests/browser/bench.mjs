// The speed of the page: first paint, and frame times while a search of a million states streams. It prints figures and
// asserts nothing. Run it on a quiet machine, with a release build in ADMISSIBLE.

import { button, ready, startBrowser, startServer } from './support.mjs';

const server = await startServer();
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const paints = [];
for (let round = 0; round < 10; round += 1) {
  await page.goto('about:blank');
  await page.goto(server.url);
  await ready(page);
  paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN));
}
paints.sort((a, b) => a - b);
console.log(`first contentful paint: median ${paints[5].toFixed(0)} ms, slowest of ten ${paints[9].toFixed(0)} ms`);

const board = '11 3 4 6\n0 5 9 10\n2 8 7 1\n';
const link = new URLSearchParams({ view: 'watch', puzzle: 'tiles', text: board, heuristic1: 'zero' });
await page.goto(`${server.url}#${link}`);
await page.reload();
await ready(page);
await page.getByLabel('two side by side').uncheck();
await page.getByRole('combobox', { name: 'Speed' }).selectOption('1000000');
await page.evaluate(() => {
  globalThis.frames_ = [];
  let last = performance.now();
  const step = (now) => {
    globalThis.frames_.push(now - last);
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
});
const begin = Date.now();
await button(page, 'Search').click();
const isAnswered = () => document.querySelector('.watch-answer').textContent !== '';
await page.waitForFunction(isAnswered, undefined, { timeout: 600_000 });
const seconds = (Date.now() - begin) / 1000;
const frames = (await page.evaluate(() => globalThis.frames_)).sort((a, b) => a - b);
const count = await page.locator('.watch-view .count').innerText();
const at = (share) => frames[Math.floor((frames.length - 1) * share)].toFixed(1);
console.log(`${count} in ${seconds.toFixed(1)} s, ${frames.length} frames: median ${at(0.5)} ms, `
  + `99th of 100 ${at(0.99)} ms, longest ${at(1)} ms, `
  + `${frames.filter((frame) => frame > 50).length} over 50 ms`);
await browser.close();
server.stop();
