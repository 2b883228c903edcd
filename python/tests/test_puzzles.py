"""Our own puzzles in Python, tables, pictures and the program."""

import json
import math
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import admissible_search as ad
import pytest
from admissible_search import _progress

INSTANCES = Path(__file__).parents[2] / "instances"
FILES = {
    "tiles": ("tiles/random_3x3.txt", 23),
    "klotski": ("klotski/classic.txt", 116),
    "die": ("die/course_puzzle2.txt", 16),
    "chexers": ("chexers/random_red.json", None),
    "pancake": ("pancake/ten.txt", None),
}


@pytest.mark.parametrize("name", FILES)
def test_every_puzzle_is_read_solved_drawn_and_replayed(name):
    file, cost = FILES[name]
    board = ad.read(INSTANCES / file)
    found = board.solve()
    assert board.puzzle == name and found and found.guarantee == "optimal"
    assert cost in (None, found.cost)
    at = board.initial
    for action, after, _ in found.path:
        assert (action, after) in board.successors(at)
        at = after
    assert board.is_goal(at) and not board.is_goal(board.initial)
    for picture in (board.svg(), found.svg()):
        root = ElementTree.fromstring(picture)
        assert root.tag.endswith("svg") and len(list(root.iter())) > 5
    assert board._repr_svg_() == board.svg() and "<svg" in found._repr_html_() and "cost" in found._repr_html_()
    assert name in repr(board)
    assert hash(board.initial) == hash(board.at(board.initial).initial)


def test_heuristics_are_functions_of_a_state():
    board = ad.read("1 2 3 4 5 6 0 7 8")
    heuristics = board.heuristics
    assert {"zero", "manhattan", "linear-conflict"} <= set(heuristics)
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    assert heuristics["manhattan"](board.initial) == 2 and heuristics["manhattan"](goal) == 0
    assert board.heuristic("max(manhattan, misplaced)")(board.initial) == 2
    # As the heuristic of a Python problem, state by state.
    assert ad.solve(board, heuristics["manhattan"]).cost == 2
    with pytest.raises(KeyError, match="did you mean 'manhattan'"):
        board.heuristic("manhatan")


def test_audits_of_a_puzzle_by_name_and_by_function_agree():
    maze = ad.read(INSTANCES / "die/course_puzzle2.txt")
    reports = maze.audit()
    assert not reports and not reports["oriented"] and reports["open-board"].consistent
    assert reports["die-roll"] and not reports["die-roll"].consistent
    example = reports["oriented"].counterexample
    assert example.h > example.distance == len(example.actions) and maze.is_goal(example.states[-1])
    assert reports.dominates("open-board", "manhattan")
    by_function = ad.audit(maze, maze.heuristic("open-board"))
    assert by_function and by_function.consistent and by_function.states == maze.explore().states
    mine = ad.audit(maze, lambda s: abs(s.row - 4) + abs(s.col - 4) + 1)
    assert not mine and mine.counterexample.state.row >= 0


def test_comparisons_explanations_and_explorations():
    maze = ad.read(INSTANCES / "die/course_puzzle2.txt")
    table = ad.compare(maze, ["zero", "manhattan"], ["astar", "idastar", "bfs"]).table
    assert set(table["cost"]) == {16} and len(table) == 5
    explained = maze.explain()
    assert set(explained["distance"]) == {16} and "manhattan" in explained["heuristic"]
    forward = maze.explore()
    assert (forward.states, forward.goals, forward.max_depth) == (134, 2, 27)
    assert sum(count for _, count in forward.depths) == 134
    assert maze.explore(direction="backward").states == 268


def test_limits_and_unsolvable_boards():
    assert ad.read(INSTANCES / "tiles/fourteen_fifteen.txt").solve().outcome == "unsolvable"
    hard = ad.read(INSTANCES / "tiles/scrambled_5x5.txt")
    found = hard.solve("manhattan", algorithm="astar", node_limit=1000)
    assert found.outcome == "stopped" and found.why == "node limit" and found.lower_bound > 0
    assert "every solution costs at least" in repr(found)


def test_spaces_that_do_not_fit_into_memory():
    board = ad.generate("tiles", size="4x4", seed=3)
    with pytest.raises(MemoryError, match="would take .* and .* is the limit"):
        board.explore()
    with pytest.raises(ValueError, match="explored whole"):
        ad.explore(board, max_states=1_000)
    sample = board.audit("manhattan")
    assert not sample.exhaustive and not sample.refuted
    with pytest.raises(ad.SampleError):
        bool(sample)
    with pytest.raises(ValueError, match="max_states"):
        board.audit("manhattan", max_states=1_000)


