"""An expert's figures in a set and subject, beside the median of the other experts there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

FEWEST: Final = 3
"""Of fewer others nothing is told: a median of two is one person's figure seen from the other."""


@dataclass(frozen=True, slots=True)
class Work:
    """What somebody did in a set and subject.

    ``done``: submitted checks; ``minutes``: the median one took; ``m1``: the mean M1 against other
    experts, percent; ``thirds``: of the first and second checks that were decided about, the share
    that called a third one, percent. ``None`` where nothing is known.
    """

    done: int
    minutes: float | None = None
    m1: float | None = None
    thirds: float | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of somebody's and the median of the others', ``None`` where not told."""

    own: float | None
    others: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The four figures of ``Work``, each beside that of the others."""

    done: Compared
    minutes: Compared
    m1: Compared
    thirds: Compared


def median_told(values: Iterable[float | None]) -> float | None:
    """The median of those values that are known, ``None`` where these are fewer than ``FEWEST``."""
    known = [value for value in values if value is not None]
    return median(known) if len(known) >= FEWEST else None


def compared(own: Work, others: Sequence[Work]) -> Figures:
    """Somebody's figures beside the medians of the others; nobody's figure stands alone."""
    return Figures(
        Compared(own.done, median_told(each.done for each in others)),
        Compared(own.minutes, median_told(each.minutes for each in others)),
        Compared(own.m1, median_told(each.m1 for each in others)),
        Compared(own.thirds, median_told(each.thirds for each in others)),
    )
