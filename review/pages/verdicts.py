"""How far sets are with their verdicts, and who is to say the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from annotator.models import Essay, EssaySet
from review.access import verdicts_of_role, verdicts_said_by
from review.core.desk import Number
from review.core.readiness import Readiness
from review.models import FinalGrade, SetProtocol, Verdict
from review.pages.agreement import people_named
from review.pages.desk import DeskLine, lines_of
from review.queries.distribution import ExpertChecks
from review.queries.grades import grades_of
from review.queries.verdicts import latest_verdicts, readiness_of
from web.asking import Question, of_verdict

Kind = Verdict.Kind


class Waits(StrEnum):
    """What a set waits for."""

    CHECKS = "checks"
    COORDINATORS = "coordinators"
    JUDGES = "judges"
    COMMISSION = "commission"
    NOTHING = "nothing"


WORDS: Final = {
    Waits.CHECKS: _("being checked"),
    Waits.COORDINATORS: _("returned, waits for the coordinators"),
    Waits.JUDGES: _("waits for the judges"),
    Waits.COMMISSION: _("verified, waits for the commission"),
    Waits.NOTHING: _("approved"),
}
QUESTIONS: Final = {
    Kind.VERIFIED: _("Verify the results of “%(name)s”?"),
    Kind.APPROVED: _("Approve the results of “%(name)s”?"),
    Kind.RETURNED: _("Return the set “%(name)s”?"),
    Kind.SENT: _("Send the set “%(name)s” to the judges again?"),
}
"""What is asked before a verdict."""
ANSWERS: Final = {
    Kind.VERIFIED: _("Verify the results"),
    Kind.APPROVED: _("Approve the results"),
    Kind.RETURNED: _("Return the set"),
    Kind.SENT: _("Send it to the judges"),
}
WHAT_HAPPENS: Final = {
    Kind.VERIFIED: _(
        "The checks and final grades are frozen as a protocol. Whatever changes in them later "
        "voids it."
    ),
    Kind.APPROVED: _("The protocol that judges verified bears your approval too."),
    Kind.RETURNED: _(
        "Its coordinators get a letter with your reason, and the protocol is void with it."
    ),
    Kind.SENT: _("It waits for the judges then, and they read what you write here."),
}


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
        last = self.said[-1] if self.said else None
        return last if last and last.kind == Kind.RETURNED else None

    @property
    def waits(self) -> Waits:
        """What comes next."""
        if self.stands:
            is_approved = any(each.kind == Kind.APPROVED for each in self.said)
            return Waits.NOTHING if is_approved else Waits.COMMISSION
        if not self.readiness.is_ready:
            return Waits.CHECKS
        return Waits.COORDINATORS if self.returned else Waits.JUDGES

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
        """What somebody may say of it now; nobody twice of one protocol.

        Judges need not wait until a set they returned is sent again.
        """
        if self.waits in (Waits.CHECKS, Waits.NOTHING):
            return []
        if self.waits is Waits.COORDINATORS and Kind.SENT in verdicts_of_role(user):
            return [Kind.SENT]
        if self.stands and any(each.who_id == user.pk for each in self.said):
            return []
        return verdicts_said_by(user, is_verified=self.waits is Waits.COMMISSION)

    def waits_for(self, user: User) -> bool:
        """Is it this person's turn?"""
        kinds = self.kinds_for(user)
        return kinds == [Kind.SENT] if self.waits is Waits.COORDINATORS else bool(kinds)

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
    """The same of several sets, in three queries."""
    if not sets:
        return []
    ready, latest = readiness_of(sets), latest_verdicts(sets)
    return [SetVerdicts(each, ready[each.pk], latest.get(each.pk)) for each in sets]


def waiting_first(found: Iterable[SetVerdicts], user: User) -> list[tuple[SetVerdicts, bool]]:
    """Sets, those first that wait for somebody; true beside these."""
    lines = [(each, each.waits_for(user)) for each in found]
    return sorted(lines, key=lambda line: not line[1])


@dataclass(frozen=True, slots=True)
class GradedLine:
    """An essay of a set: its checks, and the final grade where one counts.

    ``in_conflict``: experts met who should not have.
    """

    line: DeskLine
    grade: FinalGrade | None
    in_conflict: bool


def graded_lines(essays: Iterable[Essay]) -> list[GradedLine]:
    """Essays of ``essays_distributed`` with their checks and final grades, in five queries."""
    met = {each.pk: each.in_conflict for each in essays}  # type: ignore[attr-defined] - of the query
    lines = lines_of(met)
    grades = grades_of(line.essay for line in lines)
    return [GradedLine(line, grades.get(line.essay.pk), met[line.essay.pk]) for line in lines]


def names_in(lines: Iterable[GradedLine], experts: Iterable[ExpertChecks]) -> dict[int, str]:
    """What to call the experts of these essays and those of a distribution, no two alike."""
    checks = (check.assignment for each in lines for check in each.line.checks)
    holding = {check.expert_id for check in checks if check}
    return people_named({*holding, *(each.expert.pk for each in experts)})


def asked_of_set(shown: SetVerdicts, user: User, kind: str, seen: str) -> Question | None:
    """Before a verdict of a set; ``seen``: what its page showed. ``None`` where it is not for
    this person to say.
    """
    if kind not in shown.kinds_for(user):
        return None
    said, essays = Kind(kind), shown.readiness.essays
    counted = ngettext("%d essay.", "%d essays.", essays) % essays
    asked = Question(
        title=str(QUESTIONS[said] % {"name": shown.essay_set.name}),
        words=[f"{counted} {WHAT_HAPPENS[said]}"],
        button=str(ANSWERS[said]),
        back=reverse("review:verdicts", args=[shown.essay_set.pk]),
        address=reverse("review:say_verdict", args=[shown.essay_set.pk]),
        fields={"kind": kind, "seen": seen},
    )
    return of_verdict(
        asked,
        why_returned=_("Why the set is returned") if said == Kind.RETURNED else "",
        must_say=_("What was done about it") if said == Kind.SENT else "",
    )
