"""What is wrong with a record or a file of the SpaCE2022 scheme, and where."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from schemes.core.collecting import FileProblem, FileProblems


class Source(StrEnum):
    """The file a problem belongs to."""

    ANSWER = "answer"
    PREDICTION = "prediction"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a file: line and record, counted from 1; the question; the path of the field."""

    line: int | None = None
    record: int | None = None
    qid: str = ""
    field: str = ""


NOWHERE: Final = Place()


@dataclass(frozen=True, slots=True)
class Problem(FileProblem[Source, Place]):
    """One finding; of the answer file unless told otherwise."""

    source: Source = Source.ANSWER
    place: Place = NOWHERE


class Problems(FileProblems[Problem, Source, Place]):
    """The problems of one file."""

    def __init__(self, source: Source) -> None:
        super().__init__(Problem, source)
