"""Of which solutions of test sets figures are told essay by essay (R 2.7)."""

from __future__ import annotations

from collections import defaultdict

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotator.core.visibility import FEWEST_TOLD
from annotator.models import EssaySet, MarkupRecord

SUBMITTED = MarkupRecord.State.SUBMITTED
CLOSED = EssaySet.Access.CLOSED


def is_told_by_essays(record: MarkupRecord) -> bool:
    """Whether an author reads figures of this very markup: of test sets where the solution it is
    of has enough essays that experts have marked.
    """
    essay_set = record.essay.essay_set
    if record.source != MarkupRecord.Source.ALGORITHM or essay_set.access != CLOSED:
        return True
    found = _measured(record.author_id).filter(essay__essay_set=essay_set, origin=record.origin)
    return found.count() >= FEWEST_TOLD


def solutions_untold(author_id: int) -> dict[int, list[str]]:
    """An author's solutions of which no essay is told apart: the origins by the test sets."""
    counted = _measured(author_id).filter(essay__essay_set__access=CLOSED).order_by()
    few = counted.values_list("essay__essay_set", "origin").annotate(n=Count("pk"))
    found: dict[int, list[str]] = defaultdict(list)
    for set_id, origin, _count in few.filter(n__lt=FEWEST_TOLD):
        found[set_id].append(origin)
    return found


def _measured(author_id: int) -> QuerySet[MarkupRecord]:
    """The markups of an author's algorithm that count and that experts' ones stand beside."""
    checks = MarkupRecord.objects.filter(
        essay=OuterRef("essay"), source=MarkupRecord.Source.EXPERT, state=SUBMITTED
    )
    sent = MarkupRecord.objects.filter(
        author=author_id,
        source=MarkupRecord.Source.ALGORITHM,
        state=SUBMITTED,
        essay__closed_at=None,
    )
    return sent.filter(Exists(checks))
