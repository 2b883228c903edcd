"""The program ``admissible``."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Runs the program on the arguments of this process and returns its exit code."""
    from ._native import run_program

    # The program handles Ctrl-C itself: it ends with what is known by then.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["admissible", *sys.argv[1:]], [sys.executable, "-m", "admissible_search"])


if __name__ == "__main__":
    sys.exit(main())
