"""The list of open checks by its filter, and the question before many get another deadline."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import Assignment, EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.models.deadlines import DEFAULT_ZONE
from review.queries.deadlines import open_checks
from review.queries.experts import shares_of
from review.services.extending import AT_ONCE, Extension, new_deadlines
from web.forms import asked_words, is_number_of_row
from web.refusals import Refused

MOST_NAME: Final = 80
MOST_DATES: Final = 10
"""So many new deadlines are named one by one."""


@dataclass(frozen=True, slots=True)
class DueFilter:
    """Which open checks are listed. ``unknown``: words of the address that name nothing."""

    essay_set: EssaySet | None = None
    expert: User | None = None
    only_late: bool = False
    unknown: tuple[str, ...] = ()

    @property
    def fields(self) -> dict[str, str]:
        """The same as fields of an address, those that ask for nothing left out."""
        found = {
            "set": self.essay_set.name if self.essay_set else "",
            "expert": str(self.expert.pk) if self.expert else "",
            "late": "1" if self.only_late else "",
        }
        return {name: value for name, value in found.items() if value}

    @property
    def query(self) -> str:
        """The same as an address, from the question mark on."""
        return f"?{urlencode(self.fields)}" if self.fields else ""

    @property
    def checks(self) -> QuerySet[Assignment]:
        """The checks it lists, the most urgent first."""
        return open_checks(self.essay_set, expert=self.expert, only_late=self.only_late)


def filter_of(given: Mapping[str, str]) -> DueFilter:
    """What the fields of an address or a form ask for."""
    name = asked_words(given, "set", MOST_NAME)
    number = asked_words(given, "expert", MOST_NAME)
    essay_set = EssaySet.objects.filter(CHECKED_SETS, name=name).first() if name else None
    expert = None
    if is_number_of_row(number):
        expert = User.objects.filter(pk=int(number), role=User.Role.EXPERT).first()
    return DueFilter(
        essay_set,
        expert,
        given.get("late") == "1",
        tuple(word for word, found in ((name, essay_set), (number, expert)) if word and not found),
    )


@dataclass(frozen=True, slots=True)
class Question:
    """Which checks would get another deadline, of whom, those with the most first, and which.

    ``deadlines``: the new ones, in the order of the checks.
    """

    checks: Sequence[Assignment]
    deadlines: Sequence[datetime]

    @property
    def experts(self) -> list[tuple[str, int]]:
        return shares_of(self.checks)

    @property
    def dates(self) -> list[tuple[datetime, str, int]]:
        """The new deadlines, the next first: in the zone of their set, and of how many checks."""
        zones = (check.zone or DEFAULT_ZONE for check in self.checks)  # type: ignore[attr-defined]
        counted = Counter(zip(self.deadlines, zones, strict=True))
        return [
            (at.astimezone(ZoneInfo(zone)), zone, n) for (at, zone), n in sorted(counted.items())
        ]

    @property
    def named(self) -> list[tuple[datetime, str, int]]:
        """Those of ``dates`` that are named one by one."""
        return self.dates[:MOST_DATES]

    @property
    def last(self) -> tuple[datetime, str, int] | None:
        """The last of ``dates``, where not all of them are named."""
        return self.dates[-1] if len(self.dates) > MOST_DATES else None

    @property
    def sooner(self) -> int:
        """How many of the checks would be due earlier than they are."""
        pairs = zip(self.checks, self.deadlines, strict=True)
        return sum(bool(check.deadline_at and at < check.deadline_at) for check, at in pairs)

    @property
    def foretold(self) -> dict[int, datetime]:
        """The new deadlines by the numbers of the checks."""
        return {each.pk: at for each, at in zip(self.checks, self.deadlines, strict=True)}

    @property
    def digest(self) -> str:
        """Tells these checks with their deadlines from any others."""
        return _digest(sorted((check.pk, str(check.deadline_at)) for check in self.checks))

    @property
    def promised(self) -> str:
        """Tells what they would become from anything else."""
        pairs = zip(self.checks, self.deadlines, strict=True)
        return _digest(sorted((check.pk, str(at)) for check, at in pairs))


def question_of(asked: DueFilter, given: Mapping[str, Any], extension: Extension) -> Question:
    """About all checks of a list, or about the ticked ones. Raises ``Refused``."""
    if given["all"] and asked.unknown:
        raise Refused(_("Nothing here is called %s.") % ", ".join(asked.unknown))
    ticked = open_checks(None).filter(pk__in=given["checks"])
    checks = list(asked.checks[: AT_ONCE + 1] if given["all"] else ticked)
    return Question(checks, new_deadlines(checks, extension))


def is_otherwise(question: Question, given: Mapping[str, Any]) -> bool:
    """True where the checks are those that were looked at, and would be due at another moment."""
    same = given["seen"] == question.digest
    return same and bool(given["promised"]) and given["promised"] != question.promised


def has_changed(question: Question, given: Mapping[str, Any]) -> bool:
    """True where the checks or their deadlines are others than were looked at."""
    return _was_asked(given) and given["seen"] != question.digest


def answered(
    question: Question, given: Mapping[str, Any]
) -> tuple[Sequence[int], Mapping[int, datetime] | None]:
    """The numbers of the checks that are moved: those of the question, where one was asked; and
    what it foretold of them.
    """
    if not _was_asked(given):
        return list(given["checks"]), None
    return [check.pk for check in question.checks], question.foretold


def _was_asked(given: Mapping[str, Any]) -> bool:
    return bool(given["all"] or given["seen"])


def _digest(told: object) -> str:
    return hashlib.sha256(repr(told).encode()).hexdigest()[:32]
