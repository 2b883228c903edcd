"""Tables of results: rows for people, columns for programs."""

from __future__ import annotations

import html
from fractions import Fraction
from typing import Any, Iterator, Mapping, Sequence


class Table:
    """A small table with named columns.

    It prints itself, notebooks show it, ``to_dict()`` has the columns as lists, and the Arrow C stream
    (``__arrow_c_stream__``) hands it to pandas, polars, altair and others.

    >>> table = Table({"n": [1, 2], "square": [1, 4]})
    >>> print(table)
    n  square
    1       1
    2       4
    >>> table.to_dict()
    {'n': [1, 2], 'square': [1, 4]}
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self._columns = {name: list(values) for name, values in columns.items()}
        if len({len(values) for values in self._columns.values()}) > 1:
            raise ValueError("expected columns of the same length")

    @property
    def columns(self) -> list[Any]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for values in zip(*self._columns.values()):
            yield dict(zip(self._columns, values))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return list(self._columns[key])
        return {name: values[key] for name, values in self._columns.items()}

    def to_dict(self) -> dict[Any, Any]:
        """The columns as lists, by name."""
        return {name: list(values) for name, values in self._columns.items()}

    def to_rows(self) -> list[Any]:
        """The rows as dicts."""
        return list(self)

    def __repr__(self) -> str:
        cells = [[shown(value) for value in values] for values in self._columns.values()]
        widths = [max(map(len, [name, *column])) for name, column in zip(self._columns, cells)]
        right = [_is_number_column(values) for values in self._columns.values()]
        lines = [_line(list(self._columns), widths, right)]
        lines += [_line([column[row] for column in cells], widths, right) for row in range(len(self))]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        right = [_is_number_column(values) for values in self._columns.values()]
        align = ["right" if is_right else "left" for is_right in right]
        head = "".join(f'<th style="text-align:{a}">{html.escape(n)}</th>' for n, a in zip(self._columns, align))
        body = ""
        for row in zip(*self._columns.values()):
            cells = (f'<td style="text-align:{a}">{html.escape(shown(v))}</td>' for v, a in zip(row, align))
            body += f"<tr>{''.join(cells)}</tr>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table as an Arrow C stream."""
        from ._native import arrow_stream

        return arrow_stream([_arrow_column(name, values) for name, values in self._columns.items()])


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(cells, widths, right)]
    return "  ".join(padded).rstrip()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction)) and not isinstance(value, bool)


def _is_number_column(values: Sequence[Any]) -> bool:
    return all(value is None or _is_number(value) for value in values) and any(v is not None for v in values)


def shown(value: Any) -> str:
    """A value for people."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, float):
        return f"{int(value):,}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"
    return str(value)


def _arrow_column(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """A column with the type that holds all its values: bool, int, float or text."""
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, bool) for value in present):
        return (name, "bool", list(values))
    if present and all(isinstance(value, int) and abs(value) < 2**63 for value in present):
        return (name, "int", [None if value is None else int(value) for value in values])
    if present and all(_is_number(value) for value in present):
        return (name, "float", [None if value is None else float(value) for value in values])
    return (name, "text", [None if value is None else str(value) for value in values])
