"""The third check: decided once both experts are graded, assigned exactly once (Appendix 3, 3)."""

from __future__ import annotations

from dataclasses import asdict

from django.db.models.functions import Now

from annotator.models import Assignment, Essay
from annotator.services.assignment import assign_third_expert
from jobs.services.work import fenced
from scoring.core.third_expert import third_check
from scoring.models import CriteriaRecord, ThirdCheck
from scoring.queries import essays_waiting_for_third_expert, sheets_of_first_two


def arbitrate(*, essay_id: int) -> Assignment | None:
    """Decide about a third expert and assign one if the rule says so.

    Decided again after a reopened check is submitted; a third check that was given stays.
    Safe to run twice and from two workers at once: the essay's row is locked, so of two
    submissions at the same moment the later sees both sheets, and one active third expert per
    essay and round is a constraint of the database.
    """
    with fenced():
        essay = (
            Essay.objects.select_for_update(of=("self",))
            .select_related("essay_set__rules")
            .get(pk=essay_id)
        )
        sheets = sheets_of_first_two(essay)
        if sheets is None:
            return None
        decision = decide(essay, *sheets)
        return assign_third_expert(essay=essay) if decision.needed else None


def decide(essay: Essay, first: CriteriaRecord, second: CriteriaRecord) -> ThirdCheck:
    """Apply the subject's rule to two graded markups and keep the decision with its reasons."""
    rules = essay.essay_set.rules
    decision = third_check(
        essay.core_subject, first.to_core(), second.to_core(), third_total=rules.third_total
    )
    check, _made = ThirdCheck.objects.update_or_create(
        essay=essay,
        round=essay.round,
        defaults={
            "first": first.markup,
            "second": second.markup,
            "needed": decision.needed,
            "reasons": [asdict(reason) for reason in decision.reasons],
            "decided_at": Now(),
        },
    )
    return check


def assign_waiting_thirds() -> int:
    """Try again for essays whose third check found nobody free; returns how many were given."""
    given = 0
    for essay in essays_waiting_for_third_expert():
        given += assign_third_expert(essay=essay) is not None
    return given
