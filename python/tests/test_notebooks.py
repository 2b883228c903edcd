"""The notebooks of the documentation run, and show what they promise."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"
EXPECTED = {
    "eight-puzzle.ipynb": ["overestimates 78 states", "5,040 moves", "admissible and consistent"],
    "corners.ipynb": ["NOT admissible", "admissible and consistent"],
    "word-ladder.ipynb": ["admissible and consistent", "cold"],
}


def test_every_notebook_is_expected():
    assert {path.name for path in NOTEBOOKS.glob("*.ipynb")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_notebook_runs(name):
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3")
    client.execute()
    shown = str([cell.get("outputs") for cell in notebook.cells])
    for text in EXPECTED[name]:
        assert text in shown, text
