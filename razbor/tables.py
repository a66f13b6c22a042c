"""Readable tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from web.core.sentences import in_one_line

UNKNOWN: Final = "–"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns as wide as their longest cell, those of numbers to the right; a dash for what is
    unknown.
    """
    cells = [[_cell(each) for each in row] for row in rows]
    columns = [_aligned(column) for column in zip(head, *cells, strict=True)]
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _aligned(column: Sequence[str]) -> list[str]:
    """A column with its head, every cell as wide as the longest."""
    width = max(map(len, column))
    known = [text for text in column[1:] if text != UNKNOWN]
    if known and all(map(_is_number, known)):
        return [text.rjust(width) for text in column]
    return [text.ljust(width) for text in column]


def _cell(value: object) -> str:
    if value is None or value == "":
        return UNKNOWN
    return f"{value:.2f}" if isinstance(value, float) else in_one_line(" ".join(str(value).split()))


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdecimal()
