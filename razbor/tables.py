"""Readable tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns as wide as their longest cell, numbers to the right; a dash for what is unknown."""
    cells = [list(head), *([_cell(each) for each in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    return "\n".join(_line(row, widths) for row in cells)


def _line(row: list[str], widths: list[int]) -> str:
    parts = [
        text.rjust(width) if _is_number(text) else text.ljust(width)
        for text, width in zip(row, widths, strict=True)
    ]
    return "  ".join(parts).rstrip()


def _cell(value: object) -> str:
    if value is None or value == "":
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else " ".join(str(value).split())


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdecimal() or text == "–"
