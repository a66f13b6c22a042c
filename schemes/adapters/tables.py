"""A run as files: CSV for a spreadsheet, JSON for a program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from schemes.adapters.scheme import Column
from schemes.adapters.words import in_language


class Row(Protocol):
    """An item of a run as it is kept."""

    number: int
    name: str
    group: str
    verdict: str
    points: float | None
    maximum: float | None
    reason: Mapping[str, str]
    cells: Mapping[str, Any]


def value_of(row: Row, column: Column) -> Any:
    """What stands in a cell; sentences in the reader's language, whole numbers without decimals."""
    of_item = {"points": row.points, "max": row.maximum, "reason": row.reason}
    value = {**of_item, **row.cells}.get(column.name)
    if isinstance(value, dict):
        return in_language(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def table_of(columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[list[Any]]:
    """The head of a table and its rows."""
    chosen = [column for column in columns if column.in_file]
    yield [column.heading or column.name for column in chosen]
    for row in rows:
        yield [value_of(row, column) for column in chosen]


def as_json(row: Row) -> dict[str, Any]:
    """An item for a program."""
    cells = {
        name: in_language(value) if isinstance(value, dict) else value
        for name, value in row.cells.items()
    }
    return {
        "number": row.number,
        "name": row.name,
        "group": row.group,
        "verdict": row.verdict,
        "points": row.points,
        "max": row.maximum,
        "reason": in_language(row.reason),
        "cells": cells,
    }
