"""Calls of the callbacks for many states at a time.

Python calls a Python function faster than native code does, so the loops over states are here. They are used where no
callback could change a state.
"""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple

Fn = Callable[..., Any]
Batch = Callable[[List[Any]], Tuple[Any, ...]]


def by_action(kind: str, actions: Fn, result: Fn, cost: Optional[Fn]) -> Batch:
    """For a list of states: the number of moves of each, and the actions, next states and costs of all moves."""

    of_path = of_step = cost or _one

    def path_cost(states: list[Any]) -> tuple[Any, ...]:
        counts: List[int] = []
        names: List[Any] = []
        nexts: List[Any] = []
        costs: List[Any] = []
        for state in states:
            before = len(nexts)
            for action in actions(state):
                after = result(state, action)
                names.append(action)
                nexts.append(after)
                costs.append(of_path(0, state, action, after))
            counts.append(len(nexts) - before)
        return counts, names, nexts, costs

    def step_cost(states: list[Any]) -> tuple[Any, ...]:
        counts: List[int] = []
        names: List[Any] = []
        nexts: List[Any] = []
        costs: List[Any] = []
        for state in states:
            before = len(nexts)
            for action in actions(state):
                after = result(state, action)
                names.append(action)
                nexts.append(after)
                costs.append(of_step(state, action, after))
            counts.append(len(nexts) - before)
        return counts, names, nexts, costs

    def unit_cost(states: list[Any]) -> tuple[Any, ...]:
        counts: List[int] = []
        names: List[Any] = []
        nexts: List[Any] = []
        for state in states:
            before = len(nexts)
            for action in actions(state):
                names.append(action)
                nexts.append(result(state, action))
            counts.append(len(nexts) - before)
        return counts, names, nexts, None

    return {"path_cost": path_cost, "step_cost": step_cost, "unit_cost": unit_cost}[kind]


def _one(*arguments: Any) -> int:
    return 1


def by_successors(successors: Fn) -> Batch:
    """For a list of states: the number of moves of each, and what ``successors`` yields for all of them."""

    def run(states: list[Any]) -> tuple[Any, ...]:
        counts: List[int] = []
        items: List[Any] = []
        for state in states:
            before = len(items)
            items.extend(successors(state))
            counts.append(len(items) - before)
        return counts, None, items, None

    return run


def goals(is_goal: Fn) -> Callable[[List[Any]], List[Any]]:
    """For a list of states: whether each is a goal."""
    return lambda states: [is_goal(state) for state in states]


def estimates(h: Fn, problem: Any, takes: str) -> Callable[[List[Any]], List[Any]]:
    """For a list of states or nodes: the estimate of each."""
    if takes == "state, problem":
        return lambda states: [h(state, problem) for state in states]
    return lambda states: [h(state) for state in states]
