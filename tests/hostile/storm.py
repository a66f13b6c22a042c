"""The whole corpus against the doors, one answer after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.hostile.doors import GROUPS
from tests.hostile.verdicts import Case, complaints
from tests.hostile.visitor import Answer
from tests.hostile.world import World, rows


@dataclass(frozen=True, slots=True)
class Struck:
    """One input sent: its case, the answer, and what is wrong with it."""

    case: Case
    answer: Answer
    complaints: tuple[str, ...]

    def __str__(self) -> str:
        words = "; ".join(self.complaints)
        return f"{self.case} ({self.case.input.why}): {words}"


def storm(world: World, group: str) -> Iterator[Struck]:
    """Send a group of cases; each is judged by its answer and by what was written."""
    before = rows()
    for case, answer in GROUPS[group](world):
        after = rows()
        yield Struck(case, answer, tuple(complaints(case, answer, before != after)))
        before = after
