"""One record of a file, before anybody asks whether it is a task or a prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from schemes.core.use.problems import Place

MAX_RECORDS: Final = 1_000_000
MAX_RECORD: Final = 1_000_000
"""Signs of one record; those of the real data set have a few thousand."""


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object, or one row as such an object, and where it stands."""

    fields: dict[str, Any]
    place: Place


@dataclass(frozen=True, slots=True)
class RecordFile:
    """The records of a file, read while they are asked for.

    ``split``: the one chosen, or told by whoever reads a format without splits. ``typed``: false
    for CSV, where everything is text.
    """

    records: Iterator[Record]
    split: str | None = None
    typed: bool = True
    has_splits: bool = False
