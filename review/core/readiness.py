"""Whether a verdict can be given of a set, and what is missing for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Readiness:
    """How many essays a set has and how many of them are not done, by what they lack.

    Every essay stands in at most one of ``unassigned``, ``working``, ``third`` and ``ungraded``
    (settled, without the final grade its rules ask for). ``open_checks``: checks of any of them
    that are given and not submitted. ``decided``: essays of which it is decided whether they need
    a third check, ``thirds`` of them do.
    """

    essays: int = 0
    unassigned: int = 0
    working: int = 0
    third: int = 0
    ungraded: int = 0
    open_checks: int = 0
    decided: int = 0
    thirds: int = 0

    @property
    def is_ready(self) -> bool:
        """True where nothing is missing; a set without essays has nothing to say a verdict of."""
        missing = self.unassigned + self.working + self.third + self.ungraded + self.open_checks
        return bool(self.essays) and not missing
