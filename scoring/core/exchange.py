"""What an exchange session adds to a report: when answers came, and what was annulled.

Regulation 7.6, 7.7 and Appendix 2, 2. Values only: the app of sessions says what they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import Final

BARS: Final = 12
"""Response times are counted in so many steps."""
MOST: Final = 95
"""Percent of the answers that are told to have come until some second."""


@dataclass(frozen=True, slots=True)
class AnnulledFile:
    """A file that is annulled or left out, why by its code, and why in words."""

    essay: str
    reason: str
    words: str


@dataclass(frozen=True, slots=True)
class Bar:
    """``count`` answers came from second ``start`` on and before second ``end``."""

    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A session's ``files``; seconds from the opening of a file to its answer, by essay.

    ``limit``: the last second an answer counts in. ``allowed``: so many files may be annulled
    before the whole solution is, ``None`` where there is no such rule. ``unread``: answers that
    count and are no markups yet. ``left_out``: answers that count and that nothing is told of, for
    their jobs were given up.
    """

    files: int
    limit: float | None
    allowed: int | None
    seconds: Mapping[str, float]
    annulled: tuple[AnnulledFile, ...]
    unread: int = 0
    left_out: tuple[AnnulledFile, ...] = ()

    @property
    def median(self) -> float | None:
        """Half of the answers came within so many seconds."""
        return median(self.seconds.values()) if self.seconds else None

    @property
    def most(self) -> float | None:
        """95 % of the answers came within so many seconds (nearest rank)."""
        rising = sorted(self.seconds.values())
        return rising[ceil(MOST * len(rising) / 100) - 1] if rising else None

    @property
    def share(self) -> float:
        """Annulled files, in percent."""
        return 100 * len(self.annulled) / self.files if self.files else 0.0

    @property
    def bars(self) -> tuple[Bar, ...]:
        """The answers by their seconds, in equal steps from 0 to the limit or the longest one."""
        if not self.seconds:
            return ()
        end = max(self.limit or 0.0, *self.seconds.values()) or 1.0
        counts = [0] * BARS
        for seconds in self.seconds.values():
            counts[min(BARS - 1, int(BARS * seconds / end))] += 1
        step = end / BARS
        return tuple(Bar(n * step, (n + 1) * step, count) for n, count in enumerate(counts))
