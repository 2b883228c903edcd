// Explanations in place.

import assert from 'node:assert/strict';

import { button, complaints, enabled, solve, until } from './support.mjs';
import { link, page } from './world.mjs';

const TRAP = 'G*..\n....\n....\n..S.\n';
const tip = (p) => p.locator('#tip');

page('counts and verdicts are explained on hover, focus and tap', async (p) => {
  await solve(p);
  const reopened = button(p, 'reopened');
  await reopened.hover();
  await tip(p).getByText('closed states that were reached more cheaply').waitFor();
  assert.equal(await reopened.getAttribute('aria-describedby'), 'tip');
  await p.mouse.move(0, 0);
  await until(() => tip(p).isHidden());
  await reopened.focus();
  await tip(p).waitFor();
  assert.deepEqual(await complaints(p), []);
  await p.keyboard.press('Escape');
  await until(() => tip(p).isHidden());
  await button(p, 'why?').click();
  await tip(p).getByText('No solution is shorter').waitFor();
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

page('algorithm and heuristic are described where they are chosen', async (p) => {
  await p.getByLabel('Heuristic').selectOption('oriented');
  await p.getByText(/^the distance along the grid, plus 0, 2 or 4.*admissible: NO/).waitFor();
  await p.getByLabel('Algorithm').selectOption('wastar');
  await p.getByText('weighted A*: at most W times the shortest').waitFor();
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });

page('the comparison says what was learnt', async (p) => {
  await p.getByRole('checkbox', { name: 'astar-no-reopen' }).check();
  await button(p, 'Compare').last().click();
  await p.getByText(/^[\w-]+ [\w-]+ found the shortest solution of 9 with \d+ expanded states, [\w-]+ zero with/).waitFor();
  await p.getByText(/^astar-no-reopen oriented\S* answered 11 where 9 is shortest/).first().waitFor();
  await p.locator('.chip').filter({ hasText: 'open-board' }).hover();
  await tip(p).getByText(/exact distance on a board without obstacles/).waitFor();
}, { hash: link({ view: 'compare', puzzle: 'die', text: TRAP }) });

page('the board is explained at every move', async (p) => {
  await p.getByLabel('at every move').check();
  await p.getByText('The distance h* is 9 steps.').first().waitFor();
  await p.locator('.stage').focus();
  await p.keyboard.press('ArrowUp');
  await p.getByText('The distance h* is 10 steps.').first().waitFor();
  await enabled(p);
}, { hash: link({ view: 'solve', puzzle: 'die', text: TRAP }) });
