"""The autograder: `pytest test_submission.py` gives the points and says why they were not given."""

import admissible_search as ad
import pytest
from admissible_search.testing import assert_admissible
from puzzle import Vacuum, every_problem
from submission import h_count, h_distances


@pytest.mark.parametrize("h", [h_count, h_distances])
def test_the_heuristic_is_admissible(h):
    for problem in every_problem():
        assert_admissible(problem, h)


def test_the_heuristic_saves_work():
    problem = Vacuum(10, 0, [1, 4, 9])
    table = ad.compare(problem, {"none": lambda node: 0, "yours": h_count}).table
    assert table["expanded"][1] < table["expanded"][0]
