"""Searches, comparisons and explorations."""

from __future__ import annotations

import html
import math
from fractions import Fraction
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from . import _progress
from ._audit import MAX_STATES, TIME_LIMIT
from ._problems import Heuristic, Heuristics, _short, graph_of, name_of
from ._table import Table, shown

#: The algorithms for Python problems.
ALGORITHMS = ("astar", "astar-no-reopen", "ucs", "bfs", "dfs", "greedy", "wastar", "idastar", "bidirectional")
_UNINFORMED = ("ucs", "bfs", "dfs")


class Solution:
    """The result of a search: how it ended, what it proves, the path and the counts. True exactly if it is solved."""

    def __init__(self, algorithm: str, heuristic: str, found: Mapping[str, Any]) -> None:
        self.algorithm = algorithm
        self.heuristic = heuristic
        #: ``solved``, ``unsolvable`` (proved) or ``stopped``.
        self.outcome: str = found["outcome"]
        #: What is proved about the cost: ``optimal``, ``optimal if h is admissible``, ``within the weight``, ...
        self.guarantee: str = found["guarantee"]
        #: Why the search stopped: ``node limit``, ``time limit``, ``memory limit``, ...
        self.why: Optional[str] = found["why"]
        #: Every solution costs at least this much, if a search was stopped and knows it.
        self.lower_bound = found.get("lower_bound")
        self.seconds: float = found["seconds"]
        #: Counts: expanded, generated, reopened, max_frontier, stored, iterations, peak_bytes, ...
        self.stats: dict[Any, Any] = dict(found["stats"])
        path = found.get("path")
        #: The actions from start to goal (``None`` for moves without a name), the states along them, and the costs.
        self.actions: Optional[list[Any]] = None if path is None else [action for action, _, _ in path]
        self.states: Optional[list[Any]] = None if path is None else [found["start"], *(state for _, state, _ in path)]
        self.costs: Optional[list[Any]] = None if path is None else [cost for _, _, cost in path]
        #: The cost of the path, ``None`` without one. Floats are summed from the start.
        self.cost: Any = None if self.costs is None else sum(self.costs)
        self._float_costs = found["float_costs"]

    @property
    def expanded(self) -> int:
        """The states whose successors were generated."""
        return int(self.stats["expanded"])

    @property
    def generated(self) -> int:
        """The successors generated."""
        return int(self.stats["generated"])

    @property
    def path(self) -> Optional[list[Any]]:
        """The moves: ``(action, state after it, cost)``."""
        if self.actions is None or self.states is None or self.costs is None:
            return None
        return list(zip(self.actions, self.states[1:], self.costs))

    def __bool__(self) -> bool:
        return self.outcome == "solved"

    def __repr__(self) -> str:
        counts = f"{self.expanded:,} expanded, {self.generated:,} generated, {self.seconds:.3f} s"
        by = self.algorithm if self.algorithm in _UNINFORMED else f"{self.algorithm} with {self.heuristic}"
        if self.actions is not None and self.states is not None:
            proved = "no guarantee" if self.guarantee == "none" else self.guarantee
            rounded = ", up to rounding" if self._float_costs else ""
            text = f"cost {shown(self.cost)} ({proved}{rounded}), {len(self.actions)} moves"
            named = [action for action in self.actions if action is not None]
            listed = named if len(named) == len(self.actions) else self.states
            words = " ".join(action if isinstance(action, str) else _short(action, 30) for action in listed[:40])
            more = f" ... ({len(listed) - 40} more)" if len(listed) > 40 else ""
            return f"{text}\n  {words}{more}\n  {by}: {counts}"
        if self.outcome == "unsolvable":
            return f"unsolvable (proved)\n  {by}: {counts}"
        bound = "" if self.lower_bound is None else f"; every solution costs at least {shown(self.lower_bound)}"
        return f"stopped: {self.why}{bound}\n  {by}: {counts}"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def _check_algorithm(algorithm: str) -> None:
    if algorithm in ALGORITHMS:
        return
    others = {
        "hdastar": "hdastar runs on several cores and Python's callbacks on one; use astar",
        "idastar-pruned": "idastar-pruned knows the moves of sliding tiles only; use idastar",
        "dijkstra": "it is called ucs here",
        "a*": "it is called astar here",
    }
    hint = others.get(str(algorithm).lower(), f"expected one of {', '.join(ALGORITHMS)}")
    raise ValueError(f"unknown algorithm {algorithm!r}: {hint}")


def _weight(weight: Any) -> tuple[Any, ...]:
    try:
        exact = Fraction(weight).limit_denominator(10_000)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"expected weight to be a number of at least 1, found {weight!r}") from None
    return (exact.numerator, exact.denominator)


