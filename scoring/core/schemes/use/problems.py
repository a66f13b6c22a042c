"""What is wrong with a record or a file of the USE scheme, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

MOST: Final = 1000
"""So many problems of a file are named; of the others the number is told."""


class Source(StrEnum):
    """The file a problem belongs to."""

    KEY = "key"
    PREDICTION = "prediction"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file: the record's number and first line, counted from 1; its id; the field."""

    record: int | None = None
    line: int | None = None
    id: str = ""
    field: str = ""


NOWHERE: Final = Place()


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. ``code`` is stable; ``messages.describe`` turns it into a sentence."""

    code: str
    source: Source = Source.KEY
    place: Place = NOWHERE
    fields: Mapping[str, object] = field(default_factory=dict)


class Problems:
    """Collects the problems of one file; never grows beyond ``MOST``, however bad the file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._named: list[Problem] = []
        self._more = 0

    def add(self, code: str, place: Place = NOWHERE, **fields: object) -> None:
        """Name one more problem."""
        if len(self._named) < MOST:
            self._named.append(Problem(code, self.source, place, fields))
        else:
            self._more += 1

    def named(self) -> tuple[Problem, ...]:
        """The problems in their order, and how many more there were."""
        more = Problem("more-problems", self.source, fields={"count": self._more})
        return (*self._named, more) if self._more else tuple(self._named)
