"""Places of drawings the server makes; written as SVG reads them, whatever the reader's notation.

Everything drawn stands beside it in words or in a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

STEPS: Final = (1, 2, 5, 10, 20, 25, 50)
MOST_TICKS: Final = 6
FULL: Final = 100.0
NEAR_END: Final = 0.2
"""So near to an end of an axis a word is turned inwards."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A number of an axis and where it stands."""

    value: int
    x: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Axis:
    """Percent from ``low`` to ``high`` over ``width`` units of a drawing."""

    low: int
    high: int
    width: float
    step: int

    def x(self, value: float) -> str:
        """Where a value stands; beyond the ends at the nearest one."""
        share = (value - self.low) / (self.high - self.low)
        return place(self.width * min(1.0, max(0.0, share)))

    def anchor(self, value: float) -> str:
        """Which end of a word that names a value stands there, so that none of it is cut off."""
        share = (value - self.low) / (self.high - self.low)
        if share > 1 - NEAR_END:
            return "end"
        return "start" if share < NEAR_END else "middle"

    @property
    def ticks(self) -> list[Tick]:
        """The numbers at the axis, its ends turned inwards."""
        values = range(self.low, self.high + 1, self.step)
        anchors = {self.low: "start", self.high: "end"}
        return [Tick(value, self.x(value), anchors.get(value, "middle")) for value in values]

    @property
    def grid(self) -> list[str]:
        """Where its lines stand."""
        return [tick.x for tick in self.ticks]


def place(number: float) -> str:
    """A length in a drawing."""
    return f"{number:.1f}"


def axis_over(values: Iterable[float], width: float) -> Axis:
    """The axis that holds these values, in as few round steps as tell them apart."""
    known = [*values] or [0.0, FULL]
    low, high = min(known), max(known)
    if low == high and low in (0.0, FULL):
        low, high = 0.0, FULL
    step = next((each for each in STEPS if (high - low) / each <= MOST_TICKS - 1), STEPS[-1])
    first, last = step * floor(low / step), step * ceil(high / step)
    return Axis(first, last if last > first else first + step, width, step)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram: what it counts, where it stands, how high it is."""

    start: float
    end: float
    count: int
    x: str
    y: str
    width: str
    height: str
    middle: str
    top: str


def columns_of(
    bars: Sequence[tuple[float, float, int]], width: float, height: float, ground: float
) -> list[Column]:
    """Columns side by side on the line ``ground``, the highest of ``height``."""
    highest = max((count for _start, _end, count in bars), default=0) or 1
    each = width / max(1, len(bars))
    columns = []
    for number, (start, end, count) in enumerate(bars):
        tall = height * count / highest
        columns.append(
            Column(
                start,
                end,
                count,
                place(number * each + 2),
                place(ground - tall),
                place(each - 4),
                place(tall),
                place((number + 0.5) * each),
                place(ground - tall - 5),
            )
        )
    return columns
