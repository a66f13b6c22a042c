"""What is wrong with a record or a file of the USE scheme, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from scoring.core.schemes.collecting import Collected


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


class Problems(Collected[Problem]):
    """The problems of one file: the first of them, and how many more there are."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source

    def add(self, code: str, place: Place = NOWHERE, **fields: object) -> None:
        """Name one more problem."""
        self.keep(Problem(code, self.source, place, fields))

    def named(self) -> tuple[Problem, ...]:
        """The problems in their order, and how many more there were."""
        if not self.more:
            return self.first
        return (*self.first, Problem("more-problems", self.source, fields={"count": self.more}))
