// What a comparison teaches, in sentences.

import { grouped } from './dom.js';
import { t } from './language.js';

const nameOf = ({ algorithm, heuristic }) => (heuristic ? `${algorithm} ${heuristic}` : algorithm);

/** How many times one number is another, in few digits. */
const times = (large, small) => (large / Math.max(1, small)).toPrecision(2).replace(/\.0$/, '');

/** One to three sentences about the runs of a comparison. */
export function learnt({ runs, optimum }) {
  const solved = runs.filter(({ outcome }) => outcome === 'solved');
  const right = solved.filter(({ cost }) => optimum !== null && cost === optimum);
  const wrong = solved.filter(({ cost }) => optimum !== null && cost > optimum);
  const sentences = [];
  if (right.length > 1) {
    const byWork = right.toSorted((a, b) => a.stats.expanded - b.stats.expanded);
    const [best, worst] = [byWork[0], byWork.at(-1)];
    const values = {
      best: nameOf(best), few: grouped(best.stats.expanded), worst: nameOf(worst), many: grouped(worst.stats.expanded),
      cost: optimum, times: times(worst.stats.expanded, best.stats.expanded),
    };
    sentences.push(t(best.stats.expanded === worst.stats.expanded
      ? 'All runs that found the shortest solution of {cost} expanded {few} states.'
      : '{best} found the shortest solution of {cost} with {few} expanded states, {worst} with {many}: {times} times as '
        + 'many.', values));
  }
  for (const run of wrong.slice(0, 2)) {
    sentences.push(t('{name} answered {cost} where {optimum} is shortest: speed without a proof.', {
      name: nameOf(run), cost: run.cost, optimum,
    }));
  }
  const reopening = right.filter(({ stats }) => stats.reopened > 0)
    .toSorted((a, b) => b.stats.reopened - a.stats.reopened);
  if (reopening.length > 0) {
    sentences.push(t('{name} reopened {count} states: its heuristic is not consistent.', {
      name: nameOf(reopening[0]), count: grouped(reopening[0].stats.reopened),
    }));
  }
  return sentences;
}
