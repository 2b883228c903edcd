"""Audit your own search heuristic on every state, and solve with it.

>>> import admissible_search as ad
>>> steps = lambda s: [(s[0] + 1, s[1]), (s[0], s[1] + 1)] if sum(s) < 6 else []
>>> maze = ad.Problem((0, 0), steps, lambda s: s == (3, 3))
>>> report = ad.audit(maze, lambda s: abs(3 - s[0]) + abs(3 - s[1]))
>>> assert report, report.counterexample
>>> ad.solve(maze, lambda s: abs(3 - s[0]) + abs(3 - s[1])).cost
6
"""

from . import testing
from ._audit import AuditReport, Audits, Counterexample, Finding, InconsistentMove, SampleError, audit
from ._native import Node, __version__
from ._problems import Graph, Problem
from ._puzzles import Puzzle, PuzzleSolution, generate, puzzles, read
from ._search import ALGORITHMS, Comparison, Exploration, Solution, compare, explore, solve
from ._table import Table

__all__ = [
    "ALGORITHMS",
    "AuditReport",
    "Audits",
    "Comparison",
    "Counterexample",
    "Exploration",
    "Finding",
    "Graph",
    "InconsistentMove",
    "Node",
    "Problem",
    "Puzzle",
    "PuzzleSolution",
    "SampleError",
    "Solution",
    "Table",
    "__version__",
    "audit",
    "compare",
    "explore",
    "generate",
    "puzzles",
    "read",
    "solve",
    "testing",
]
