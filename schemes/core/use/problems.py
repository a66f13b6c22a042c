"""What is wrong with a record or a file of the USE scheme, and where."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from schemes.core.collecting import FileProblem, FileProblems


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
class Problem(FileProblem[Source, Place]):
    """One finding; of the key unless told otherwise."""

    source: Source = Source.KEY
    place: Place = NOWHERE


class Problems(FileProblems[Problem, Source, Place]):
    """The problems of one file."""

    def __init__(self, source: Source) -> None:
        super().__init__(Problem, source)
