"""Whether a team's program is ready for the finals: what is concluded automatically (R 6.3, 8.1.1).

A conclusion is positive where the application is complete and the qualification is passed; what is
not known is no pass, and no failure either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final


class Name(StrEnum):
    """What is asked of a team."""

    FORM = "form"
    ANNULLED = "annulled"
    STAR = "star"
    SCORED = "scored"


CLAUSE: Final = "6.3"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the qualification: ``annulled`` a share from 0 to 1, ``star`` in percent."""

    annulled: float
    star: float


@dataclass(frozen=True, slots=True)
class Passed:
    """What a team has shown on one test set; ``None`` is not known.

    ``annulled``: the share of its files that were annulled; ``star``: percent.
    """

    annulled: float | None
    star: float | None


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition with what it was measured by; a form has neither ``value`` nor ``line``."""

    name: Name
    is_met: bool
    value: float | None = None
    line: float | None = None
    clause: str = CLAUSE

    @property
    def is_known(self) -> bool:
        """False where there is nothing to measure it by yet."""
        return self.name is Name.FORM or None not in (self.value, self.line)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Every condition in order; ``missing``: the fields the application lacks."""

    conditions: tuple[Condition, ...]
    missing: tuple[str, ...] = ()

    @property
    def is_ready(self) -> bool:
        """True where every condition is met."""
        return all(each.is_met for each in self.conditions)

    @property
    def is_negative(self) -> bool:
        """True where a condition is known not to be met; else what is not met is not known yet."""
        return any(each.is_known for each in self.unmet)

    @property
    def is_concluded(self) -> bool:
        """False where what is not met is not known yet: there is nothing to check."""
        return self.is_ready or self.is_negative

    @property
    def unmet(self) -> tuple[Condition, ...]:
        """The conditions that are not met, in order."""
        return tuple(each for each in self.conditions if not each.is_met)


def conclude(
    missing: Sequence[str],
    passed: Sequence[Passed],
    lines: Lines | None,
    *,
    live: bool = True,
    scored: int | None = None,
) -> Conclusion:
    """The conclusion about one team (R 6.3).

    ``missing``: fields its application lacks. ``passed``: one for each test set of the contest; of
    several the worst counts. Without ``lines``, or without a test set, nothing is passed. Files are
    annulled where sessions are ``live``; elsewhere that is no condition. ``scored``: how many
    uploads of the qualification got a score in a contest of another scoring system, which has no
    STAR: one passes it. ``None`` in a contest of essays.
    """
    conditions = [Condition(Name.FORM, not missing)]
    if scored is not None:
        conditions.append(Condition(Name.SCORED, scored > 0, scored or None, 1))
        return Conclusion(tuple(conditions), tuple(missing))
    if live:
        worst = _worst([each.annulled for each in passed], highest=True)
        line = lines.annulled if lines else None
        is_met = worst is not None and line is not None and worst <= line
        conditions.append(Condition(Name.ANNULLED, is_met, worst, line))
    star = _worst([each.star for each in passed], highest=False)
    line = lines.star if lines else None
    is_met = star is not None and line is not None and star >= line
    conditions.append(Condition(Name.STAR, is_met, star, line))
    return Conclusion(tuple(conditions), tuple(missing))


def missing_fields(application: Mapping[str, Any]) -> list[str]:
    """Which fields of an application are empty (R 3.1), by name: ``members`` also for one without
    a name or an address. An organisation is not asked of people who come alone (R 2.25).
    """
    members = application.get("members") or []
    is_whole = bool(members) and all(each.get("name") and each.get("email") for each in members)
    fields = [name for name in ("name", "about", "email") if not application.get(name)]
    fields += [] if is_whole else ["members"]
    return fields + ([] if application.get("agrees") else ["agrees"])


def conclusion_to_json(conclusion: Conclusion) -> dict[str, Any]:
    """The conclusion as it is kept beside a verdict."""
    return {
        "missing": list(conclusion.missing),
        "conditions": [
            {
                "name": each.name.value,
                "met": each.is_met,
                "value": each.value,
                "line": each.line,
                "clause": each.clause,
            }
            for each in conclusion.conditions
        ],
    }


def conclusion_from_json(kept: Mapping[str, Any]) -> Conclusion:
    """What ``conclusion_to_json`` wrote. Raises ``KeyError``, ``ValueError`` for other values."""
    return Conclusion(
        tuple(
            Condition(Name(each["name"]), each["met"], each["value"], each["line"], each["clause"])
            for each in kept["conditions"]
        ),
        tuple(kept["missing"]),
    )


def _worst(values: Sequence[float | None], *, highest: bool) -> float | None:
    """The value that decides; ``None`` where there is none, or one is not known."""
    known = [each for each in values if each is not None]
    if not known or len(known) < len(values):
        return None
    return max(known) if highest else min(known)
