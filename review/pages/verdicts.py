"""How far sets are with their verdicts, and who is to say the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.models import Essay, EssaySet
from review.access import verdicts_said_by
from review.core.desk import Number
from review.core.readiness import Readiness
from review.models import FinalGrade, SetProtocol, Verdict
from review.pages.desk import DeskLine, desk_lines
from review.queries.grades import grades_of
from review.queries.verdicts import latest_verdicts, readiness_of

Kind = Verdict.Kind


class Waits(StrEnum):
    """What a set waits for."""

    CHECKS = "checks"
    JUDGES = "judges"
    COMMISSION = "commission"
    NOTHING = "nothing"


WORDS: Final = {
    Waits.CHECKS: _("being checked"),
    Waits.JUDGES: _("waits for the judges"),
    Waits.COMMISSION: _("verified, waits for the commission"),
    Waits.NOTHING: _("approved"),
}
QUESTIONS: Final = {
    Kind.VERIFIED: _("Verify the results of “%(name)s”?"),
    Kind.APPROVED: _("Approve the results of “%(name)s”?"),
    Kind.RETURNED: _("Return the set “%(name)s”?"),
}
"""What is asked before a verdict."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A reason why no verdict can be given: a word, how many, where on the desk they stand."""

    label: Any
    count: int
    query: str


@dataclass(frozen=True, slots=True)
class SetVerdicts:
    """A set, what it lacks, and its latest protocol with what was said of it."""

    essay_set: EssaySet
    readiness: Readiness
    protocol: SetProtocol | None

    @property
    def said(self) -> list[Verdict]:
        """What was said of the latest protocol, in order."""
        return list(self.protocol.verdicts.all()) if self.protocol else []

    @property
    def stands(self) -> bool:
        """True while nothing has voided what was said."""
        return self.protocol is not None and self.protocol.voided_at is None

    @property
    def returned(self) -> Verdict | None:
        """The verdict by which the set was given back, if that was the last one."""
        return next((each for each in self.said if each.kind == Kind.RETURNED), None)

    @property
    def waits(self) -> Waits:
        """What comes next."""
        if self.stands:
            is_approved = any(each.kind == Kind.APPROVED for each in self.said)
            return Waits.NOTHING if is_approved else Waits.COMMISSION
        return Waits.JUDGES if self.readiness.is_ready else Waits.CHECKS

    @property
    def words(self) -> Any:
        """The same in words."""
        return WORDS[self.waits]

    @property
    def look(self) -> str:
        """The colour of its badge."""
        if self.waits is Waits.NOTHING:
            return "ok"
        return "warn" if self.returned else "accent" if self.waits is not Waits.CHECKS else ""

    def kinds_for(self, user: User) -> list[Verdict.Kind]:
        """What somebody may say of it now; nobody twice of one protocol."""
        if self.waits in (Waits.CHECKS, Waits.NOTHING):
            return []
        if self.stands and any(each.who_id == user.pk for each in self.said):
            return []
        return verdicts_said_by(user, is_verified=self.waits is Waits.COMMISSION)

    @property
    def missing(self) -> list[Missing]:
        """What is missing for a verdict, each with the desk's list of it."""
        found = self.readiness
        in_state = {
            Number.UNASSIGNED: (_("Not assigned"), found.unassigned),
            Number.WORKING: (_("In work"), found.working),
            Number.THIRD: (_("Wait for the third"), found.third),
            Number.SETTLED: (_("Settled, without a final grade yet"), found.ungraded),
        }
        lines = [Missing(label, n, f"&state={number}") for number, (label, n) in in_state.items()]
        lines.append(Missing(_("Open checks"), found.open_checks, ""))
        return [each for each in lines if each.count]


def set_verdicts(sets: Sequence[EssaySet]) -> list[SetVerdicts]:
    """The same of several sets, in four queries."""
    if not sets:
        return []
    ready, latest = readiness_of(sets), latest_verdicts(sets)
    return [SetVerdicts(each, ready[each.pk], latest.get(each.pk)) for each in sets]


def waiting_first(found: Iterable[SetVerdicts], user: User) -> list[tuple[SetVerdicts, bool]]:
    """Sets, those first that wait for somebody; true beside these."""
    lines = [(each, bool(each.kinds_for(user))) for each in found]
    return sorted(lines, key=lambda line: not line[1])


@dataclass(frozen=True, slots=True)
class GradedLine:
    """An essay of a set: its checks, and the final grade where one counts."""

    line: DeskLine
    grade: FinalGrade | None


def graded_lines(essays: Iterable[Essay]) -> list[GradedLine]:
    """Essays of ``essays_with_checks`` with their final grades, in one query more."""
    lines = desk_lines(essays)
    grades = grades_of(line.essay for line in lines)
    return [GradedLine(line, grades.get(line.essay.pk)) for line in lines]
