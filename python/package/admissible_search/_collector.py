"""Fewer runs of Python's collector of cyclic garbage while states are listed.

The collector runs at every 700th new object and now and then looks at all of them. Most objects that a listing makes
are states that stay, so it would find nothing and take a third of the time.
"""

from __future__ import annotations

import gc
import threading
from contextlib import contextmanager
from typing import Iterator, Tuple

_OBJECTS = 200_000

_lock = threading.Lock()
_users = 0
_before: Tuple[int, ...] = ()


@contextmanager
def rarely() -> Iterator[None]:
    """Lets the collector run at every 200,000th new object; the last of several users restores what was set before.

    >>> import gc
    >>> before = gc.get_threshold()
    >>> with rarely():
    ...     gc.get_threshold()[0]
    200000
    >>> gc.get_threshold() == before
    True
    """
    global _users, _before
    with _lock:
        if _users == 0:
            _before = gc.get_threshold()
            # 0 means that the collector is off.
            if 0 < _before[0] < _OBJECTS:
                gc.set_threshold(_OBJECTS, *_before[1:])
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                gc.set_threshold(*_before)
