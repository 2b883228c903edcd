"""A few calls that use every part of an installed package, without any other package."""

import sys

import admissible_search as ad
from problems import EightPuzzle

report = ad.audit(EightPuzzle((1, 2, 3, 4, 5, 6, 0, 7, 8)), max_states=20_000, progress=False)
assert not report and report.counterexample.h > report.counterexample.distance, report
board = ad.read("1 2 3 4 5 6 0 7 8")
assert board.solve().cost == 2 and "<svg" in board._repr_svg_()
table = ad.compare(board, ["manhattan", "zero"], ["astar", "idastar"]).table
assert len(table) == 4 and table.__arrow_c_stream__() is not None
print(f"Python {sys.version.split()[0]}: {report.verdict}")
