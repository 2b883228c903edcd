"""Problems as people have them, against the real library where there is one."""

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import admissible_search as ad
import pytest
from problems import Corners, EightPuzzle, farthest_corner, sum_of_corners

EASY = (1, 2, 3, 4, 5, 6, 0, 7, 8)


def test_the_textbooks_heuristic_overestimates_78_states():
    problem = EightPuzzle((2, 4, 3, 1, 5, 6, 7, 8, 0))
    report = ad.audit(problem)
    assert (report.states, report.moves, report.overestimates) == (181_440, 483_840, 78)
    assert report.inconsistent_moves == 5_040 and report.worst_overestimate == 1 and report.farthest == 31
    assert not report and report.counterexample.distance == 1
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"```text\n{report}\n```" in readme
    # The counterexample can be replayed in the caller's own class.
    state = report.counterexample.state
    for action in report.counterexample.actions:
        state = problem.result(state, action)
    assert problem.goal_test(state)


def test_aima_heuristics_take_a_node_or_a_state():
    problem = EightPuzzle(EASY)
    goal = problem.goal
    by_node = lambda node: sum(t not in (0, g) for t, g in zip(node.state, goal))  # noqa: E731
    by_state = lambda state: sum(t not in (0, g) for t, g in zip(state, goal))  # noqa: E731
    assert ad.solve(problem, by_node).cost == ad.solve(problem, by_state).cost == 2
    assert ad.solve(problem, lambda x: by_state(x), heuristic_takes="state").actions == ["RIGHT", "RIGHT"]
    with pytest.raises(ValueError, match="heuristic_takes"):
        ad.solve(problem, by_state, heuristic_takes="board")


@pytest.mark.parametrize(
    "h", [lambda x: x.index(0), lambda x: x[0], lambda x: sum(t == 0 for t in x)], ids=["attribute", "item", "loop"]
)
def test_a_heuristic_that_expects_a_state_and_gets_a_node_says_so(h):
    with pytest.raises((AttributeError, TypeError), match='(?s)Node.*node.state.*heuristic_takes="state"'):
        ad.audit(EightPuzzle(EASY), h)
    assert ad.audit(EightPuzzle(EASY), h, heuristic_takes="state", max_states=100).states > 100


def test_nodes_have_what_heuristics_read():
    seen = []

    def h(node):
        seen.append((node.state, node.parent, node.action, node.path_cost, node.depth))
        return 0

    ad.solve(EightPuzzle(EASY), h)
    assert seen[0] == (EASY, None, None, 0, 0)


def test_newer_aima_names():
    class Newer:
        initial = 0

        def actions(self, state):
            return ["+"]

        def result(self, state, action):
            return state + 1

        def is_goal(self, state):
            return state == 3

        def action_cost(self, s, a, s1):
            return 5

    assert ad.solve(Newer()).cost == 15


def test_pacman():
    problem = Corners()
    assert ad.audit(problem, farthest_corner)
    report = ad.audit(problem, sum_of_corners)
    assert not report and report.counterexample.actions
    assert ad.solve(problem, farthest_corner).cost == ad.solve(problem, algorithm="ucs").cost
    # Heuristics of that project have a default for the problem.
    assert ad.audit(problem, lambda state, problem=None: farthest_corner(state, problem or Corners()))
    assert ad.audit(problem, lambda state: 0)


def test_simpleai():
    search = pytest.importorskip("simpleai.search")

    class Eight(search.SearchProblem):
        def actions(self, state):
            return EightPuzzle(EASY).actions(state)

        def result(self, state, action):
            return EightPuzzle(EASY).result(state, action)

        def is_goal(self, state):
            return state == (1, 2, 3, 4, 5, 6, 7, 8, 0)

        def heuristic(self, state):
            return sum(t not in (0, g) for t, g in zip(state, range(1, 10)))

    problem = Eight(initial_state=(2, 4, 3, 1, 5, 6, 7, 8, 0))
    ours, theirs = ad.solve(problem), search.astar(problem, graph_search=True)
    assert ours.cost == theirs.cost == 8
    report = ad.audit(problem)
    assert report and report.consistent


def test_a_class_shaped_like_simpleai():
    class Counting:
        initial_state = 0

        def actions(self, state):
            return [1, 2]

        def result(self, state, action):
            return state + action

        def is_goal(self, state):
            return state == 5

        def cost(self, state, action, state2):
            return Fraction(action, 2)

    assert ad.solve(Counting()).cost == Fraction(5, 2)


@pytest.mark.parametrize(
    "successors",
    [
        lambda s: [(s[0] + 1, s[1]), (s[0], s[1] + 1)],
        lambda s: [("E", (s[0] + 1, s[1])), ("S", (s[0], s[1] + 1))],
        lambda s: [("E", (s[0] + 1, s[1]), 1), ("S", (s[0], s[1] + 1), 1)],
        lambda s: iter([((1, 0), (s[0] + 1, s[1]), 1), ((0, 1), (s[0], s[1] + 1), 1)]),
        lambda s: {(s[0] + 1, s[1]), (s[0], s[1] + 1)},
    ],
)
def test_what_plain_functions_yield_is_recognised(successors):
    problem = ad.Problem((0, 0), lambda s: successors(s) if sum(s) < 8 else [], lambda s: s == (2, 2))
    assert ad.solve(problem).cost == 4


