"""Our own puzzles in Python: read, make up, solve, audit, explain, draw."""

from __future__ import annotations

import json
import math
import os
from collections import namedtuple
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union, cast

from . import _native, _progress, _svg
from ._audit import AuditReport, Audits
from ._search import Exploration, Solution, _weight
from ._table import Table

Source = Union[str, "os.PathLike[str]"]


def read(
    source: Source,
    puzzle: Optional[str] = None,
    *,
    goal: Optional[str] = None,
    move_order: Optional[str] = None,
    metric: Optional[str] = None,
) -> "Puzzle":
    """Reads a puzzle from a file, or from text with at least one line break or blank.

    The puzzle is recognised from the content; ``puzzle`` decides where two fit. See :func:`puzzles` for the names.

    >>> import admissible_search as ad
    >>> board = ad.read("1 2 3 4 5 6 0 7 8")
    >>> board.solve().actions
    ['LEFT', 'LEFT']
    """
    if isinstance(source, str) and (not source or "\n" in source or (" " in source and not Path(source).is_file())):
        name, text = "text", source
    else:
        name = os.fspath(source)
        text = Path(source).read_text(encoding="utf-8-sig")
    try:
        native = _native.Puzzle(text, puzzle, goal, move_order, metric)
    except ValueError as error:
        message = str(error).replace("(see: admissible list)", "(see admissible_search.puzzles())")
        raise ValueError(f"{name}:{message}" if message[:1].isdigit() else f"{name}: {message}") from None
    return Puzzle(native)


def generate(puzzle: str, *, seed: int = 0, **parameters: Any) -> "Puzzle":
    """A random solvable instance. The parameters are those of ``admissible generate``, such as ``size="3x4"``.

    >>> import admissible_search as ad
    >>> ad.generate("tiles", size=(3, 3), seed=1).puzzle
    'tiles'
    """
    words = []
    for name, value in parameters.items():
        text = "x".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)
        words.append((name.replace("_", "-"), text))
    try:
        text = _native.generate(puzzle, words, seed)
    except ValueError as error:
        raise ValueError(str(error).replace("--", "")) from None
    return Puzzle(_native.Puzzle(text, puzzle, None, None, None))


def puzzles() -> Table:
    """The puzzles, with their heuristics and the parameters of :func:`generate`."""
    cards = json.loads(_native.puzzle_cards())
    return Table(
        {
            "puzzle": [card["name"] for card in cards],
            "summary": [card["summary"] for card in cards],
            "heuristics": [", ".join(h["name"] for h in card["heuristics"]) for card in cards],
            "parameters": [", ".join(p["name"] for p in card["parameters"]) for card in cards],
        }
    )


@lru_cache(maxsize=None)
def _state_type(names: tuple[Any, ...]) -> Any:
    return namedtuple("State", names)


def _hashable(value: Any) -> Any:
    """A JSON value as a state: tuples for arrays, named tuples for objects."""
    if isinstance(value, list):
        return tuple(_hashable(item) for item in value)
    if isinstance(value, dict):
        return _state_type(tuple(value))(*(_hashable(item) for item in value.values()))
    return value


def _plain(state: Any) -> Any:
    """A state as a JSON value."""
    if hasattr(state, "_asdict"):
        return {name: _plain(item) for name, item in state._asdict().items()}
    if isinstance(state, (tuple, list)):
        return [_plain(item) for item in state]
    return state


