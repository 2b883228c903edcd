"""Boards and solutions as SVG pictures."""

from __future__ import annotations

import html
import math
from typing import Any, Callable, Mapping, Sequence, Tuple

#: A picture without its frame: width, height and what is inside.
Drawn = Tuple[float, float, str]
Board = Tuple[str, Any, Any, str]

_CELL = 44
_FONT = 'font-family="system-ui, sans-serif" text-anchor="middle" dominant-baseline="central"'
_PAPER, _INK, _LINE = "#f6f8fa", "#1f2328", "#d0d7de"
_BLUE, _RED, _GREEN, _AMBER, _GREY = "#4f83cc", "#d1495b", "#3a9d6b", "#e0a030", "#8c959f"


def picture(puzzle: str, board: Any, state: Any, text: str) -> str:
    """A board; puzzles without a drawing of their own show their text."""
    return _framed(*_DRAWINGS.get(puzzle, _text)(board, state, text))


def draws(puzzle: str) -> bool:
    """Whether a puzzle has a drawing of its own."""
    return puzzle in _DRAWINGS


def animation(boards: Sequence[Board], seconds: float) -> str:
    """Boards one after the other, again and again. The last one stays a little longer."""
    drawn = [_DRAWINGS.get(puzzle, _text)(board, state, text) for puzzle, board, state, text in boards]
    width = max(part[0] for part in drawn)
    height = max(part[1] for part in drawn)
    if len(drawn) == 1:
        return _framed(*drawn[0])
    total = seconds * len(drawn) + 2
    frames = []
    for at, (_, _, inside) in enumerate(drawn):
        begin = seconds * at / total
        end = 1.0 if at == len(drawn) - 1 else seconds * (at + 1) / total
        times, values = [0.0], ["visible" if at == 0 else "hidden"]
        if at > 0:
            times.append(begin)
            values.append("visible")
        if end < 1.0:
            times.append(end)
            values.append("hidden")
        timing = f'keyTimes="{";".join(f"{time:.5f}".rstrip("0").rstrip(".") for time in times)}"'
        # Without animation, as in a printed notebook, the last board is seen.
        still = "visible" if at == len(drawn) - 1 else "hidden"
        frames.append(
            f'<g visibility="{still}"><animate attributeName="visibility" dur="{total:g}s" repeatCount="indefinite" '
            f'calcMode="discrete" {timing} values="{";".join(values)}"/>{inside}</g>'
        )
    return _framed(width, height, "".join(frames))


def _framed(width: float, height: float, inside: str) -> str:
    scale = min(1.0, 640 / max(width, 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width * scale:g}" '
        f'height="{height * scale:g}">{inside}</svg>'
    )


def _box(x: float, y: float, width: float, height: float, fill: str, radius: float = 5, line: str = "none") -> str:
    size = f'width="{width:g}" height="{height:g}" rx="{radius:g}"'
    return f'<rect x="{x:g}" y="{y:g}" {size} fill="{fill}" stroke="{line}"/>'


def _word(x: float, y: float, size: float, text: Any, fill: str = "#ffffff") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" {_FONT}>{html.escape(str(text))}</text>'


def _text(board: Any, state: Any, text: str) -> Drawn:
    lines = (text or str(state)).splitlines()
    width = 9 * max(map(len, lines), default=1) + 16
    rows = "".join(
        f'<text x="8" y="{20 + 18 * at}" font-family="monospace" font-size="14" xml:space="preserve" fill="{_INK}">'
        f"{html.escape(line)}</text>"
        for at, line in enumerate(lines)
    )
    height = 18 * len(lines) + 14
    return width, height, _box(0, 0, width, height, _PAPER) + rows


def _tiles(board: Mapping[str, Any], state: Sequence[int], text: str) -> Drawn:
    rows, columns, goal = board["rows"], board["columns"], board["goal"]
    width, height = columns * _CELL + 8, rows * _CELL + 8
    inside = _box(0, 0, width, height, "#d8dee4", 7)
    for at, tile in enumerate(state):
        if tile == 0:
            continue
        x, y = 4 + at % columns * _CELL, 4 + at // columns * _CELL
        fill = _GREEN if goal[at] == tile else _BLUE
        inside += _box(x + 1.5, y + 1.5, _CELL - 3, _CELL - 3, fill)
        inside += _word(x + _CELL / 2, y + _CELL / 2, 19, tile)
    return width, height, inside


_PIPS = {
    1: [(0.5, 0.5)],
    2: [(0.28, 0.28), (0.72, 0.72)],
    3: [(0.26, 0.26), (0.5, 0.5), (0.74, 0.74)],
    4: [(0.28, 0.28), (0.28, 0.72), (0.72, 0.28), (0.72, 0.72)],
    5: [(0.26, 0.26), (0.26, 0.74), (0.5, 0.5), (0.74, 0.26), (0.74, 0.74)],
    6: [(0.28, 0.24), (0.28, 0.5), (0.28, 0.76), (0.72, 0.24), (0.72, 0.5), (0.72, 0.76)],
}