def test_states_that_look_like_pairs():
    def swap(state):
        return [(state[1], state[0]), (state[0], (state[1][0] + 1, state[1][1]))]

    problem = ad.Problem(((0, 0), (0, 0)), swap, lambda s: s == ((2, 0), (0, 0)))
    assert ad.solve(problem, node_limit=10_000).cost == 3
    by_name = ad.Problem((0, 0), lambda s: [((1, 1), (s[0] + 1, s[1]))], lambda s: s[0] == 3, yields="pairs")
    assert ad.solve(by_name).actions == [(1, 1)] * 3


@pytest.mark.parametrize(
    "start, step, goal",
    [
        ([0, 0], lambda s: [[s[0] + 1, s[1]], [s[0], s[1] + 1]] if sum(s) < 6 else [], [2, 3]),
        ({"x": 0}, lambda s: [{"x": s["x"] + 1}] if s["x"] < 9 else [], {"x": 5}),
        ({0}, lambda s: [s | {max(s) + 1}] if len(s) < 8 else [], {0, 1, 2, 3, 4, 5}),
        (([0], (1, [2])), lambda s: [([s[0][0] + 1], s[1])] if s[0][0] < 9 else [], ([5], (1, [2]))),
        (bytearray(b"a"), lambda s: [s + b"a"] if len(s) < 9 else [], bytearray(b"aaaaaa")),
    ],
)
def test_states_that_cannot_be_hashed(start, step, goal):
    problem = ad.Problem(start, step, lambda s: s == goal)
    found = ad.solve(problem)
    assert found.cost == 5 and found.states[0] == start and found.states[-1] == goal
    assert type(found.states[-1]) is type(goal)
    assert ad.audit(problem, lambda s: 0)


def test_arrays_in_states():
    numpy = pytest.importorskip("numpy")

    def step(state):
        for at in range(3):
            after = state.copy()
            after[at] += 1
            yield f"+{at}", after, numpy.int64(1)

    start, goal = numpy.zeros(3, dtype=int), numpy.array([1, 0, 2])
    problem = ad.Problem(start, lambda s: step(s) if s.sum() < 4 else [], lambda s: (s == goal).all())
    report = ad.audit(problem, lambda s: numpy.float64(max(0, 3 - s.sum())))
    assert report and report.states == 35
    assert ad.solve(problem, lambda s: numpy.float32(0)).cost == 3


def test_plain_objects_as_states():
    class Cell:
        def __init__(self, x):
            self.x = x

        def __eq__(self, other):
            return self.x == other.x

    @dataclass
    class Board:
        cells: list

    class WithHash(Cell):
        def __hash__(self):
            return hash(self.x)

    for make in (Cell, WithHash, lambda x: Board([x])):
        value = (lambda s: s.cells[0]) if make(0).__class__ is Board else (lambda s: s.x)
        problem = ad.Problem(make(0), lambda s: [make(value(s) + 1)] if value(s) < 5 else [], lambda s: value(s) == 5)
        assert ad.audit(problem, lambda s: 5 - value(s)).states == 6


def test_states_that_compare_by_identity():
    class City:
        def __init__(self, name):
            self.name, self.roads = name, []

    a, b, c = City("a"), City("b"), City("c")
    a.roads, b.roads = [(b, 3), (c, 7)], [(c, 2)]
    problem = ad.Problem(a, lambda s: [(t.name, t, d) for t, d in s.roads], lambda s: s is c)
    assert ad.solve(problem).actions == ["b", "c"]
    fresh = ad.Problem(City("a"), lambda s: [City("a"), City("b")], lambda s: s.name == "z")
    with pytest.raises(TypeError, match="__eq__ and __hash__"):
        ad.audit(fresh, lambda s: 0)


def test_what_is_no_problem():
    with pytest.raises(TypeError, match="getStartState"):
        ad.audit(object(), lambda s: 0)
    with pytest.raises(TypeError, match="function of a state"):
        ad.Problem(0, [1, 2], lambda s: True)
    with pytest.raises(TypeError, match="heuristic of its own"):
        ad.audit(ad.Problem(0, lambda s: [], lambda s: True))
    with pytest.raises(TypeError, match="function of a state"):
        ad.audit(ad.Problem(0, lambda s: [], lambda s: True), 3)
    with pytest.raises(ValueError, match="yields"):
        ad.Problem(0, lambda s: [], lambda s: True, yields="things")
    assert math.isinf(ad.Graph(ad.Problem(0, lambda s: [], lambda s: False)).distance(0))
