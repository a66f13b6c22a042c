"""The third check: decided once both experts are graded, assigned exactly once (Appendix 3, 3)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from django.db.models.functions import Now

from annotator.models import Assignment, Essay
from annotator.services.assignment import hold_in_state
from jobs.services.work import fenced
from review.models import ThirdCheck
from review.queries.experts import experts_at_hand
from review.queries.schools import school_at
from review.queries.settling import sheets_of_first_two, thirds_nobody_has
from review.services.assigning import assign_third_expert, give_third
from scoring.core.third_expert import third_check
from scoring.models import CriteriaRecord

AT_ONCE: Final = 20
"""So many third checks that found nobody free are tried again in one round of tick."""


def arbitrate(*, essay_id: int) -> Assignment | None:
    """Decide about a third expert and assign one if the rule says so.

    Decided again after a reopened check is submitted; a third check that was given stays.
    Safe to run twice and from two workers at once: the essay's row is locked, so of two
    submissions at the same moment the later sees both sheets, and one active third expert per
    essay and round is a constraint of the database.
    """
    with fenced():
        held = hold_in_state(essay_id)
        sheets = sheets_of_first_two(held)
        if sheets is None or held.closed_at is not None:
            return None
        return give_third(held) if decide(held, *sheets).needed else None


def decide(essay: Essay, first: CriteriaRecord, second: CriteriaRecord) -> ThirdCheck:
    """Apply the subject's rule to two graded markups and keep the decision with its reasons."""
    rules = essay.essay_set.rules
    decision = third_check(
        essay.core_subject, first.to_core(), second.to_core(), third_total=rules.third_total
    )
    check = ThirdCheck(
        essay=essay,
        round=essay.round,
        first=first.markup,
        second=second.markup,
        needed=decision.needed,
        reasons=[asdict(reason) for reason in decision.reasons],
        decided_at=Now(),
    )
    ThirdCheck.objects.bulk_create(
        [check],
        update_conflicts=True,
        unique_fields=["essay", "round"],
        update_fields=["first", "second", "needed", "reasons", "decided_at"],
    )
    return check


def assign_waiting_thirds() -> int:
    """Try again for third checks that found nobody free; returns how many were given.

    However many wait, only ``AT_ONCE`` of them are tried in a round, in turn.
    """
    waiting = list(thirds_nobody_has().select_related("essay")[:AT_ONCE])
    if waiting:
        ThirdCheck.objects.filter(pk__in=[check.pk for check in waiting]).update(tried_at=Now())
    given, school = 0, school_at("school")
    for essay in (check.essay for check in waiting):
        if experts_at_hand(essay, school=school).exists():
            given += assign_third_expert(essay=essay) is not None
    return given