def test_other_threads_run_while_a_puzzle_is_solved(tmp_path):
    # A hard board: the search would take minutes.
    (tmp_path / "board.txt").write_text("14 15 8 12\n10 11 9 13\n2 6 5 1\n3 7 4 0\n")
    counted, ended = [0], threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    solved = ad.read(tmp_path / "board.txt").solve("manhattan", algorithm="idastar", time_limit=0.5)
    ended.set()
    other.join()
    assert solved.outcome == "stopped"
    # If the solver held the lock, the other thread would count to one or two.
    assert counted[0] > 20


def test_random_boards():
    board = ad.generate("tiles", size=(3, 3), seed=7)
    assert board.initial == ad.generate("tiles", size="3x3", seed=7).initial
    assert board.initial != ad.generate("tiles", size="3x3", seed=8).initial and board.solve()
    with pytest.raises(ValueError, match="sizes: tiles has no use for it"):
        ad.generate("tiles", sizes="3x3")
    with pytest.raises(ValueError, match="did you mean 'tiles'"):
        ad.generate("tile")
    assert set(ad.puzzles()["puzzle"]) >= set(FILES)


def test_bad_files():
    with pytest.raises(ValueError, match="text:3:5: expected every number once, found 8 again"):
        ad.read("1 2 3\n4 5 6\n7 8 8")
    with pytest.raises(ValueError, match="README.md:1:1: expected one of the known formats"):
        ad.read(INSTANCES / "README.md")
    with pytest.raises(ValueError, match="text:1:1: expected a puzzle, found an empty file"):
        ad.read("")
    with pytest.raises(OSError):
        ad.read(INSTANCES / "there is none.txt")
    with pytest.raises(ValueError, match="unknown heuristic"):
        ad.read("1 2 3 4 5 6 0 7 8").solve("none")


def columns():
    return {"name": ["a", None, "é"], "n": [1, 2, None], "x": [0.5, None, math.inf], "yes": [True, False, None]}


def test_tables_are_read_by_pandas_polars_and_arrow():
    table = ad.Table(columns())
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(table).to_dict(as_series=False) == columns()
    pyarrow = pytest.importorskip("pyarrow")
    for _ in range(3):
        assert pyarrow.table(table).to_pydict() == columns()
    # A stream that nobody takes is released, and an empty table has columns too.
    table.__arrow_c_stream__()
    assert pyarrow.table(ad.Table({"a": [], "b": []})).num_columns == 2
    pandas = pytest.importorskip("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert pandas.DataFrame.from_arrow(table)["name"].tolist()[0] == "a"
    assert pandas.DataFrame(table.to_dict()).shape == (3, 4)


def test_tables_show_themselves():
    table = ad.Table(columns())
    assert "é" in repr(table) and "<td" in table._repr_html_() and len(table) == 3
    assert table[0] == {"name": "a", "n": 1, "x": 0.5, "yes": True} and table["n"] == [1, 2, None]
    assert "&lt;b&gt;" in ad.Table({"<b>": [1]})._repr_html_()
    with pytest.raises(ValueError, match="same length"):
        ad.Table({"a": [1], "b": []})


def test_reports_show_themselves_in_notebooks():
    walk = ad.Problem(0, lambda n: [n - 1, n + 1] if abs(n) < 5 else [], lambda n: n == 3)
    for h in (lambda n: abs(n - 3), lambda n: 2 * abs(n - 3)):
        report = ad.audit(walk, h)
        ElementTree.fromstring(f"<p>{report._repr_html_()}</p>")
        assert report.verdict in report._repr_html_()
    assert ad.audit(walk, lambda n: abs(n - 3)).by_distance.to_dict()["mean h"][:3] == [0, 1, 2]
    ElementTree.fromstring(ad.compare(walk, [lambda n: 0])._repr_html_())
    ElementTree.fromstring(ad.solve(walk)._repr_html_())


def test_progress_is_shown(capsys):
    seen = []
    slow = ad.Problem(0, lambda n: [n + 1] if n < 400_000 else [], lambda n: False)
    ad.audit(slow, lambda n: 0, progress=lambda *news: seen.append(news))
    assert seen and all(len(news) == 3 for news in seen)
    bar = _progress.Bar("audit")
    bar._begin -= 2
    bar("states", 5, 10)
    bar.close()
    assert "5 of 10 states" in capsys.readouterr().err


def program(*arguments, **options):
    command = [sys.executable, "-m", "admissible_search", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def test_the_program():
    ran = program("solve", INSTANCES / "tiles/random_3x3.txt", "--format", "json")
    assert ran.returncode == 0 and json.loads(ran.stdout)["cost"] == 23
    assert program("solve", INSTANCES / "tiles/fourteen_fifteen.txt").returncode == 1
    bad = program("solve", INSTANCES / "README.md")
    assert bad.returncode == 2 and "expected" in bad.stderr
    assert "Usage: admissible" in program("--help").stdout
    assert program("solve", "-", input="1 2 3 4 5 6 0 7 8").returncode == 0


def test_the_program_starts_its_own_processes():
    ran = program("solve", INSTANCES / "tiles/random_3x3.txt", "--processes", "2", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["cost"] == 23
