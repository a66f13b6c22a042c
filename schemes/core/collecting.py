"""What is wrong with a file of a scheme: findings with their places, as many as one can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Generic, TypeVar

MOST: Final = 1000
"""So many problems of a file are named; of the others the number is told."""
DELIMITERS: Final = (",", ";", "\t")


def delimiter_of(table: str) -> str:
    """What separates the cells of a CSV, by its first line, which only names the columns."""
    return max(DELIMITERS, key=table.split("\n", 1)[0].count)


Source = TypeVar("Source", bound=StrEnum)
Place = TypeVar("Place")
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class FileProblem(Generic[Source, Place]):
    """One finding in a file of a scheme, which names its files and what a place is there.

    ``code`` is stable; the scheme's ``messages.describe`` turns it into a sentence.
    """

    code: str
    source: Source
    place: Place
    fields: Mapping[str, object] = field(default_factory=dict)


class FileProblems(Generic[Found, Source, Place]):
    """Collects the problems of one file; never grows beyond ``MOST``, however bad the file."""

    def __init__(self, make: Callable[..., Found], source: Source) -> None:
        self.source = source
        self._make = make
        self._named: list[Found] = []
        self._more = 0

    def add(self, code: str, place: Place | None = None, **fields: object) -> None:
        """Name one more problem; without a place it concerns the whole file."""
        if len(self._named) < MOST:
            where = {} if place is None else {"place": place}
            self._named.append(self._make(code, self.source, fields=fields, **where))
        else:
            self._more += 1

    def named(self) -> tuple[Found, ...]:
        """The problems in their order, and how many more there were."""
        more = self._make("more-problems", self.source, fields={"count": self._more})
        return (*self._named, more) if self._more else tuple(self._named)
