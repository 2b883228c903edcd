"""The types of the package: complete, and true of the extension module."""

import os
import subprocess
import sys
from pathlib import Path

import admissible_search as ad
import pytest

pytest.importorskip("mypy")
PACKAGE = Path(ad.__file__).parent

USER = """
import admissible_search as ad

problem = ad.Problem(0, lambda n: [n + 1], lambda n: n == 3)
reveal_type(ad.audit(problem, lambda n: 3 - n))
reveal_type(ad.audit(problem, [lambda n: 3 - n]))
reveal_type(ad.solve(problem).cost)
reveal_type(ad.read("1 2 3 4 5 6 0 7 8").solve())
ad.solve(problem, algorithm=3)
"""


def mypy(module, *arguments):
    command = [sys.executable, "-m", module, *map(str, arguments)]
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)


def test_every_function_is_typed(tmp_path):
    ran = mypy("mypy", "--strict", "--cache-dir", tmp_path, PACKAGE)
    assert ran.returncode == 0, ran.stdout


def test_the_stub_is_that_of_the_extension_module():
    ran = mypy("mypy.stubtest", "admissible_search._native")
    assert ran.returncode == 0, ran.stdout


def test_what_users_see(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    ran = mypy("mypy", "--strict", "--cache-dir", tmp_path, tmp_path / "user.py")
    seen = [line.split(": ", 1)[1] for line in ran.stdout.splitlines() if line.startswith(str(tmp_path))]
    for line, end in zip(seen, ("AuditReport", "Audits", "Any", "PuzzleSolution")):
        assert line.startswith("note: Revealed type is") and line.rstrip('"').endswith(end), ran.stdout
    assert len(seen) == 5 and "incompatible type" in seen[4], ran.stdout
