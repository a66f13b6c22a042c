"""Moments of the database's clock as whole microseconds since 1970, and back."""

from __future__ import annotations

from datetime import datetime

from contest.core.session_json import EPOCH, MICROSECOND


def moment_of(at: datetime) -> int:
    """A point in time with its zone -> microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


def at(moment: int) -> datetime:
    """Microseconds since 1970 -> the point in time, in UTC."""
    return EPOCH + moment * MICROSECOND


def at_if_known(moment: int | None) -> datetime | None:
    """The same of a moment that may not have come; ``None`` is ``None``."""
    return None if moment is None else at(moment)
