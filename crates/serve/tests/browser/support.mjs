// A server, a browser, and the helpers of the tests, which wait up to a minute for each condition.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

const TIMEOUT = 60_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A file with two faults. */
export const BAD_FILE = { name: 'maze.txt', mimeType: 'text/plain', buffer: Buffer.from('S..\n.x\nG.G\n') };

/** The other views: tab, button, and an element of the result. */
export const LAB_VIEWS = [
  ['Watch', 'Search', '.layer-bars .now'], ['Compare', 'Compare', '.charts svg'], ['Audit', 'Audit', '.audit-card'],
];

/** Starts the program; resolves with its address. */
export const startServer = () =>
  start(process.env.ADMISSIBLE, ['serve', '--port', '0', '--time-limit', '10m', '--jobs', '8']);

const TYPES = {
  html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm',
};

/** Serves the static site below a path, and nothing else. `stop` closes open connections, too, like a lost network. */
export async function startSite() {
  const base = '/some/where/';
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = pathname.slice(base.length) || 'index.html';
    const content = pathname.startsWith(base) && /^[\w.]+$/.test(name)
      && await readFile(join(process.env.SITE, name)).catch(() => null);
    if (!content) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': TYPES[name.split('.').at(-1)] }).end(content);
  });
  await new Promise((listening) => { server.listen(0, '127.0.0.1', listening); });
  const stop = () => { server.close(); server.closeAllConnections(); };
  return { url: `http://127.0.0.1:${server.address().port}${base}`, stop };
}

/** Whether the tests run on the static site. */
export const isSite = Boolean(process.env.SITE);

/** Starts the page with a puzzle that has no module. */
export const startOwnPuzzle = () => start(process.env.OWN_PUZZLE, []);

async function start(program, words) {
  const server = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    server.stdout.once('data', (data) => resolve(String(data).trim()));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    server.once('error', reject);
  });
  return { url, stop: () => server.kill() };
}

export const startBrowser = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  // The sandbox works neither for root nor in many containers, and the tests open no foreign page.
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
});

/** Runs a test on a new page; its console must stay empty. */
export async function onPage({ browser, url }, test, { options = {}, hash = '' } = {}) {
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error.stack}`));
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    const isOwn = ['blob:', 'data:'].includes(protocol) || request.url().startsWith(url);
    if (!isOwn) said.push(`request to ${request.url()}`);
  });
  try {
    await page.goto(url + hash);
    await ready(page);
    await test(page);
    assert.deepEqual(said, [], 'the console stays empty');
  } finally {
    await context.close();
  }
}

/** Waits until a condition holds. */
export async function until(isSo) {
  const end = Date.now() + TIMEOUT;
  while (!(await isSo())) assert.ok(Date.now() < end, 'it does not come to pass');
}

export const ready = (page) => page.waitForSelector('html[data-ready]');

export const button = (page, name, exact = true) => page.getByRole('button', { name, exact });

/** Chooses a puzzle and waits until it is loaded. */
export async function choose(page, title) {
  const tab = page.getByRole('navigation', { name: 'Puzzles' }).getByRole('button', { name: title });
  // A click on the current puzzle would reload its board and end a running search.
  if (await tab.getAttribute('aria-current') === 'true') return enabled(page);
  await tab.click();
  await page.waitForFunction((name) => {
    const current = document.querySelector('#puzzles [aria-current="true"]');
    return current?.textContent === name;
  }, title);
}

export async function view(page, name) {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();
}

/** Enters a mode of the puzzle view: Play, Solution or Edit. */
export const mode = (page, name) =>
  page.getByRole('group', { name: 'What to do with the board' }).getByRole('button', { name }).click();

/** The text of the current board. */
export const boardText = (page) => page.getByLabel('The board as text').evaluate((area) => area.value);

/** The text of the board in the link. */
export const linkText = (page) => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('text'));

/** Waits until the text of the board has changed. */
export async function changed(page, before) {
  await page.waitForFunction((text) => document.querySelector('textarea').value !== text, before);
  await enabled(page);
  return boardText(page);
}

/** Waits until the board is valid and no job is running. */
export const enabled = (page) => page.waitForFunction(() => document.querySelector('.primary').ariaDisabled !== 'true');

/** The page coordinates of a point of the board. */
export async function boardPoint(page, x, y) {
  return page.locator('.stage .board').first().evaluate((board, [px, py]) => {
    const point = new DOMPoint(px, py).matrixTransform(board.getScreenCTM());
    return { x: point.x, y: point.y };
  }, [x, y]);
}

/** The middle of a square cell. */
export const cell = (row, column) => [column * 40 + 20, row * 40 + 20];

export const solveButton = (page) =>
  page.getByRole('region', { name: 'Search' }).getByRole('button', { name: 'Solve' });

/** Solves the board and waits for the verdict. */
export async function solve(page) {
  await solveButton(page).click();
  await page.locator('.answer .verdict').waitFor();
  return page.locator('.answer .verdict strong').innerText();
}

/** Presses Tab until an element is focused. */
export async function tabTo(page, describe, match) {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    const found = await page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
      return label.trim();
    });
    if (match(found)) return;
  }
  assert.fail(`no amount of tabbing leads to ${describe}`);
}

/** The violations that an automated accessibility check finds. */
export async function complaints(page) {
  // Through the debugger, since the content security policy forbids injected scripts.
  await page.evaluate(AXE);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return result.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} ${target} ${failureSummary}`));
}
