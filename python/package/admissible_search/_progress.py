"""Progress of long work: a line on standard error in a terminal, a line of output in a notebook."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any, Callable, Optional, Union

ProgressFunction = Callable[[str, int, int], Any]

#: The seconds before anything is shown.
_QUIET = 0.5
_WIDTH = 24


class Bar:
    """Shows ``phase``, ``done`` and ``of`` (0 if the total is unknown)."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._begin = time.monotonic()
        self._shown = False
        self._handle: Any = None
        self._in_notebook = _in_notebook()

    def __call__(self, phase: str, done: int, of: int) -> None:
        seconds = time.monotonic() - self._begin
        if seconds < _QUIET:
            return
        text = f"{self._title}: {line(phase, done, of)}, {seconds:.0f} s"
        if self._in_notebook:
            self._show_in_notebook(text)
        else:
            sys.stderr.write(f"\r{text:<78}"[:80])
            sys.stderr.flush()
        self._shown = True

    def _show_in_notebook(self, text: str) -> None:
        data = {"text/plain": text}
        if self._handle is None:
            display = importlib.import_module("IPython.display").display
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def close(self) -> None:
        """Removes what was shown."""
        if not self._shown:
            return
        if self._in_notebook:
            self._show_in_notebook("")
        else:
            sys.stderr.write("\r" + " " * 79 + "\r")
            sys.stderr.flush()


def line(phase: str, done: int, of: int) -> str:
    """Progress as text.

    >>> line("states", 50, 100)
    '[############------------] 50 of 100 states'
    """
    if of <= 0:
        return f"{done:,} {phase}"
    filled = round(_WIDTH * min(done, of) / of)
    return f"[{'#' * filled}{'-' * (_WIDTH - filled)}] {done:,} of {of:,} {phase}"


def _in_notebook() -> bool:
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    return get_shell is not None and type(get_shell()).__name__ == "ZMQInteractiveShell"


class Showing:
    """The progress function of a call: the caller's own, a bar, or none."""

    def __init__(self, progress: Union[bool, ProgressFunction, None], title: str) -> None:
        self._bar: Optional[Bar] = None
        self.function: Optional[ProgressFunction] = None
        if callable(progress):
            self.function = progress
        elif progress or (progress is None and (_in_notebook() or _is_terminal())):
            self._bar = Bar(title)
            self.function = self._bar

    def __enter__(self) -> "Showing":
        return self

    def __exit__(self, *error: Any) -> None:
        if self._bar is not None:
            self._bar.close()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
