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


def puzzles():
    good = True
    by_manhattan = {"h": "manhattan", "algorithm": "idastar"}
    for file, options in (("klotski/classic.txt", {}), ("tiles/scrambled_4x4.txt", by_manhattan)):
        board = ad.read(INSTANCES / file)
        solutions = [board.solve(**options) for _ in range(5)]
        seconds = min(solution.seconds for solution in solutions)
        words = ["--algorithm", options["algorithm"], "--heuristic", options["h"]] if options else []
        command = [sys.executable, "-m", "admissible_search", "solve", str(INSTANCES / file), "--format", "json"]
        command += words
        ran = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(5)]
        program = min(answer["stats"]["seconds"] for answer in ran)
        assert ran[0]["cost"] == solutions[0].cost
        print(f"{file}: {seconds:.4f} s from Python, {program:.4f} s by the program")
        good &= seconds <= 1.1 * program + 0.002
    return good


if __name__ == "__main__":
    results = [audits(), puzzles()]
    sys.exit(0 if all(results) else "slower than promised")
