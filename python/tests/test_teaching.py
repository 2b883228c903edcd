"""The helpers for teachers, and the example autograder."""

import subprocess
import sys
from pathlib import Path

import admissible_search as ad
import pytest
from admissible_search import testing

EXAMPLES = Path(__file__).parents[1] / "examples"
WALK = ad.Problem(0, lambda n: [("L", n - 1), ("R", n + 1)] if abs(n) < 5 else [], lambda n: n == 3)


def test_what_passes():
    report = testing.assert_admissible(WALK, lambda n: abs(n - 3))
    assert report.states == 11
    assert testing.assert_consistent(WALK, lambda n: abs(n - 3)).consistent
    testing.assert_optimal(WALK, ["R", "R", "R"])


def test_the_message_says_what_is_wrong_and_the_seed():
    with pytest.raises(AssertionError) as error:
        testing.assert_admissible(WALK, lambda n: 2 * abs(n - 3), seed=42)
    text = str(error.value)
    for part in ("not admissible", "For the state 2 it says 2", "cost of 1", "    R", "The seed of this problem is 42"):
        assert part in text
    with pytest.raises(AssertionError, match="(?s)admissible but not consistent.*falls from 3 to 0"):
        testing.assert_consistent(WALK, lambda n: 3 if n == 0 else 0)
    with pytest.raises(AssertionError, match="that is a goal: 0"):
        testing.assert_admissible(WALK, lambda n: 1 if n == 3 else 0)
    with pytest.raises(AssertionError, match="h is None"):
        testing.assert_admissible(WALK, lambda n: None)


def test_solutions_that_are_not_optimal():
    with pytest.raises(AssertionError, match="costs 5, but one costs 3"):
        testing.assert_optimal(WALK, ["L", "R", "R", "R", "R"])
    with pytest.raises(AssertionError, match="action 2, 'up', is not legal"):
        testing.assert_optimal(WALK, ["R", "up"], seed=1)
    with pytest.raises(AssertionError, match="is no goal"):
        testing.assert_optimal(WALK, ["R"])


def test_a_sample_does_not_pass_by_accident():
    endless = ad.Problem(0, lambda n: [n + 1, n + 2], lambda n: n == 10)
    with pytest.raises(ad.SampleError):
        testing.assert_admissible(endless, lambda n: 0, max_states=100)
    assert testing.assert_admissible(endless, lambda n: 0, max_states=100, allow_sample=True).states >= 100


def test_the_example_autograder():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_submission.py"]
    good = subprocess.run(command, cwd=EXAMPLES / "autograder", capture_output=True, text=True, timeout=60)
    # The submission in the example has a heuristic that is wrong, and the grader says why.
    assert good.returncode == 1 and "1 failed, 2 passed" in good.stdout, good.stdout
    assert "your heuristic is not admissible" in good.stdout
