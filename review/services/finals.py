"""The final grade: settled once the checks of an essay are, void once one of them is not.

The last row to be locked is the decision on the third check, by whoever settles (with the essay)
and by whoever voids (with a markup): so of a settling and a reopening at one moment the later one
sees what the earlier one did, and neither waits for the other twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django.db.models import Q
from django.db.models.functions import Now

from accounts.services.audit import audit
from annotator.models import Assignment, Essay, MarkupRecord
from annotator.services.assignment import hold
from jobs.models import Job
from jobs.services.work import fenced, order
from review.core.final_grade import FinalPoints, final_grade
from review.models import FinalGrade, SetProtocol, ThirdCheck
from review.queries.grades import unvoided_grades
from review.services.set_protocols import order_to_void, void_protocol_of_essay
from scoring.models import CriteriaRecord
from scoring.queries.tables import points_of_checks

CHECKS: Final = (Assignment.Role.FIRST, Assignment.Role.SECOND, Assignment.Role.THIRD)
Sheets = Mapping[str, CriteriaRecord]


def settle_grade(*, essay_id: int) -> FinalGrade | None:
    """Write the final grade of an essay whose checks are settled; ``None`` where they are not.

    Safe to repeat and to run from two workers at once: the essay's row is locked, a grade that
    says the same stays, and one that counts per essay and round is a constraint of the database.
    """
    with fenced():
        essay = hold(essay_id)
        decision = _held_decision(essay)
        sheets = points_of_checks(essay) if decision else {}
        found = _computed(essay, sheets, needs_third=bool(decision and decision.needed))
        present = unvoided_grades().filter(essay=essay, round=essay.round).first()
        made = _grade(essay, sheets, found) if found else None
        if present and made and _says(present) == _says(made):
            return present
        if present:
            void(grade=present, because=FinalGrade.Void.CHANGED)
            changed = SetProtocol.Void.CHANGED
            void_protocol_of_essay(essay_id=essay.pk, because=changed)
        return _kept(made) if made else None


def void_grades_of(
    *, markup_id: int, because: FinalGrade.Void, reason: str = ""
) -> list[FinalGrade]:
    """Void the grade that was made from a markup; it stays in the history with the reason."""
    _hold_decisions_of(markup_id)
    is_of_markup = Q(first=markup_id) | Q(second=markup_id) | Q(third=markup_id)
    grades = list(unvoided_grades().filter(is_of_markup))
    for grade in grades:
        void(grade=grade, because=because, reason=reason)
    return grades


def void_reopened(*, markup_id: int) -> None:
    """A check is open again: the grade made from it is void, for the reason its expert reads."""
    record = MarkupRecord.objects.get(pk=markup_id)
    reason = record.reopened_because
    void_grades_of(markup_id=markup_id, because=FinalGrade.Void.REOPENED, reason=reason)


def void_regraded(*, markup_id: int) -> None:
    """Points are other ones: the grade made from them is void, and another is promised.

    Whoever grades anew holds markups, and may not wait for essays: a job settles it.
    """
    grades = void_grades_of(markup_id=markup_id, because=FinalGrade.Void.REGRADED)
    record = MarkupRecord.objects.only("essay").get(pk=markup_id)
    order_to_void(essay_ids=[record.essay_id], because=SetProtocol.Void.REGRADED)
    for grade in grades:
        order(
            kind="review.settle_final_grade",
            key=f"settle:{grade.pk}",
            args={"essay_id": grade.essay_id},
            priority=Job.Priority.BULK,
        )


def void(*, grade: FinalGrade, because: FinalGrade.Void, reason: str = "") -> None:
    """Void a grade, in the caller's transaction; one that is void already stays as it is."""
    still = FinalGrade.objects.filter(pk=grade.pk, voided_at=None)
    if still.update(voided_at=Now(), voided_because=because, reason=reason):
        about = {"essay": grade.essay_id, "total": grade.total, "because": because.value}
        audit(actor=None, action="grade.voided", target=grade, reason=reason, **about)


def _held_decision(essay: Essay) -> ThirdCheck | None:
    """The decision on the third check, held to the end of the transaction."""
    held = ThirdCheck.objects.select_for_update(of=("self",))
    return held.filter(essay=essay, round=essay.round).first()


def _hold_decisions_of(markup_id: int) -> None:
    """Hold the decisions on the essay of a markup to the end of the transaction."""
    about = MarkupRecord.objects.filter(pk=markup_id)
    held = ThirdCheck.objects.select_for_update(of=("self",)).order_by("pk")
    list(held.filter(essay__in=about.values("essay")))


def _computed(essay: Essay, sheets: Sheets, *, needs_third: bool) -> FinalPoints | None:
    rule = essay.essay_set.rules.final_rule(essay.core_subject)
    given = [sheets[role].to_core() if role in sheets else None for role in CHECKS]
    return final_grade(rule, *given, needs_third=needs_third)


def _grade(essay: Essay, sheets: Sheets, found: FinalPoints) -> FinalGrade:
    rule = essay.essay_set.rules.final_rule(essay.core_subject)
    third = sheets.get(Assignment.Role.THIRD)
    return FinalGrade(
        essay=essay,
        round=essay.round,
        first_id=sheets[Assignment.Role.FIRST].markup_id,
        second_id=sheets[Assignment.Role.SECOND].markup_id,
        third_id=third.markup_id if third else None,
        rule=rule.code if rule else "",
        total=found.total,
        points=dict(found.points) if found.points is not None else None,
        sheets={role.value: sheets[role].points for role in CHECKS if role in sheets},
        counted=[CHECKS[place].value for place in found.counted],
    )


def _kept(made: FinalGrade) -> FinalGrade:
    made.save(force_insert=True)
    about = {"essay": made.essay_id, "total": made.total, "rule": made.rule}
    audit(actor=None, action="grade.settled", target=made, **about)
    return made


def _says(grade: FinalGrade) -> Sequence[object]:
    """All that two grades have to share to be the same one."""
    checks = grade.first_id, grade.second_id, grade.third_id
    return *checks, grade.rule, grade.total, grade.points, grade.sheets, grade.counted
