"""Problems as people have them: AIMA, Berkeley's Pacman, simpleai, and plain functions."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Hashable, Iterable, Mapping, Optional, Sequence, Union

from . import _batches, _collector, _freeze
from ._native import Graph as _NativeGraph

Heuristic = Callable[..., Any]

_FORMS = {None: 0, "states": 1, "pairs": 2, "triples": 3}


@dataclass(frozen=True)
class Problem:
    """A problem given by plain functions.

    ``successors(state)`` yields states, ``(action, state)`` or ``(action, state, cost)``; which of them is recognised
    from the first item, or said by ``yields="states"``, ``"pairs"`` or ``"triples"``.

    >>> count = Problem(1, lambda n: [("+1", n + 1), ("*2", n * 2)], lambda n: n == 20)
    >>> from admissible_search import solve
    >>> solve(count, algorithm="bfs").cost
    5
    """

    initial: Any
    successors: Callable[[Any], Iterable[Any]]
    is_goal: Callable[[Any], Any]
    h: Optional[Heuristic] = None
    name: Optional[str] = None
    yields: Optional[str] = None

    def __post_init__(self) -> None:
        for name in ("successors", "is_goal"):
            if not callable(getattr(self, name)):
                raise TypeError(f"expected {name} to be a function of a state, found {getattr(self, name)!r}")
        if self.yields not in _FORMS:
            raise ValueError(f"expected yields to be 'states', 'pairs' or 'triples', found {self.yields!r}")

    def __repr__(self) -> str:
        return f"<Problem {self.name or ''}from {_short(self.initial)}>".replace("  ", " ")


def _short(value: Any, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def form_of(state: Any, item: Any) -> int:
    """What a plain function yields, by its first item: 1 states, 2 pairs, 3 triples with a cost."""
    if type(item) is not tuple or len(item) not in (2, 3):
        return 1
    own = _shape(state)
    if len(item) == 2:
        if _shape(item) == own and _shape(item[1]) != own:
            return 1
        if type(item[1]) is type(state) and not (type(state) is not tuple and type(state) is type(item)):
            return 2
        return 1 if type(state) is tuple else 2
    if _shape(item) == own and _shape(item[1]) != own:
        return 1
    if type(item[1]) is type(state):
        return 3
    return 1 if type(state) is tuple else 3


def _shape(value: Any) -> Any:
    """The nested types of a value."""
    if isinstance(value, (tuple, list)):
        return (type(value), tuple([_shape(item) for item in value]))
    return type(value)


class _Style:
    """How a problem is called: what the native graph needs."""

    def __init__(
        self, kind: str, initial: Any, moves: tuple[Any, ...], is_goal: Heuristic, h: Any, takes: str, form: int = 0
    ):
        self.kind, self.initial, self.moves, self.is_goal = kind, initial, moves, is_goal
        self.h, self.takes, self.form = h, takes, form


def _has(problem: Any, *names: str) -> bool:
    return all(callable(getattr(problem, name, None)) for name in names)


def style_of(problem: Any) -> _Style:
    """Recognises a problem by its methods."""
    if isinstance(problem, Problem):
        moves = ("plain", [problem.successors, form_of])
        form = _FORMS[problem.yields]
        return _Style("plain functions", problem.initial, moves, problem.is_goal, problem.h, "state", form)
    if _has(problem, "getStartState", "isGoalState", "getSuccessors"):
        moves = ("pacman", [problem.getSuccessors])
        return _Style("Pacman", problem.getStartState(), moves, problem.isGoalState, None, "state, problem")
    if hasattr(problem, "initial_state") and _has(problem, "actions", "result", "is_goal"):
        moves = _action_moves(problem, "cost")
        h = getattr(problem, "heuristic", None)
        return _Style("simpleai", problem.initial_state, moves, problem.is_goal, h, "state")
    if hasattr(problem, "initial") and _has(problem, "actions", "result"):
        goal = getattr(problem, "goal_test", None) or getattr(problem, "is_goal", None)
        if callable(goal):
            cost = "action_cost" if _has(problem, "action_cost") else "path_cost"
            moves = _action_moves(problem, cost)
            return _Style("AIMA", problem.initial, moves, goal, getattr(problem, "h", None), "node")
    if hasattr(problem, "initial") and _has(problem, "successors", "is_goal"):
        moves = ("plain", [problem.successors, form_of])
        form = _FORMS.get(getattr(problem, "yields", None), 0)
        return _Style(
            "plain functions", problem.initial, moves, problem.is_goal, getattr(problem, "h", None), "state", form
        )
    raise TypeError(
        f"expected a problem, found {_short(problem)} of type {type(problem).__name__}. A problem has "
        "initial, actions, result, goal_test and path_cost (AIMA); getStartState, isGoalState and getSuccessors "
        "(Pacman); initial_state, actions, result and is_goal (simpleai); or it is made from functions: "
        "admissible_search.Problem(initial, successors, is_goal)"
    )


def _action_moves(problem: Any, cost: str) -> tuple[Any, ...]:
    method = getattr(problem, cost, None)
    if not callable(method):
        return ("unit_cost", [problem.actions, problem.result])
    kind = "path_cost" if cost == "path_cost" else "step_cost"
    return (kind, [problem.actions, problem.result, method])


def _parameters(h: Heuristic) -> Optional[list[Any]]:
    """The names of the positional parameters without a default; None if they are unknown."""
    try:
        parameters = inspect.signature(h).parameters.values()
    except (TypeError, ValueError):
        return None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in positional and p.default is p.empty]


def takes_of(h: Heuristic, style: _Style) -> str:
    """What a heuristic is called with: ``state``, ``node`` or ``state, problem``."""
    names = _parameters(h)
    if names is None:
        return style.takes
    if len(names) >= 2:
        return "state, problem"
    if style.takes != "node":
        # Pacman's heuristics have a default for the problem.
        return "state, problem" if style.takes == "state, problem" and _accepts_two(h) else "state"
    if names and names[0].lower() in ("state", "s", "board", "cell", "position", "pos"):
        return "state"
    return "node"


def _accepts_two(h: Heuristic) -> bool:
    try:
        inspect.signature(h).bind(None, None)
    except (TypeError, ValueError):
        return False
    return True


def name_of(h: Any) -> str:
    """The name of a heuristic for people."""
    name = getattr(h, "__name__", None) or type(h).__name__
    return "h" if name == "<lambda>" else str(name)


Heuristics = Union[Heuristic, Mapping[str, Heuristic], Sequence[Heuristic], None]


class Graph:
    """A problem whose states and moves have been interned: ``solve``, ``compare`` and ``audit`` take it like a problem,
    and do not call Python again for what they know.

    >>> count = Problem(1, lambda n: [n + 1, n * 2] if n < 9 else [], lambda n: n == 9)
    >>> graph = Graph(count)
    >>> graph.complete()
    True
    >>> len(graph)
    13
    """

    def __init__(self, problem: Any, *, copy: bool = True) -> None:
        self.problem = problem
        self._style = style_of(problem)
        style = self._style
        helpers = (_freeze.freeze, _freeze.copy, _freeze.kind)
        kind, callbacks = style.moves
        if kind in ("plain", "pacman"):
            batch = _batches.by_successors(callbacks[0])
        else:
            batch = _batches.by_action(kind, callbacks[0], callbacks[1], callbacks[2] if len(callbacks) > 2 else None)
        batches = (batch, _batches.goals(style.is_goal))
        arguments = (style.moves, style.is_goal, problem, helpers, batches, copy, style.form)
        if getattr(type(style.initial), "__hash__", None) is object.__hash__:
            _check_identity(style.initial, arguments)
        self._native = _NativeGraph(*arguments)
        self._start = self._native.intern(style.initial)
        self._heuristics: dict[Any, Any] = {}
        # What audits have proved, by the number of the heuristic: (admissible, consistent).
        self._proved: dict[Any, Any] = {}

    def __len__(self) -> int:
        return self._native.size()[0]

    def __repr__(self) -> str:
        states, expanded, moves, complete = self._native.size()
        extent = "complete" if complete else f"{expanded:,} of them expanded"
        return f"<Graph of {states:,} states and {moves:,} moves, {extent}>"

    @property
    def is_complete(self) -> bool:
        """Whether every state that the start can reach is known."""
        return self._native.size()[3]

    def complete(self, max_states: int = 1_000_000, time_limit: float = 60.0, progress: Any = None) -> bool:
        """Explores every state that the start can reach; False if a limit came first."""
        with _collector.rarely():
            return self._native.explore_all(max_states, time_limit, progress)

    def distance(self, state: Hashable) -> Any:
        """The exact distance of a state from the nearest goal, ``inf`` if it reaches none.

        Explores the whole space first.
        """
        if not self.is_complete and not self.complete():
            raise ValueError("the space is too large to know distances: its limits came first")
        number = self._native.find(state)
        if number is None:
            raise KeyError(f"the start does not reach {_short(state)}")
        found = self._native.distance(number)
        return float("inf") if found is None else found[0]

    def number(self, h: Heuristic, takes: Optional[str] = None) -> int:
        """The number of a heuristic in the native graph."""
        if not callable(h):
            raise TypeError(f"expected a heuristic, a function of a state, found {_short(h)}")
        takes = takes or takes_of(h, self._style)
        key = (h, takes)
        try:
            known = self._heuristics.get(key)
        except TypeError:
            return self._add(h, takes)
        if known is None:
            known = self._heuristics[key] = self._add(h, takes)
        return known

    def _add(self, h: Heuristic, takes: str) -> int:
        return self._native.add_heuristic(h, takes, _batches.estimates(h, self.problem, takes))

    def named(self, h: Heuristics) -> dict[Any, Any]:
        """Heuristics by name: one, several in a list or a dict, or the problem's own."""
        if h is None:
            h = self._style.h
            if h is None:
                raise TypeError("the problem has no heuristic of its own: pass one, a function of a state")
        if isinstance(h, Mapping):
            named = dict(h)
        elif isinstance(h, (list, tuple)):
            named = {}
            for each in h:
                name, count = name_of(each), 2
                while name in named:
                    name, count = f"{name_of(each)} {count}", count + 1
                named[name] = each
        else:
            named = {name_of(h): h}  # type: ignore[dict-item]
        if not named:
            raise ValueError("expected at least one heuristic")
        for name, each in named.items():
            if not callable(each):
                raise TypeError(f"expected the heuristic {name!r} to be a function of a state, found {_short(each)}")
        return named


def _check_identity(start: Any, arguments: tuple[Any, ...]) -> None:
    """Refuses states that compare by identity if the problem makes new objects for the same states."""

    def successors() -> dict[Any, Any]:
        native = _NativeGraph(*arguments)
        return {id(native.state(number)): native.state(number) for _, number, _ in native.moves(native.intern(start))}

    first, second = successors(), successors()
    if first and not set(first) & set(second):
        raise TypeError(
            f"states of type {type(start).__name__} compare by identity, and every call makes new ones, so no state is "
            "met twice: give the class __eq__ and __hash__, or use tuples"
        )


def graph_of(problem: Any, copy: bool = True) -> Graph:
    """The problem as a graph; a graph as itself."""
    return problem if isinstance(problem, Graph) else Graph(problem, copy=copy)
