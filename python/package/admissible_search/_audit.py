"""Audits: a heuristic against the exact distance of every state."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Sequence, Union, overload

from . import _collector, _progress
from ._problems import Heuristic, _short, graph_of
from ._table import Table, shown

#: The default limits of an audit.
MAX_STATES = 1_000_000
TIME_LIMIT = 60.0


class SampleError(ValueError):
    """The truth of a sample was asked for: it can refute a heuristic, not prove one."""


@dataclass(frozen=True)
class Counterexample:
    """A state whose estimate exceeds its true distance, with a path that proves it."""

    state: Any
    h: Any
    distance: Any
    #: The actions from the state to a goal, at a cost of ``distance``; ``None`` where a move has no name.
    actions: list[Any] = field(repr=False)
    #: The states after them.
    states: list[Any] = field(repr=False)
    #: Their costs.
    costs: list[Any] = field(repr=False)

    def __str__(self) -> str:
        moves = f"{len(self.actions)} move{'' if len(self.actions) == 1 else 's'}"
        state = _short(self.state, 200)
        text = f"h = {shown(self.h)} but the true distance is {shown(self.distance)} for the state {state}"
        if not self.actions:
            return f"{text}, which is a goal"
        path = self.actions if all(action is not None for action in self.actions) else self.states
        return f"{text}; {moves}: {_listed(path)}"


@dataclass(frozen=True)
class InconsistentMove:
    """A move along which the estimate falls by more than the move costs."""

    before: Any
    action: Any
    after: Any
    cost: Any
    h_before: Any
    h_after: Any

    def __str__(self) -> str:
        by = "" if self.action is None else f" by {_short(self.action)}"
        return (
            f"h falls from {shown(self.h_before)} to {shown(self.h_after)} along a move of cost {shown(self.cost)}"
            f"{by}, from {_short(self.before, 200)} to {_short(self.after, 200)}"
        )


@dataclass(frozen=True)
class Finding:
    """Something odd, with the first state where it was seen."""

    what: str
    count: int
    state: Any
    value: Any = None

    def __str__(self) -> str:
        times = "once" if self.count == 1 else f"{self.count:,} times"
        value = f" (h = {shown(self.value)})" if isinstance(self.value, (int, float)) else ""
        return f"{self.what}, {times}, first for the state {_short(self.state, 120)}{value}"


def _listed(path: list[Any], most: int = 12) -> str:
    words = [action if isinstance(action, str) else _short(action, 30) for action in path[:most]]
    return " ".join(words) + (f" ... ({len(path) - most} more)" if len(path) > most else "")


class AuditReport:
    """What an audit found about one heuristic. It prints itself, and is true exactly if nothing is refuted."""

    def __init__(
        self, name: str, found: Mapping[str, Any], changes: list[Any], seconds: float, options: Mapping[str, Any]
    ):
        self.heuristic = name
        self._found = found
        self._allow_sample = options["allow_sample"]
        self.tolerance = options["tolerance"]
        self.seed = None
        self.seconds = seconds
        #: Whether every reachable state was audited.
        self.exhaustive: bool = found["exhaustive"]
        #: Audited states, and the moves among them.
        self.states: int = found["states"]
        self.moves: int = found["edges"]
        self.goals: int = found["goals"]
        #: States from which a goal is known to be reachable.
        self.solvable: int = found["solvable"]
        #: States whose distance is proved.
        self.proved: int = found["proved"]
        self.farthest = found["farthest"]
        #: States whose estimate exceeds the true distance, among them false dead ends.
        self.overestimates: int = found["overestimates"]
        self.false_dead_ends: int = found["false_dead_ends"]
        self.worst_overestimate = found["worst_overestimate"]
        #: Moves along which the estimate falls by more than the cost.
        self.inconsistent_moves: int = found["inconsistent_edges"]
        self.worst_fall = found["worst_fall"]
        #: The relative rounding error of distances; 0 if costs are integers or fractions.
        self.rounding: float = found["rounding"]
        #: Excesses within the rounding error or the tolerance, which do not count.
        self.within_tolerance: int = found["within_tolerance"]
        shown_path = found.get("counterexample")
        self.counterexample: Optional[Counterexample] = None
        if shown_path is not None:
            state, h, distance, path = shown_path
            actions, states, costs = ([step[at] for step in path] for at in range(3))
            self.counterexample = Counterexample(state, h, distance, actions, states, costs)
        move = found.get("inconsistency")
        self.inconsistency: Optional[InconsistentMove] = None
        if move is not None:
            before, action, after, cost, h_before, h_after = move
            self.inconsistency = InconsistentMove(before, action, after, cost, h_before, h_after)
        #: Values that are no estimates, estimates above 0 at goals, callbacks that change states.
        self.findings: list[Any] = [
            Finding(f"h is {what}", count, state, h) for what, count, state, h in found["oddities"]
        ]
        for callback, state, count in changes:
            self.findings.append(Finding(f"{callback} changes the state it is given (it got a copy)", count, state))

    @property
    def refuted(self) -> bool:
        """Whether the heuristic is proved not to be admissible."""
        no_estimate = any(what in ("not a number", "None") for what, *_ in self._found["oddities"])
        return self.overestimates > 0 or no_estimate

    @property
    def admissible(self) -> Optional[bool]:
        """Whether no estimate exceeds the true distance; ``None`` if a sample found no counterexample."""
        if self.refuted:
            return False
        return True if self.exhaustive else None

    @property
    def consistent(self) -> Optional[bool]:
        """Whether no estimate falls by more than the cost of a move, and the heuristic is admissible."""
        if self.refuted or self.inconsistent_moves > 0:
            return False
        return True if self.exhaustive else None

    def __bool__(self) -> bool:
        if self.refuted:
            return False
        if not self.exhaustive and not self._allow_sample:
            raise SampleError(
                f"the audit of {self.heuristic} is a sample: no counterexample in {self.states:,} states, which proves "
                "nothing. Raise max_states or time_limit, or pass allow_sample=True"
            )
        return True

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.refuted:
            return "NOT admissible" + (", NOT consistent" if self.inconsistent_moves else "")
        if not self.exhaustive:
            if self.inconsistent_moves:
                return f"NOT consistent; no overestimate in a sample of {self.states:,} states"
            return f"no counterexample in {self.states:,} states (a sample)"
        beyond = self._tolerance_text()
        return ("admissible, NOT consistent" if self.inconsistent_moves else "admissible and consistent") + beyond

    def _tolerance_text(self) -> str:
        parts = []
        if self.tolerance:
            parts.append(f"tolerance {self.tolerance}")
        if self.rounding:
            parts.append(f"float costs, sums rounded by at most {self.rounding:.1e} of their size")
        return f" ({'; '.join(parts)})" if parts else ""

    @property
    def mean_relative_error(self) -> Optional[float]:
        """The mean of ``(distance - h) / distance`` over the states that are no goals and reach one."""
        compared = self._found["compared"]
        return self._found["sum_of_relative_errors"] / compared if compared else None

    @property
    def table(self) -> Table:
        """The report as a table of one row."""
        return _table([self])

    @property
    def by_distance(self) -> Table:
        """For every true distance: states, and the least, mean and greatest estimate."""
        rows = self._found["by_distance"]
        names = ("distance", "states", "least h", "mean h", "greatest h")
        return Table({name: [row[at] for row in rows] for at, name in enumerate(names)})

    def lines(self) -> list[Any]:
        """The report in lines."""
        every = "every reachable state" if self.exhaustive else "a SAMPLE of the reachable states"
        scope = self._found.get("scope", every)
        lines = [
            f"{self.heuristic}: {self.verdict}",
            f"  audited {self.states:,} states and {self.moves:,} moves ({scope}), {self.goals:,} "
            f"goal{'' if self.goals == 1 else 's'}, farthest {shown(self.farthest)}",
        ]
        if not self.exhaustive:
            lines.append(f"  distances proved for {self.proved:,} states; every move found was checked for consistency")
        if self.solvable == 0:
            lines.append("  no goal is reached from any audited state: every heuristic would pass")
        if self.overestimates:
            count = f"  overestimates {self.overestimates:,} state{'' if self.overestimates == 1 else 's'}"
            ends = f", {self.false_dead_ends:,} of them as dead ends" if self.false_dead_ends else ""
            lines.append(f"{count}, by at most {shown(self.worst_overestimate)}{ends}")
            lines.append(f"    {self.counterexample}")
        if self.inconsistent_moves:
            moves = f"{self.inconsistent_moves:,} move{'' if self.inconsistent_moves == 1 else 's'}"
            lines.append(f"  inconsistent along {moves}, the first:")
            lines.append(f"    {self.inconsistency}")
        if self.within_tolerance:
            lines.append(f"  {self.within_tolerance:,} excesses lie within rounding or tolerance and do not count")
        lines += [f"  note: {finding}" for finding in self.findings]
        if self._found["has_zero_costs"]:
            lines.append("  note: some moves cost 0")
        return lines

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        return _html(self)


def _html(report: AuditReport) -> str:
    good = not report.refuted
    colour = "#1a7f37" if good and report.exhaustive else ("#9a6700" if good else "#cf222e")
    rows = [
        ("states", f"{report.states:,}" + ("" if report.exhaustive else " (a sample)")),
        ("moves", f"{report.moves:,}"),
        ("overestimates", f"{report.overestimates:,}"),
        ("inconsistent moves", f"{report.inconsistent_moves:,}"),
    ]
    error = report.mean_relative_error
    if error is not None:
        rows.append(("mean relative error", f"{error:.3f}"))
    cells = "".join(
        f'<tr><td style="text-align:left">{name}</td><td style="text-align:right">{value}</td></tr>'
        for name, value in rows
    )
    notes = [str(part) for part in (report.counterexample, report.inconsistency) if part is not None]
    notes += [str(finding) for finding in report.findings]
    listed = "".join(f"<li><code>{html.escape(note)}</code></li>" for note in notes)
    verdict = f"<b style='color:{colour}'>{html.escape(report.verdict)}</b>"
    title = f"<b>{html.escape(report.heuristic)}</b>: {verdict}"
    return f"<div>{title}<table>{cells}</table>{f'<ul>{listed}</ul>' if listed else ''}</div>"


def _table(reports: list[Any]) -> Table:
    return Table(
        {
            "heuristic": [report.heuristic for report in reports],
            "admissible": [report.admissible for report in reports],
            "consistent": [report.consistent for report in reports],
            "states": [report.states for report in reports],
            "overestimates": [report.overestimates for report in reports],
            "worst": [report.worst_overestimate for report in reports],
            "inconsistent moves": [report.inconsistent_moves for report in reports],
            "mean relative error": [report.mean_relative_error for report in reports],
        }
    )


class Audits(Mapping[str, AuditReport]):
    """The reports on several heuristics by name, and how they compare state by state. True if all reports are."""

    def __init__(self, reports: Mapping[str, AuditReport], less: list[Any], ties: list[Any]) -> None:
        self._reports = dict(reports)
        self._less, self._ties = less, ties

    def __getitem__(self, name: str) -> AuditReport:
        return self._reports[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._reports)

    def __len__(self) -> int:
        return len(self._reports)

    def __bool__(self) -> bool:
        # Any refutation counts before a sample is an error.
        if any(report.refuted for report in self._reports.values()):
            return False
        return all(self._reports.values())

    @property
    def table(self) -> Table:
        """One row for each heuristic."""
        return _table(list(self._reports.values()))

    @property
    def dominance(self) -> Table:
        """On how many states the row's heuristic is greater than the column's."""
        names = list(self._reports)
        columns: dict[Any, Any] = {"heuristic": names}
        for column, name in enumerate(names):
            columns[f"> {name}"] = [self._less[column][row] for row in range(len(names))]
        return Table(columns)

    def dominates(self, first: str, second: str) -> bool:
        """Whether the first heuristic is at least as large as the second on every audited state."""
        names = list(self._reports)
        return bool(self._less[names.index(first)][names.index(second)] == 0)

    @property
    def counterexample(self) -> Optional[Counterexample]:
        """The first counterexample of any heuristic."""
        return next((r.counterexample for r in self._reports.values() if r.counterexample is not None), None)

    def __repr__(self) -> str:
        lines = [line for report in self._reports.values() for line in report.lines()]
        names = list(self._reports)
        for first in names:
            for second in names:
                if first != second and self.dominates(first, second) and not self.dominates(second, first):
                    lines.append(f"{first} dominates {second}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return "".join(report._repr_html_() for report in self._reports.values()) + self.dominance._repr_html_()


@overload
def audit(
    problem: Any,
    h: Union[Heuristic, str, None] = ...,
    *,
    max_states: int = ...,
    time_limit: float = ...,
    tolerance: Any = ...,
    allow_sample: bool = ...,
    heuristic_takes: Optional[str] = ...,
    copy: bool = ...,
    progress: Union[bool, _progress.ProgressFunction, None] = ...,
) -> AuditReport: ...


@overload
def audit(
    problem: Any,
    h: Union[Mapping[str, Heuristic], Sequence[Any]],
    *,
    max_states: int = ...,
    time_limit: float = ...,
    tolerance: Any = ...,
    allow_sample: bool = ...,
    heuristic_takes: Optional[str] = ...,
    copy: bool = ...,
    progress: Union[bool, _progress.ProgressFunction, None] = ...,
) -> Audits: ...


def audit(
    problem: Any,
    h: Any = None,
    *,
    max_states: int = MAX_STATES,
    time_limit: float = TIME_LIMIT,
    tolerance: Any = 0,
    allow_sample: bool = False,
    heuristic_takes: Optional[str] = None,
    copy: bool = True,
    progress: Union[bool, _progress.ProgressFunction, None] = None,
) -> Any:
    """Compares a heuristic with the exact distance of every state that the start can reach.

    ``problem`` is an AIMA ``Problem``, a Pacman or simpleai problem, one of our :class:`Puzzle` boards, a
    :class:`Problem` made from functions, or a :class:`Graph`. ``h`` is a function of a state (or of a node, for AIMA),
    several in a list or a dict, or the problem's own if left out. One heuristic gives an :class:`AuditReport`, several
    give :class:`Audits`.

    Beyond ``max_states`` or ``time_limit`` seconds the audit is a sample, and its truth an error unless
    ``allow_sample``. ``tolerance`` is what an estimate may exceed a distance by; the default compares exactly.

    >>> import admissible_search as ad
    >>> walk = ad.Problem(0, lambda n: [n - 1, n + 1] if abs(n) < 5 else [], lambda n: n == 3)
    >>> report = ad.audit(walk, lambda n: abs(n - 3))
    >>> bool(report), report.verdict
    (True, 'admissible and consistent')
    >>> report = ad.audit(walk, lambda n: 2 * abs(n - 3))
    >>> print(report.counterexample)
    h = 2 but the true distance is 1 for the state 2; 1 move: 3
    """
    from ._puzzles import Puzzle, audit_puzzle

    if isinstance(problem, Puzzle) and (h is None or _names_only(h)):
        if (max_states, time_limit) != (MAX_STATES, TIME_LIMIT):
            raise ValueError("max_states and time_limit: our puzzles are audited whole, or sampled if they are too large")
        return audit_puzzle(problem, h, tolerance, allow_sample, progress)
    if not isinstance(max_states, int) or max_states < 1:
        raise ValueError(f"expected max_states to be a positive integer, found {max_states!r}")
    if not time_limit > 0:
        raise ValueError(f"expected time_limit to be a number of seconds above 0, found {time_limit!r}")
    graph = graph_of(problem, copy)
    named = graph.named(h)
    native = graph._native
    numbers = {name: graph.number(each, heuristic_takes) for name, each in named.items()}
    with _progress.Showing(progress, "audit") as showing, _collector.rarely():
        import time

        begin = time.monotonic()
        seconds = 1e9 if math.isinf(time_limit) else float(time_limit)
        if not graph.complete(max_states, seconds, showing.function):
            for number in numbers.values():
                native.explore_around_goals(number, max_states, seconds, showing.function)
        for number in numbers.values():
            native.estimate_all(number, 1e9 if graph.is_complete else seconds, showing.function)
        reports = {}
        for name, number in numbers.items():
            found = native.audit(number, tolerance)
            options = {"allow_sample": allow_sample, "tolerance": tolerance}
            reports[name] = AuditReport(name, found, native.changes(), time.monotonic() - begin, options)
            graph._proved[number] = (reports[name].admissible is True, reports[name].consistent is True)
    if isinstance(h, (Mapping, list, tuple)):
        return Audits(reports, *native.dominance(list(numbers.values())))
    return next(iter(reports.values()))


def _names_only(h: Any) -> bool:
    if isinstance(h, str):
        return True
    return isinstance(h, (list, tuple)) and len(h) > 0 and all(isinstance(name, str) for name in h)
