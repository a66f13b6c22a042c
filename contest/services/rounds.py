"""What tick does round after round: so many at a time, and none that fails holds up the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from django.db import InterfaceError, OperationalError

AT_ONCE: Final = 200
"""So many are done in one round."""

T = TypeVar("T")
log = logging.getLogger("contest.rounds")


def each_alone(do: Callable[[T], bool], numbers: Iterable[T], failed: str) -> int:
    """Do it for each, and count what was done; which ones ``failed`` is logged with their number.

    Without the database nothing can be done: its ``OperationalError`` ends the round.
    """
    done = 0
    for number in numbers:
        try:
            done += do(number)
        except (OperationalError, InterfaceError):
            raise
        except Exception:
            log.exception(failed, number)
    return done
