"""Problems of a bad file, as many as somebody can read."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

MOST: Final = 1000
"""So many problems of a file are named; of the others the number is told."""

Found = TypeVar("Found")


class Collected(Generic[Found]):
    """The first problems of one file and the number of the others, however bad the file."""

    def __init__(self) -> None:
        self._named: list[Found] = []
        self._more = 0

    def keep(self, problem: Found) -> None:
        """Name one more problem, or count it."""
        if len(self._named) < MOST:
            self._named.append(problem)
        else:
            self._more += 1

    @property
    def first(self) -> tuple[Found, ...]:
        """The problems that are named, in their order."""
        return tuple(self._named)

    @property
    def more(self) -> int:
        """How many are not named."""
        return self._more
