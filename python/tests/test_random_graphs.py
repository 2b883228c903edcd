"""Random graphs and heuristics against a brute force in plain Python that shares no code with the package."""

import math
from fractions import Fraction

import admissible_search as ad
import pytest
from problems import distances, random_graph, reachable

COSTS = {
    "ones": [1],
    "integers": [1, 2, 5, 100],
    "zeros": [0, 0, 1, 3],
    "fractions": [Fraction(1, 2), Fraction(2, 3), 1, Fraction(7, 5)],
    "zero fractions": [Fraction(1, 3), 0, 2],
    "floats": [0.1, 0.7, math.sqrt(2), 1.0],
    "huge": [3_000_000_000, 1, 2_500_000_000],
}


def heuristic(draw, exact, costs):
    """A random heuristic: near the true distance, so that verdicts differ."""
    table = {}
    for state, distance in exact.items():
        if math.isinf(distance):
            table[state] = draw.choice([0, 1, math.inf, 7])
        else:
            off = draw.choice([0, 0, 0, 0, -1, -1, Fraction(-1, 2), -2] + [1] * (draw.random() < 0.3))
            if any(isinstance(cost, float) for cost in costs):
                off = float(off)
                table[state] = max(0.0, distance + off) if off else distance * 0.999
            else:
                table[state] = max(0, distance + off)
    return table


@pytest.mark.parametrize("kind", COSTS)
@pytest.mark.parametrize("block", range(10))
def test_audits_and_searches_equal_a_brute_force(kind, block):
    for seed in range(block * 6, block * 6 + 6):
        one_graph(seed, kind)


def one_graph(seed, kind):
    edges, goals, draw = random_graph(seed, COSTS[kind])
    exact = distances(edges, goals)
    table = heuristic(draw, exact, COSTS[kind])
    met = reachable(edges)
    problem = ad.Problem(0, lambda s: edges[s], lambda s: s in goals)
    h = table.__getitem__
    graph = ad.Graph(problem)
    report = ad.audit(graph, h)
    note = f"seed {seed}, costs {kind}: {edges} {goals} {table}"

    # Sums of floats are rounded, here and there.
    slack = 1e-12 if kind == "floats" else 0
    over = [s for s in met if table[s] > exact[s] + slack]
    falls = [(s, a, t) for s in met for a, t, c in edges[s] if table[s] > c + table[t] + slack]
    assert report.exhaustive and report.states == len(met), note
    assert report.moves == sum(len(edges[s]) for s in met), note
    assert report.goals == len(met & goals), note
    assert report.overestimates == len(over), note
    assert report.inconsistent_moves == len(falls), note
    assert report.admissible is (not over), note
    assert report.consistent is (not over and not falls), note
    assert bool(report) is (not over), note
    for state in met:
        known = graph.distance(state)
        assert known == pytest.approx(exact[state]) if kind == "floats" else known == exact[state], note
    if over:
        example = report.counterexample
        assert example.state in over and example.h == table[example.state], note
        assert example.distance == pytest.approx(min(exact[s] for s in over)), note
        # The path proves it in the caller's own graph.
        at, total = example.state, 0
        for action, after, cost in zip(example.actions, example.states, example.costs):
            assert (action, after, cost) in edges[at], note
            at, total = after, total + cost
        assert at in goals and total == pytest.approx(example.distance), note
    else:
        assert report.counterexample is None, note
    if falls:
        move = report.inconsistency
        assert (move.before, move.action, move.after) in falls, note

    exactly = pytest.approx(exact[0]) if kind == "floats" else exact[0]
    algorithms = ["ucs", "astar", "wastar", "greedy", "bfs", "dfs", "idastar", "astar-no-reopen"]
    if kind in ("ones", "integers", "fractions"):
        algorithms.append("bidirectional")
    for algorithm in algorithms:
        for target in (graph, problem):
            if algorithm == "idastar" and math.isinf(exact[0]):
                continue
            found = ad.solve(target, h, algorithm=algorithm, node_limit=20_000)
            dead = any(math.isinf(table[s]) for s in met if not math.isinf(exact[s]))
            if found.outcome == "unsolvable":
                assert math.isinf(exact[0]), (algorithm, note)
            elif found.outcome == "solved":
                at = 0
                for action, after, cost in found.path:
                    assert (action, after, cost) in edges[at], (algorithm, note)
                    at = after
                assert at in goals and found.cost == sum(found.costs), (algorithm, note)
                if found.guarantee == "optimal" or (not over and algorithm in ("astar", "idastar", "bidirectional")):
                    assert found.cost == exactly, (algorithm, note)
                if not over and algorithm == "wastar":
                    assert found.cost <= 1.5 * float(exact[0]) + 1e-9, (algorithm, note)
            else:
                assert dead or math.isinf(exact[0]), (algorithm, found, note)
    assert ad.solve(problem, algorithm="ucs").outcome == ("unsolvable" if math.isinf(exact[0]) else "solved"), note


def test_dominance_counts_states():
    problem = ad.Problem(0, lambda n: [n + 1] if n < 9 else [], lambda n: n == 9)
    audits = ad.audit(problem, {"zero": lambda n: 0, "half": lambda n: (9 - n) // 2, "exact": lambda n: 9 - n})
    assert audits and len(audits) == 3
    assert audits.dominates("exact", "half") and not audits.dominates("half", "exact")
    assert audits.dominance.to_dict() == {
        "heuristic": ["zero", "half", "exact"],
        "> zero": [0, 8, 9],
        "> half": [0, 0, 9],
        "> exact": [0, 0, 0],
    }
    assert "exact dominates half" in repr(audits)
