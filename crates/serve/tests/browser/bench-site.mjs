// The speed of the static site: until it is ready, searches and an audit in a worker, and long tasks of the page while
// a worker searches. It prints figures and asserts nothing. Run it on a quiet machine, with the folder of the site in
// SITE.

import { readFileSync } from 'node:fs';

import { button, ready, solve, solveButton, startBrowser, startSite } from './support.mjs';

/** Rounds of each measurement, a board on which a blind search does not end, and Korf's first and second instance. */
const ROUNDS = 10;
const ENDLESS = '1 3 7 4\n2 0 14 13\n9 10 5 8\n12 15 6 11\n';
const GOAL = '\n0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n';
const KORF = [
  `14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n${GOAL}`, `13 5 4 10\n9 12 8 14\n2 3 7 1\n0 15 11 6\n${GOAL}`,
];
const instance = (name) => readFileSync(new URL(`../../../../instances/${name}`, import.meta.url), 'utf8');

const site = await startSite();
const browser = await startBrowser();
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
const page = await context.newPage();

async function open(values) {
  await page.goto('about:blank');
  await page.goto(`${site.url}#${new URLSearchParams(values)}`);
  await ready(page);
}

/** Median and largest of the times of some rounds. */
async function measure(name, round) {
  const times = [];
  for (let at = 0; at < ROUNDS; at += 1) times.push(await round(at));
  times.sort((a, b) => a - b);
  console.log(`${name}: median ${times[ROUNDS / 2].toFixed(0)} ms, slowest of ${ROUNDS} ${times.at(-1).toFixed(0)} ms`);
}

/** From the click to the answer, as the page sees both. */
const answered = () => page.evaluate(() => new Promise((resolve) => {
  const begin = performance.now();
  const region = document.querySelector('.answer') ?? document.querySelector('main');
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.answer .verdict')) return;
    observer.disconnect();
    resolve(performance.now() - begin);
  }).observe(region.closest('main') ?? region, { childList: true, subtree: true });
  [...document.querySelectorAll('button.primary')].find((one) => one.textContent === 'Solve').click();
}));

await measure('ready, first visit', async () => {
  const fresh = await browser.newContext();
  const first = await fresh.newPage();
  await first.goto(site.url);
  await ready(first);
  const time = await first.evaluate(() => performance.now());
  await fresh.close();
  return time;
});
await measure('ready, from the service worker', async () => {
  await open({});
  return page.evaluate(() => performance.now());
});
const boards = [
  ['classic Klotski', 'klotski', instance('klotski/classic.txt')],
  ...[1, 2, 3, 4, 5].map((at) => [`course maze ${at}`, 'die', instance(`die/course_puzzle${at}.txt`)]),
  ...KORF.map((text, at) => [`15 tiles, Korf ${at + 1}`, 'tiles', text]),
];
for (const [name, puzzle, text] of boards) {
  await open({ view: 'solve', puzzle, text });
  console.log(`${name}: ${await solve(page)}`);
  await measure(name, answered);
}
await open({ view: 'audit', puzzle: 'tiles', text: '1 2 3\n4 0 6\n7 5 8\n' });
await measure('audit of 3 x 3 boards', async () => {
  const begin = Date.now();
  await button(page, 'Audit').last().click();
  await page.getByText(/^Looked at/).waitFor();
  return Date.now() - begin;
});
console.log(await page.locator('.status').innerText());

await open({ view: 'solve', puzzle: 'tiles', text: ENDLESS });
await page.getByLabel('Algorithm').selectOption('idastar');
await page.getByLabel('Heuristic').selectOption('zero');
await page.evaluate(() => {
  globalThis.tasks = [];
  new PerformanceObserver((list) => globalThis.tasks.push(...list.getEntries().map((one) => one.duration)))
    .observe({ type: 'longtask' });
});
await solveButton(page).click();
await page.waitForTimeout(10_000);
await button(page, 'Cancel').first().click();
console.log(`tasks over 50 ms in 10 s of search: ${(await page.evaluate(() => globalThis.tasks)).join(' ') || 'none'}`);
await context.close();
await browser.close();
site.stop();
