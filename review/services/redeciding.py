"""Decisions on third checks taken anew after a rule has changed: first shown, then written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.services.audit import audit
from annotator.models import Essay
from review.models import ThirdCheck
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade
from scoring.core.criteria import grade
from scoring.core.third_expert import third_check
from scoring.services.regrading import CHUNK


@dataclass(frozen=True, slots=True)
class OtherDecision:
    """An essay whose third check would be decided otherwise, or for other reasons."""

    essay: Essay
    before: bool
    after: bool


def other_decisions(standing: QuerySet[ThirdCheck]) -> Iterator[OtherDecision]:
    """Of ``standing_decisions`` those the rules would not take."""
    for check in standing.iterator(chunk_size=CHUNK):
        subject = check.essay.core_subject
        decision = third_check(
            subject,
            grade(subject, check.first.to_core()),
            grade(subject, check.second.to_core()),
            third_total=check.essay.essay_set.rules.third_total,
        )
        reasons = _as_kept([asdict(reason) for reason in decision.reasons])
        if (check.needed, check.reasons) != (decision.needed, reasons):
            yield OtherDecision(check.essay, check.needed, decision.needed)


def decide_anew(*, essay_ids: Iterable[int]) -> int:
    """Take the decisions on these essays' third checks again; returns how many changed.

    A third check that was given stays, also where none is needed any more.
    """
    return sum(_decide_anew(essay_id) for essay_id in essay_ids)


@transaction.atomic
def _decide_anew(essay_id: int) -> bool:
    essay = Essay.objects.select_for_update(of=("self",)).get(pk=essay_id)
    before = _decision_on(essay)
    arbitrate(essay_id=essay_id)
    settle_grade(essay_id=essay_id)
    after = _decision_on(essay)
    if before == after:
        return False
    audit(actor=None, action="third.decided_anew", target=essay, before=before, after=after)
    return True


def _decision_on(essay: Essay) -> dict[str, Any] | None:
    found = ThirdCheck.objects.filter(essay=essay, round=essay.round)
    return found.values("needed", "reasons").first()


def _as_kept(value: object) -> Any:
    """A value as a JSON column gives it back."""
    return json.loads(json.dumps(value))
