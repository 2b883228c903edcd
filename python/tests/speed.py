"""The speed that the documentation promises: audits against the callbacks alone, our puzzles against the program."""

import json
import subprocess
import sys
import time
from pathlib import Path

import admissible_search as ad
from problems import EightPuzzle

INSTANCES = Path(__file__).parents[2] / "instances"


def timed(work):
    """Seconds of processor time and of a clock, and the result."""
    processor, clock = time.process_time(), time.perf_counter()
    result = work()
    return time.process_time() - processor, time.perf_counter() - clock, result


def callbacks(problem, states):
    for state in states:
        problem.goal_test(state)
        problem.h(ad.Node(state))
        for action in problem.actions(state):
            problem.path_cost(0, state, action, problem.result(state, action))


def audits():
    problem = EightPuzzle((2, 4, 3, 1, 5, 6, 7, 8, 0))
    graph = ad.Graph(problem)
    graph.complete()
    states = [graph._native.state(number) for number in range(len(graph))]
    number = graph.number(problem.h)
    graph._native.estimate_all(number, 60, None)
    native = min(timed(lambda: graph._native.audit(number, 0))[0] for _ in range(3))
    del graph
    # In turns, so that what else the machine does disturbs both alike.
    runs = [
        (timed(lambda: callbacks(problem, states)), timed(lambda: ad.audit(problem, progress=False))) for _ in range(7)
    ]
    for _, (_, _, report) in runs:
        assert (report.states, report.overestimates, report.inconsistent_moves) == (181_440, 78, 5_040)
    good = True
    for at, what in enumerate(("processor time", "clock")):
        alone, whole = (min(run[which][at] for run in runs) for which in range(2))
        print(f"8-puzzle, {what}: callbacks alone {alone:.3f} s, audit {whole:.3f} s, {whole / alone:.2f} times as long")
        print(f"  interning and everything native {whole - alone:.3f} s")
        if at == 0:
            good &= whole - alone <= 0.2
    print(f"  distances and verdicts {native:.3f} s")
    return good


# The first of Korf's instances takes the program a third of a second, the others a millisecond.
KORF = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n"
BOARDS = {
    "klotski/classic.txt": ((INSTANCES / "klotski/classic.txt").read_text(), {}, {}),
    "tiles/scrambled_4x4.txt": (
        (INSTANCES / "tiles/scrambled_4x4.txt").read_text(),
        {},
        {"heuristic": "manhattan", "algorithm": "idastar"},
    ),
    "Korf's first": (KORF, {"goal": "blank-first"}, {"heuristic": "manhattan", "algorithm": "idastar"}),
}


def puzzles():
    good = True
    for name, (text, reading, plan) in BOARDS.items():
        board = ad.read(text, **reading)
        words = [word for option, value in {**reading, **plan}.items() for word in (f"--{option}", value)]
        command = [sys.executable, "-m", "admissible_search", "solve", "-", "--format", "json", *words]
        pairs = []
        for _ in range(5):
            ours = board.solve(plan.get("heuristic"), algorithm=plan.get("algorithm"))
            ran = subprocess.run(command, input=text, text=True, capture_output=True, check=True)
            answer = json.loads(ran.stdout)
            assert (answer["cost"], answer["stats"]["expanded"]) == (ours.cost, ours.expanded)
            pairs.append((ours.seconds, answer["stats"]["seconds"]))
        seconds, program = map(min, zip(*pairs))
        print(f"{name}: {seconds:.4f} s from Python, {program:.4f} s by the program")
        good &= seconds <= 1.1 * program + 0.002
    return good


if __name__ == "__main__":
    results = [audits(), puzzles()]
    sys.exit(0 if all(results) else "slower than promised")
