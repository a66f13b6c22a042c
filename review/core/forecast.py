"""When the checks of an essay set will be done, at the pace of the last days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

DAYS: Final = 7
"""The pace is that of so many days."""

LEAST: Final = 5
"""From fewer checks than these nothing is foretold."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What is known of a set: checks done since ``DAYS`` ago, the first of these, checks to
    do, and the moment all this was so.
    """

    recent: int
    since: datetime | None
    left: int
    now: datetime


@dataclass(frozen=True, slots=True)
class Forecast:
    """Checks a day, and the moment the last one will be done."""

    a_day: float
    ends_at: datetime


def forecast(pace: Pace) -> Forecast | None:
    """The end of the checks; ``None`` where nothing is left or too little is known.

    Who began to submit less than ``DAYS`` ago is measured by the days since then, one at least.
    """
    if not pace.left or pace.recent < LEAST or pace.since is None:
        return None
    days = min(max((pace.now - pace.since) / timedelta(days=1), 1), DAYS)
    a_day = pace.recent / days
    return Forecast(a_day, pace.now + timedelta(days=pace.left / a_day))