def solve(
    problem: Any,
    h: Union[Heuristic, str, None] = None,
    *,
    algorithm: Optional[str] = None,
    weight: Any = None,
    time_limit: Optional[float] = None,
    node_limit: Optional[int] = None,
    memory_limit: Optional[int] = None,
    depth_limit: Optional[int] = None,
    tie_break: Optional[str] = None,
    heuristic_takes: Optional[str] = None,
    copy: bool = True,
    progress: Union[bool, _progress.ProgressFunction, None] = None,
) -> Solution:
    """Solves a problem. Only what the search asks for is called, once a state.

    Without a heuristic it uses the problem's own or else none; without an algorithm, A* or else uniform-cost search.
    The guarantee says ``optimal`` if it is proved: without a heuristic, or after an audit of the same :class:`Graph`.

    >>> import admissible_search as ad
    >>> walk = ad.Problem(0, lambda n: [("left", n - 1, 2), ("right", n + 1, 1)], lambda n: n == 3)
    >>> solution = ad.solve(walk, lambda n: abs(n - 3))
    >>> solution.cost, solution.actions, solution.guarantee
    (3, ['right', 'right', 'right'], 'optimal if h is admissible')
    """
    from ._puzzles import Puzzle, solve_puzzle

    limits = {"time_limit": time_limit, "node_limit": node_limit, "memory_limit": memory_limit}
    for name, value in {**limits, "depth_limit": depth_limit}.items():
        if value is not None and not value >= 0:
            raise ValueError(f"expected {name} to be at least 0, found {value!r}")
    if isinstance(problem, Puzzle) and (h is None or isinstance(h, str)):
        return solve_puzzle(problem, h, algorithm, weight, limits, depth_limit, tie_break, progress)
    if isinstance(h, str):
        raise TypeError(f"expected a heuristic, a function of a state, found {h!r}: names are for our own puzzles")
    graph = graph_of(problem, copy)
    chosen: Optional[Heuristic] = h if callable(h) else None
    if h is not None and chosen is None:
        raise TypeError(f"expected a heuristic, a function of a state, found {_short(h)}")
    if algorithm is not None:
        _check_algorithm(algorithm)
    uninformed = algorithm in _UNINFORMED
    if h is None and not uninformed:
        chosen = graph._style.h
    if algorithm is None:
        algorithm = "ucs" if chosen is None else "astar"
        uninformed = chosen is None
    number, known = None, (True, True)
    name = "zero"
    if chosen is not None and not uninformed and chosen is not _blind:
        number = graph.number(chosen, heuristic_takes)
        known = graph._proved.get(number, (False, False))
        name = name_of(chosen)
    options = {
        **limits,
        "depth_limit": depth_limit,
        "tie_break": tie_break,
        "weight": None if weight is None else _weight(weight),
    }
    with _progress.Showing(progress, algorithm) as showing:
        if algorithm == "bidirectional" and not graph.complete(progress=showing.function):
            raise ValueError(
                "bidirectional: the whole space must be explored first, and it exceeds the limits; use astar"
            )
        if algorithm == "bidirectional" and number is not None:
            graph._native.estimate_all(number, 1e9, showing.function)
        found = graph._native.solve(graph._start, algorithm, number, known, options, showing.function)
    return Solution(algorithm, name, found)


class Comparison:
    """Several searches of the same problem. Each is a :class:`Solution` under ``(algorithm, heuristic)``."""

    def __init__(self, solutions: Mapping[tuple[str, str], Any]) -> None:
        self._solutions = dict(solutions)

    def __getitem__(self, key: tuple[str, str]) -> Any:
        return self._solutions[key]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._solutions)

    def __len__(self) -> int:
        return len(self._solutions)

    @property
    def table(self) -> Table:
        """One row for each search."""
        rows = list(self._solutions.items())
        return Table(
            {
                "algorithm": [algorithm for (algorithm, _), _ in rows],
                "heuristic": [heuristic for (_, heuristic), _ in rows],
                "outcome": [solution.outcome for _, solution in rows],
                "cost": [solution.cost for _, solution in rows],
                "guarantee": [solution.guarantee for _, solution in rows],
                "expanded": [solution.stats["expanded"] for _, solution in rows],
                "generated": [solution.stats["generated"] for _, solution in rows],
                "reopened": [solution.stats["reopened"] for _, solution in rows],
                "max frontier": [solution.stats["max_frontier"] for _, solution in rows],
                "seconds": [solution.seconds for _, solution in rows],
            }
        )

    def to_dict(self) -> dict[Any, Any]:
        """The columns of the table."""
        return self.table.to_dict()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(
    problem: Any,
    heuristics: Heuristics = None,
    algorithms: Sequence[str] = ("astar",),
    **options: Any,
) -> Comparison:
    """Runs every algorithm with every heuristic on the same problem; the options are those of :func:`solve`.

    Python is called once a state for all of them together.

    >>> import admissible_search as ad
    >>> walk = ad.Problem(0, lambda n: [n - 1, n + 1], lambda n: n == 3)
    >>> result = ad.compare(walk, {"zero": lambda n: 0, "exact": lambda n: abs(n - 3)}, ["astar", "idastar"])
    >>> result["astar", "exact"].cost
    3
    """
    from ._puzzles import Puzzle, compare_puzzle

    if isinstance(algorithms, str):
        algorithms = [algorithms]
    if isinstance(problem, Puzzle) and not _has_callables(heuristics):
        return Comparison(compare_puzzle(problem, heuristics, algorithms, options))
    for algorithm in algorithms:
        _check_algorithm(algorithm)
    graph = graph_of(problem, options.pop("copy", True))
    if heuristics is None and graph._style.h is None:
        named: Mapping[str, Any] = {"zero": None}
    else:
        named = graph.named(heuristics)
    solutions = {}
    for algorithm in algorithms:
        if algorithm in _UNINFORMED:
            solutions[algorithm, "zero"] = solve(graph, algorithm=algorithm, **options)
            continue
        for name, h in named.items():
            solution = solve(graph, _blind if h is None else h, algorithm=algorithm, **options)
            solution.heuristic = name
            solutions[algorithm, name] = solution
    return Comparison(solutions)


