"""The parameters of a contest: what each may be, and what differs between two versions (R 2.17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from contest.core.errors import SessionCaseError
from contest.core.session_json import FINAL, rules_from_log
from web.core.json_values import is_number, refuse_others

SESSION_NAMES: Final = ("limit", "interval", "sends", "share", "window")
"""The rules of a session that a contest may set."""
BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "limit": (1, 3600),
    "interval": (1, 3600),
    "sends": (1, 1000),
    "share": (0, 1),
    "window": (0, 86400),
    "star_to_qualify": (0, 100),
    "annulled_to_qualify": (0, 1),
}
"""From and to, both included: seconds, answers to a file, shares, percent."""
SHARES: Final = frozenset({"share", "annulled_to_qualify"})
"""What people are told in percent."""
ANNOUNCED: Final = ("interval",)
"""What the schedule of the finals says besides their start (R 7.5)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A parameter that is other than it was."""

    name: str
    old: Any
    new: Any


def refuse_values(session: Mapping[str, Any], star: Any, annulled: Any) -> None:
    """Raise ``SessionCaseError`` for values no contest has, with the name of the field."""
    refuse_others(session, SESSION_NAMES, "session")
    said = {**session, "star_to_qualify": star, "annulled_to_qualify": annulled}
    for name, (least, most) in BOUNDS.items():
        if name in said and not is_number(said[name], least, most):
            raise SessionCaseError("out-of-range", name, least=least, most=most)
    rules_from_log({**FINAL, **session})


def session_values(session: Mapping[str, Any]) -> dict[str, Any]:
    """All rules of a session that a contest may set, those of the regulation where it is silent."""
    return {name: session.get(name, FINAL[name]) for name in SESSION_NAMES}


def changes_between(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    """What differs, in the order of the new values; both have the same names."""
    return tuple(
        Change(name, old[name], value) for name, value in new.items() if old[name] != value
    )