class Puzzle:
    """A board of one of our puzzles.

    It is also a problem for :func:`audit`, :func:`solve` and :func:`compare`, with ``initial``, ``successors`` and
    ``is_goal``, so that a heuristic of your own can be audited on it.

    >>> import admissible_search as ad
    >>> board = ad.read("1 2 3 4 5 6 0 7 8")
    >>> misplaced = lambda state: sum(tile not in (0, at + 1) for at, tile in enumerate(state))
    >>> ad.solve(board, misplaced).cost
    2
    """

    yields = "pairs"

    def __init__(self, native: Any) -> None:
        self._native = native
        position = json.loads(native.position())
        self.initial: Any = _hashable(position["state"])
        self.board: Any = json.loads(native.board())
        self._positions = lru_cache(maxsize=1 << 16)(self._position)

    @property
    def puzzle(self) -> str:
        """The name of the puzzle."""
        return str(self._native.puzzle)

    @property
    def heuristics(self) -> dict[Any, Any]:
        """Its heuristics by name, as functions of a state; those that this instance does not support are left out."""
        return {name: self.heuristic(name) for name in self._native.heuristics if self._native.lacks(name) is None}

    def heuristic(self, name: str) -> Callable[[Any], float]:
        """A heuristic of the puzzle, or an expression of heuristics and features, as a function of a state."""
        self._native.estimate(name)

        def h(state: Any) -> float:
            value = self._at(state).estimate(name)
            if value is None:
                return math.inf
            return int(value) if float(value).is_integer() else value

        h.__name__ = h.__qualname__ = name
        h.__doc__ = f"The heuristic {name} of {self.puzzle}."
        return h

    def _at(self, state: Any) -> Any:
        if state == self.initial:
            return self._native
        return self._native.beginning_at(json.dumps(_plain(state)))

    def _position(self, state: Any) -> tuple[Any, ...]:
        position = json.loads(self._at(state).position())
        return position["solved"], [(action, _hashable(after)) for action, after in position["moves"]]

    def successors(self, state: Any) -> list[Any]:
        """The moves of a state: ``(action, state after it)``."""
        return list(self._positions(state)[1])

    def is_goal(self, state: Any) -> bool:
        """Whether a state is solved."""
        return bool(self._positions(state)[0])

    def at(self, state: Any) -> "Puzzle":
        """The same board from another state."""
        return Puzzle(self._at(state))

    def solve(self, h: Optional[str] = None, **options: Any) -> "PuzzleSolution":
        """Solves it at full speed; the options are those of :func:`solve`, and ``threads``."""
        from ._search import solve

        threads = options.pop("threads", None)
        if threads is not None:
            limits = {name: options.pop(name, None) for name in ("time_limit", "node_limit", "memory_limit")}
            names = ("algorithm", "weight", "depth_limit", "tie_break", "progress")
            algorithm, weight, depth_limit, tie_break, progress = (options.pop(name, None) for name in names)
            if options:
                raise TypeError(f"unknown option {next(iter(options))!r}")
            return solve_puzzle(self, h, algorithm, weight, limits, depth_limit, tie_break, progress, threads)
        return cast(PuzzleSolution, solve(self, h, **options))

    def audit(self, h: Any = None, **options: Any) -> Any:
        """Audits heuristics of the puzzle by name, or functions of a state, on every state that the board reaches."""
        from ._audit import audit

        return audit(self, h, **options)

    def explore(
        self, *, direction: str = "forward", threads: Optional[int] = None, progress: Any = None
    ) -> Exploration:
        """Counts the states of its space by moves from the start, or ``backward`` by distance to the goals."""
        options = _given(direction=direction, threads=threads)
        with _progress.Showing(progress, "explore") as showing:
            found = json.loads(self._native.explore(json.dumps(options), showing.function))
        counts = {
            "states": found["states"],
            "goals": found["goals"],
            "moves": found["moves"],
            "depths": list(enumerate(found["depths"])),
            "farthest": [_hashable(state) for state in found["farthest"]],
            "farthest_states": found["farthest_states"],
        }
        return Exploration(counts, direction, True, found["seconds"])

    def explain(self, heuristics: Optional[Sequence[str]] = None, *, time_limit: Optional[float] = None) -> Table:
        """The value of every heuristic at the start with the rule that applies, and the true distance."""
        names = None if heuristics is None else list(heuristics)
        found = json.loads(self._native.explain(names, json.dumps(_given(time_limit=time_limit)), None))
        rows = found["heuristics"]
        return Table(
            {
                "heuristic": [row["heuristic"] for row in rows],
                "h": [row["h"] for row in rows],
                "distance": [found["distance"]] * len(rows),
                "rule": [row["rule"] for row in rows],
            }
        )

    def draw(self) -> str:
        """The board as text."""
        return str(self._native.drawing())

    def svg(self) -> str:
        """The board as an SVG picture."""
        return _svg.picture(self.puzzle, self.board, _plain(self.initial), self.draw())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<{self.puzzle}>\n{self.draw()}"


class PuzzleSolution(Solution):
    """The solution of one of our puzzles, which notebooks show as an animation."""

    def __init__(self, puzzle: Puzzle, found: Mapping[str, Any]) -> None:
        self.puzzle = puzzle
        #: Notes on how it was solved.
        self.notes: list[Any] = found.get("notes", [])
        states = [_hashable(state) for state in found.get("states", [])]
        actions = found.get("actions")
        best = found.get("best")
        #: A solution that is not proved optimal, if the search was stopped after it found one: its cost and actions.
        self.best: Optional[dict[str, Any]] = best
        path = None
        if actions is not None:
            path = [(action, state, 1) for action, state in zip(actions, states[1:])]
        super().__init__(
            found["algorithm"],
            found["heuristic"],
            {
                "outcome": found["outcome"],
                "guarantee": "proved" if found["outcome"] == "unsolvable" else found.get("guarantee", "none"),
                "why": found.get("why"),
                "lower_bound": found.get("lower_bound"),
                "seconds": found["stats"]["seconds"],
                "stats": {name: value for name, value in found["stats"].items() if name != "seconds"},
                "path": path,
                "start": states[0] if states else puzzle.initial,
                "float_costs": False,
            },
        )
        # A run of one piece may count as one move: the puzzle knows the cost.
        self.cost = found["cost"]
        self.json: dict[Any, Any] = dict(found)

    def svg(self, seconds_per_move: float = 0.6) -> str:
        """The solution as an animated SVG picture, which begins again at its end."""
        states = self.states or [self.puzzle.initial]
        pictures = [(self.puzzle.puzzle, self.puzzle.board, _plain(state), "") for state in states]
        return _svg.animation(pictures, seconds_per_move)

    def _repr_svg_(self) -> Optional[str]:
        # The HTML has the picture and the numbers.
        return None

    def _repr_html_(self) -> str:
        picture = self.svg() if self.states and len(self.states) <= 400 and _svg.draws(self.puzzle.puzzle) else ""
        return f"<div>{picture}{super()._repr_html_()}</div>"