def _blind(state: Any) -> int:
    return 0


def _has_callables(heuristics: Any) -> bool:
    if isinstance(heuristics, Mapping):
        return any(callable(h) for h in heuristics.values())
    if isinstance(heuristics, (list, tuple)):
        return any(callable(h) for h in heuristics)
    return callable(heuristics)


class Exploration:
    """The counts of a whole space."""

    def __init__(self, found: Mapping[str, Any], direction: str, exhaustive: bool, seconds: float) -> None:
        self.direction = direction
        #: Whether every reachable state was found; else these are lower bounds.
        self.exhaustive = exhaustive
        self.states: int = found["states"]
        self.goals: int = found["goals"]
        self.moves: int = found["moves"]
        #: ``(depth, number of states)``: moves from the start, or costs to the nearest goal.
        self.depths: list[Any] = [tuple(row) for row in found["depths"]]
        #: Some of the farthest states.
        self.farthest: list[Any] = found["farthest"]
        self.farthest_states: int = found["farthest_states"]
        self.seconds = seconds

    @property
    def max_depth(self) -> Any:
        """The greatest depth, ``None`` if there is none."""
        return self.depths[-1][0] if self.depths else None

    @property
    def table(self) -> Table:
        """The number of states by depth."""
        return Table({"depth": [row[0] for row in self.depths], "states": [row[1] for row in self.depths]})

    def __repr__(self) -> str:
        extent = "" if self.exhaustive else " (limits reached: there are more)"
        word = "state" if self.farthest_states == 1 else "states"
        return (
            f"{self.states:,} states, {self.goals:,} goals, {self.moves:,} moves{extent}\n"
            f"  {self.direction}: greatest depth {shown(self.max_depth)}, with {self.farthest_states:,} {word}"
        )

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>{self.table._repr_html_()}"


def explore(
    problem: Any,
    *,
    direction: str = "forward",
    max_states: int = MAX_STATES,
    time_limit: float = TIME_LIMIT,
    copy: bool = True,
    progress: Union[bool, _progress.ProgressFunction, None] = None,
) -> Exploration:
    """Counts the states that the start can reach: ``forward`` by moves from the start, ``backward`` by cost to a goal.

    >>> import admissible_search as ad
    >>> ad.explore(ad.Problem(0, lambda n: [n + 1] if n < 4 else [], lambda n: n == 4)).depths
    [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)]
    """
    import time

    from ._puzzles import Puzzle

    if direction not in ("forward", "backward"):
        raise ValueError(f"expected direction to be 'forward' or 'backward', found {direction!r}")
    if isinstance(problem, Puzzle):
        if (max_states, time_limit) != (MAX_STATES, TIME_LIMIT):
            raise ValueError("max_states and time_limit: the spaces of our puzzles are explored whole")
        return problem.explore(direction=direction, progress=progress)
    graph = graph_of(problem, copy)
    begin = time.monotonic()
    with _progress.Showing(progress, "explore") as showing:
        seconds = 1e9 if math.isinf(time_limit) else time_limit
        complete = graph.complete(max_states, seconds, showing.function)
    if direction == "backward" and not complete:
        raise ValueError("distances to the goals need the whole space, which exceeds the limits")
    found = graph._native.layers(graph._start if direction == "forward" else None)
    return Exploration(found, direction, complete, time.monotonic() - begin)
