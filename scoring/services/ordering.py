"""Who submits a markup is promised its figures: points, and the scores of its pairs."""

from __future__ import annotations

from typing import Final

from annotator.models import MarkupRecord
from jobs.models import Job
from jobs.services.work import order, take_back_waiting

KINDS: Final = {"grade": "scoring.grade_markup", "score": "scoring.score_pairs"}


def order_figures(*, markup_id: int) -> None:
    """Promise points and scores. Experts come first; an algorithm's next markup waits behind.

    What was promised to the author's former markup of that origin and is not begun yet is void:
    nobody counts it any more.
    """
    record = MarkupRecord.objects.get(pk=markup_id)
    former = record.essay.markups.filter(
        author=record.author_id, origin=record.origin, state=MarkupRecord.State.SUPERSEDED
    ).last()
    is_expert = record.source == MarkupRecord.Source.EXPERT
    for word, kind in KINDS.items():
        if former:
            take_back_waiting(key=f"{word}:{former.pk}")
        order(
            kind=kind,
            key=f"{word}:{markup_id}",
            args={"markup_id": markup_id},
            priority=Job.Priority.PEOPLE if is_expert else Job.Priority.RUNS,
        )