def _given(**options: Any) -> dict[Any, Any]:
    return {name: value for name, value in options.items() if value is not None}


def solve_puzzle(
    puzzle: Puzzle,
    h: Optional[str],
    algorithm: Optional[str],
    weight: Any,
    limits: Mapping[str, Any],
    depth_limit: Optional[int],
    tie_break: Optional[str],
    progress: Any,
    threads: Optional[int] = None,
) -> PuzzleSolution:
    """Solves a board with a heuristic by name."""
    options = _given(
        heuristic=h,
        algorithm=algorithm,
        weight=None if weight is None else _weight(weight),
        depth_limit=depth_limit,
        tie_break=tie_break,
        threads=threads,
        **limits,
    )
    with _progress.Showing(progress, puzzle.puzzle) as showing:
        found = json.loads(puzzle._native.solve(json.dumps(options), showing.function))
    return PuzzleSolution(puzzle, found)


def compare_puzzle(
    puzzle: Puzzle, heuristics: Any, algorithms: Sequence[str], options: Mapping[str, Any]
) -> dict[Any, Any]:
    """Solves a board with every algorithm and heuristic by name."""
    names = list(puzzle.heuristics) if heuristics is None else heuristics
    names = [names] if isinstance(names, str) else list(names)
    solutions = {}
    for algorithm in algorithms:
        for name in ["zero"] if algorithm in ("ucs", "bfs", "dfs") else names:
            solutions[algorithm, name] = puzzle.solve(name, algorithm=algorithm, **options)
    return solutions


def audit_puzzle(puzzle: Puzzle, h: Any, tolerance: Any, allow_sample: bool, progress: Any) -> Any:
    """Audits heuristics of a puzzle by name."""
    if tolerance:
        raise ValueError("tolerance: the heuristics of our puzzles are compared exactly")
    names = [h] if isinstance(h, str) else list(h or puzzle.heuristics)
    with _progress.Showing(progress, "audit") as showing:
        found = json.loads(puzzle._native.audit(json.dumps({"heuristics": names}), showing.function))
    options = {"allow_sample": allow_sample, "tolerance": 0}
    reports = {
        report["heuristic"]: AuditReport(report["heuristic"], _findings(puzzle, report), [], found["seconds"], options)
        for report in found["reports"]
    }
    if isinstance(h, str):
        return next(iter(reports.values()))
    less = found["dominance"]["states_where_row_is_less_than_column"]
    return Audits(reports, less, found["dominance"]["ties"])


def _findings(puzzle: Puzzle, report: Mapping[str, Any]) -> dict[Any, Any]:
    """An audit report of the program in the form of the native audit."""
    found = {name: report[name] for name in ("states", "edges", "goals", "solvable", "farthest", "overestimates")}
    found.update({name: report[name] for name in ("false_dead_ends", "worst_overestimate", "worst_fall")})
    found["inconsistent_edges"] = report["inconsistent_edges"]
    found["exhaustive"] = report["scope"] == "exhaustive"
    found["scope"] = report["looked_at"]
    found.update(proved=report["solvable"], within_tolerance=0, rounding=0.0, oddities=[], has_zero_costs=False)
    example, move = report["counterexample"], report["inconsistency"]
    if example is not None and example["kind"] == "overestimate":
        state = _hashable(example["state"])
        path, at = [], state
        for action in example["actions"]:
            at = dict(puzzle.successors(at))[action]
            path.append((action, at, 1))
        found["counterexample"] = (state, _estimate(example["h"]), example["distance"], path)
    if move is not None:
        before, after = _hashable(move["before"]), _hashable(move["after"])
        values = (_estimate(move["h_before"]), _estimate(move["h_after"]))
        found["inconsistency"] = (before, move["action"], after, move["cost"], *values)
    rows: dict[Any, Any] = {}
    errors, compared = 0.0, 0
    for distance, h, count in report["joint"]:
        least, total, most, states = rows.get(distance, (math.inf, 0, 0, 0))
        rows[distance] = (min(least, h), total + h * count, max(most, h), states + count)
        if distance > 0:
            errors, compared = errors + count * (distance - h) / distance, compared + count
    found["by_distance"] = [(d, n, least, total / n, most) for d, (least, total, most, n) in sorted(rows.items())]
    found.update(compared=compared, sum_of_relative_errors=errors)
    return found


def _estimate(h: Any) -> Any:
    return math.inf if h is None else h
