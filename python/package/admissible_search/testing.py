"""Assertions for autograders and tests.

>>> import admissible_search as ad
>>> from admissible_search.testing import assert_admissible
>>> walk = ad.Problem(0, lambda n: [n - 1, n + 1] if abs(n) < 5 else [], lambda n: n == 3)
>>> assert_admissible(walk, lambda n: abs(n - 3)).states
11
>>> assert_admissible(walk, lambda n: 2 * abs(n - 3))
Traceback (most recent call last):
    ...
AssertionError: your heuristic is not admissible.
For the state 2 it says 2, but the goal can be reached at a cost of 1:
    3
It overestimates 8 of 11 states. An admissible heuristic never says more than the true cost.
"""

from __future__ import annotations

from typing import Any, Optional

from ._audit import AuditReport, audit
from ._problems import _short
from ._table import shown

__all__ = ["assert_admissible", "assert_consistent", "assert_optimal"]


def assert_admissible(
    problem: Any, h: Any = None, *, allow_sample: bool = False, seed: Optional[int] = None, **options: Any
) -> AuditReport:
    """Fails with a message for students unless the heuristic is admissible; returns the report.

    A space that is too large to audit is an error unless ``allow_sample``. ``seed`` is only printed: pass the seed of a
    random problem, so that a failure can be repeated.
    """
    __tracebackhide__ = True
    report = _one(problem, h, allow_sample, options)
    if report.refuted:
        raise AssertionError(_refutation(report, seed))
    bool(report)
    return report


def assert_consistent(
    problem: Any, h: Any = None, *, allow_sample: bool = False, seed: Optional[int] = None, **options: Any
) -> AuditReport:
    """The same for consistency: no estimate falls by more than the cost of a move."""
    __tracebackhide__ = True
    report = assert_admissible(problem, h, allow_sample=allow_sample, seed=seed, **options)
    move = report.inconsistency
    if move is not None:
        by = "" if move.action is None else f" by {_short(move.action)}"
        lines = [
            "your heuristic is admissible but not consistent.",
            f"From {_short(move.before, 200)}",
            f"  to {_short(move.after, 200)}{by}, a move of cost {shown(move.cost)},",
            f"it falls from {shown(move.h_before)} to {shown(move.h_after)}: by more than the move costs.",
            f"That happens along {report.inconsistent_moves:,} of {report.moves:,} moves.",
        ]
        raise AssertionError("\n".join(lines + _seed(seed)))
    return report


def assert_optimal(problem: Any, actions: Any, *, seed: Optional[int] = None, **options: Any) -> None:
    """Fails unless a list of actions leads from the start to a goal at the least cost."""
    __tracebackhide__ = True
    from ._problems import graph_of
    from ._search import solve

    graph = graph_of(problem)
    best = solve(graph, algorithm="ucs", **options)
    if best.outcome == "stopped":
        raise ValueError(f"no optimal solution is known to compare with: {best.why}")
    total: Any = 0
    at = graph._start
    for number, action in enumerate(actions, 1):
        step = next((move for move in graph._native.moves(at) if move[0] == action), None)
        if step is None:
            legal = ", ".join(_short(move[0], 30) for move in graph._native.moves(at))
            state = _short(graph._native.state(at), 200)
            raise AssertionError(
                "\n".join([f"action {number}, {action!r}, is not legal in {state}: {legal}", *_seed(seed)])
            )
        total, at = total + step[2], step[1]
    if not graph._native.is_goal(at):
        state = _short(graph._native.state(at), 200)
        raise AssertionError("\n".join([f"the last action leads to {state}, which is no goal", *_seed(seed)]))
    if total != best.cost:
        lines = [f"the solution costs {shown(total)}, but one costs {shown(best.cost)}: {_short(best.actions, 300)}"]
        raise AssertionError("\n".join(lines + _seed(seed)))


def _one(problem: Any, h: Any, allow_sample: bool, options: dict[Any, Any]) -> AuditReport:
    report = audit(problem, h, allow_sample=allow_sample, **options)
    if not isinstance(report, AuditReport):
        raise TypeError("expected one heuristic")
    return report


def _refutation(report: AuditReport, seed: Optional[int]) -> str:
    lines = ["your heuristic is not admissible."]
    example = report.counterexample
    if example is not None:
        reached = f"the goal can be reached at a cost of {shown(example.distance)}"
        if not example.actions:
            lines.append(
                f"For the state {_short(example.state, 200)} it says {shown(example.h)}, but that is a goal: 0."
            )
        else:
            named = all(action is not None for action in example.actions)
            path = example.actions if named else example.states
            words = [word if isinstance(word, str) else _short(word, 60) for word in path]
            lines.append(f"For the state {_short(example.state, 200)} it says {shown(example.h)}, but {reached}:")
            lines.append(f"    {' '.join(words)}")
        of = f"{report.states:,} states" + ("" if report.exhaustive else " (a sample)")
        count = f"It overestimates {report.overestimates:,} of {of}."
        lines.append(f"{count} An admissible heuristic never says more than the true cost.")
    lines += [f"Note: {finding}." for finding in report.findings]
    return "\n".join(lines + _seed(seed))


def _seed(seed: Optional[int]) -> list[Any]:
    return [] if seed is None else [f"The seed of this problem is {seed}."]
