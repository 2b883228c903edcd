"""Keys and copies of states.

A state is looked up by itself if it is hashable, else by a frozen copy: lists, sets, dicts, arrays and plain objects
inside it become tuples that compare like them.
"""

from __future__ import annotations

import copy as _copy
import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import types
from typing import Any

_ATOMS = (
    int,
    float,
    complex,
    str,
    bytes,
    bool,
    type(None),
    type(...),
    range,
    enum.Enum,
    fractions.Fraction,
    decimal.Decimal,
    datetime.date,
    datetime.time,
    datetime.timedelta,
    pathlib.PurePath,
    type,
    types.FunctionType,
    types.ModuleType,
)


def freeze(value: Any) -> Any:
    """A hashable value that equals that of another object exactly if the two objects are equal."""
    kind = type(value)
    if kind is tuple:
        return tuple([freeze(item) for item in value])
    if issubclass(kind, list):
        return (list, tuple([freeze(item) for item in value]))
    if issubclass(kind, (set, frozenset)):
        return frozenset([freeze(item) for item in value])
    if issubclass(kind, dict):
        return (dict, frozenset([(key, freeze(item)) for key, item in value.items()]))
    if issubclass(kind, bytearray):
        return (bytearray, bytes(value))
    if hasattr(value, "__array_interface__") and hasattr(value, "tobytes"):
        if value.dtype.hasobject:
            return ("array", value.shape, tuple([freeze(item) for item in value.ravel().tolist()]))
        return ("array", value.shape, value.dtype.str, value.tobytes())
    if kind.__hash__ is not None:
        try:
            hash(value)
        except TypeError:
            pass
        else:
            return value
    if issubclass(kind, tuple):
        return (kind, tuple([freeze(item) for item in value]))
    if hasattr(kind, "__len__") and hasattr(kind, "__getitem__") and not hasattr(value, "__dict__"):
        return (kind, tuple([freeze(item) for item in value]))
    parts = _parts(value)
    if parts is not None:
        return (kind, tuple([(name, freeze(item)) for name, item in parts]))
    raise TypeError(
        f"states of type {kind.__name__} can neither be hashed nor taken apart; give the class __hash__ and __eq__"
    )


def _parts(value: Any) -> list[Any] | None:
    """The attributes of an object, by name."""
    names = set(getattr(value, "__dict__", ()))
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        names.update((slots,) if isinstance(slots, str) else slots)
    names -= {"__dict__", "__weakref__"}
    if not names:
        return None
    return [(name, getattr(value, name)) for name in sorted(names) if hasattr(value, name)]


def copy(value: Any) -> Any:
    """A copy of a state that shares nothing that can change."""
    kind = type(value)
    if kind is list:
        return [item if type(item) in _FAST else copy(item) for item in value]
    if kind is tuple:
        return tuple([item if type(item) in _FAST else copy(item) for item in value])
    if kind is dict:
        return {key: copy(item) for key, item in value.items()}
    if kind is set:
        return set(value)
    if isinstance(value, _ATOMS):
        return value
    return _copy.deepcopy(value)


_FAST = frozenset([int, float, str, bool, bytes, type(None)])


def kind(of: type) -> int:
    """How states of a hashable type are kept: 0 immutable, 1 like a tuple, 2 may be changed by a callback."""
    if issubclass(of, _ATOMS):
        return 0
    if issubclass(of, tuple):
        return 1
    if issubclass(of, frozenset):
        return 0
    if of.__module__ == "numpy" or any(base.__module__ == "numpy" for base in of.__mro__[:-1]):
        return 0
    parameters = getattr(of, "__dataclass_params__", None)
    if dataclasses.is_dataclass(of) and parameters is not None and parameters.frozen:
        return 0
    # Objects that compare by identity are the same only while they are not copied.
    return 0 if of.__hash__ is object.__hash__ else 2
