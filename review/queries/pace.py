"""How fast the checks of a set are done: what its forecast is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db.models import Count, Exists, Min, OuterRef, Q
from django.db.models.functions import Now

from annotator.models import Assignment, MarkupRecord
from annotator.models.imports import ImportedFile
from review.core.forecast import DAYS, Pace
from review.queries.desk import Tally
from web.core.batches import batched
from web.paging import PER_PAGE
from web.prepared import GivenAny, Prepared


def _came_by_import() -> Exists:
    """What a check holds was brought by an import: nobody has worked on it here."""
    submitted = Q(markup__state=MarkupRecord.State.SUBMITTED)
    return Exists(ImportedFile.objects.filter(submitted, markup__assignment=OuterRef("pk")))


def paces(tallies: Sequence[Tally]) -> dict[int, Pace]:
    """What is done and to do in each set whose essays are all counted; one query for fifty sets.

    The pace is that of experts at work: what an import brought is done, but foretells nothing.
    Of idle essays nothing is to do but what was given.
    """
    left: Counter[int] = Counter()
    for each in tallies:
        progress = each.progress
        to_do = min(progress.left, progress.open_checks) if each.is_idle else progress.left
        left[each.set_id] += each.n * to_do
    recent = {
        set_id: (count, since)
        for sets in batched(left, PER_PAGE)
        for set_id, count, since in _DONE_LATELY(sets=sets)
    }
    now = {each.set_id: each.now for each in tallies}
    return {
        set_id: Pace(*recent.get(set_id, (0, None)), left=count, now=now[set_id])
        for set_id, count in left.items()
    }


_DONE_LATELY: Final = Prepared(
    lambda: (
        Assignment.objects.filter(
            ~_came_by_import(),
            essay__essay_set__in=GivenAny("sets", PER_PAGE),
            state=Assignment.State.SUBMITTED,
            submitted_at__gte=Now() - timedelta(days=DAYS),
        )
        .order_by()
        .values_list("essay__essay_set")
        .annotate(recent=Count("pk"), since=Min("submitted_at"))
    )
)
