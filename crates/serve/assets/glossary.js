// What the counts and verdicts of the page mean.

export const GLOSSARY = {
  expanded: 'The states whose successors were produced. The time of a search grows with them.',
  generated: 'The successors produced, also those that were known already.',
  visited: 'The states taken off the open list: the expanded ones and the goal.',
  reopened: 'The closed states that were reached more cheaply and expanded again. With a consistent heuristic there are '
    + 'none.',
  'before the last layer': 'The expanded states whose f is below the length of the solution. Every correct A* with the '
    + 'same consistent heuristic expands exactly these, however it breaks ties.',
  'largest frontier': 'The most states on the open list at once: reached, and not expanded yet.',
  frontier: 'The most states on the open list at once: reached, and not expanded yet.',
  time: 'The time of the search, without the reading of the board.',
  memory: 'The most memory that the search held for its states.',
  moves: 'The solution counted in another way: a run of one piece is one move.',
  'fewest moves of any solution': 'The least that a solution takes where a run of one piece is one move.',
  cost: 'The length of the solution found.',
  'b*': 'The effective branching factor: a tree of the depth of the solution with so many branches at each state has as '
    + 'many states as were generated. The nearer to 1, the better the heuristic.',
  verdict: 'Whether the solution is proved to be shortest, and how it compares with the others.',
  open: 'The states on the open list: reached, and not expanded yet.',
  'f bound': 'The least f of all open states. With an admissible heuristic no solution is shorter.',
  'g + h': 'Of the state that is visited: g is the length of the way so far, h what the heuristic estimates for the rest.',
  admissible: 'A heuristic that never says more than the true distance. A* with it finds shortest solutions.',
  consistent: 'A heuristic that falls by no more than the cost of a move. A* with it expands no state twice.',
  optimal: 'No solution is shorter, and the search proves it: every open state has an f at least as large.',
  unproved: 'The heuristic may overestimate, so a shorter solution may have been passed over.',
  unsolvable: 'Every state that can be reached was visited, or a law of the puzzle forbids a solution.',
  bounded: 'Weighted A* trades length for speed and knows by how much at the most.',
  stopped: 'The search ended at a limit. What it has proved until then stays true.',
  exhaustive: 'Every state was looked at, so the verdict is a proof.',
  sampled: 'Some states were looked at. They can refute a claim, and never prove one.',
};