def _die(board: Mapping[str, Any], state: Mapping[str, int], text: str) -> Drawn:
    rows = board["rows"]
    # The face numbers of a die at the edge need a margin.
    margin = 10
    width, height = len(rows[0]) * _CELL + 2 * margin, len(rows) * _CELL + 2 * margin
    inside = _box(margin, margin, width - 2 * margin, height - 2 * margin, _PAPER, 4, _LINE)
    for y, row in enumerate(rows):
        for x, symbol in enumerate(row):
            left, top = margin + x * _CELL, margin + y * _CELL
            if symbol == "*":
                inside += _box(left, top, _CELL, _CELL, "#6e7781", 0)
            else:
                inside += _box(left, top, _CELL, _CELL, "none", 0, _LINE)
            if symbol in "SG":
                fill = "#ddf4ff" if symbol == "S" else "#dafbe1"
                inside += _box(left + 2, top + 2, _CELL - 4, _CELL - 4, fill)
                inside += _word(left + 9, top + 10, 11, symbol, _GREY)
    side = _CELL * 0.72
    x0, y0 = margin + (state["col"] + 0.14) * _CELL, margin + (state["row"] + 0.14) * _CELL
    inside += _box(x0, y0, side, side, "#ffffff", 7, _INK)
    fill = _RED if state["top"] == 1 else _INK
    for across, down in _PIPS[state["top"]]:
        inside += (
            f'<circle cx="{x0 + across * side:.4g}" cy="{y0 + down * side:.4g}" r="{side * 0.085:.3g}" fill="{fill}"/>'
        )
    # The faces that look north and east, small at their edges.
    inside += _word(x0 + side / 2, y0 - 3.5, 8, state["north"], _GREY)
    inside += _word(x0 + side + 4.5, y0 + side / 2, 8, state["east"], _GREY)
    return width, height, inside


def _klotski(board: Mapping[str, Any], state: Sequence[str], text: str) -> Drawn:
    rows, columns = board["rows"], board["columns"]
    width, height = columns * _CELL + 8, rows * _CELL + 8
    inside = _box(0, 0, width, height, "#d8dee4", 7)
    big = board["goal"].get("big")
    if big is not None:
        # The goal of the large piece.
        x, y = 4 + big[1] * _CELL, 4 + big[0] * _CELL
        inside += (
            f'<rect x="{x + 5}" y="{y + 5}" width="{2 * _CELL - 10}" height="{2 * _CELL - 10}" rx="5" fill="none" '
            f'stroke="{_RED}" stroke-width="2" stroke-dasharray="6 5"/>'
        )
    seen_big = False
    for y, row in enumerate(state):
        for x, symbol in enumerate(row):
            size = {"<": (2, 1, _BLUE), "^": (1, 2, _GREEN), "2": (1, 1, _AMBER), "1": (2, 2, _RED)}.get(symbol)
            if size is None or (symbol == "1" and seen_big):
                continue
            seen_big |= symbol == "1"
            across, down, fill = size
            inside += _box(4 + x * _CELL + 2, 4 + y * _CELL + 2, across * _CELL - 4, down * _CELL - 4, fill)
    return width, height, inside


def _chexers(board: Mapping[str, Any], state: Sequence[Sequence[int]], text: str) -> Drawn:
    size = 24.0
    pieces, blocks = {tuple(hex) for hex in state}, {tuple(hex) for hex in board["blocks"]}
    exits = {tuple(hex) for hex in board["exits"]}
    colour = {"red": _RED, "green": _GREEN, "blue": _BLUE}[board["colour"]]
    inside = ""
    width, height = 7 * size * math.sqrt(3) + 12, 11 * size + 12
    for q in range(-3, 4):
        for r in range(-3, 4):
            if abs(q + r) > 3:
                continue
            x = width / 2 + size * math.sqrt(3) * (q + r / 2)
            y = height / 2 + size * 1.5 * r
            corners = (
                f"{x + size * math.sin(turn):.1f},{y + size * math.cos(turn):.1f}"
                for turn in (math.pi / 3 * corner for corner in range(6))
            )
            place = (q, r)
            fill = "#6e7781" if place in blocks else ("#fff8c5" if place in exits else _PAPER)
            inside += f'<polygon points="{" ".join(corners)}" fill="{fill}" stroke="{_LINE}"/>'
            if place in pieces:
                inside += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.55:.1f}" fill="{colour}"/>'
    return width, height, inside


def _pancake(board: Mapping[str, Any], state: Sequence[int], text: str) -> Drawn:
    count = board["pancakes"]
    unit, tall = 22, 24
    width, height = (count + 1) * unit + 16, count * tall + 16
    inside = _box(0, 0, width, height, _PAPER, 7, _LINE)
    for at, size in enumerate(state):
        across = (size + 1) * unit
        inside += _box((width - across) / 2, 8 + at * tall + 2, across, tall - 4, _AMBER, 9)
        inside += _word(width / 2, 8 + at * tall + tall / 2, 12, size, _INK)
    return width, height, inside


_DRAWINGS: Mapping[str, Callable[[Any, Any, str], Drawn]] = {
    "tiles": _tiles,
    "die": _die,
    "klotski": _klotski,
    "chexers": _chexers,
    "pancake": _pancake,
}
