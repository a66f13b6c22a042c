"""What was computed from a markup that counts no more is void: points, scores, promised work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Final

from django.db import transaction
from django.db.models import Q

from jobs.models import Job
from jobs.services.work import take_back
from scoring.models import CriteriaRecord, PairScore

BATCH: Final = 100
"""So many conditions a statement takes well."""


@transaction.atomic
def void_figures_of(*, markup_id: int) -> None:
    """Delete the points and the scores of a reopened markup; the next submission orders them anew.

    The jobs go first, in the order in which a worker locks them: one that is at work either has
    written its result before, or writes none.
    """
    take_back(key=f"grade:{markup_id}")
    take_back(key=f"score:{markup_id}")
    CriteriaRecord.objects.filter(markup_id=markup_id).delete()
    PairScore.objects.filter(Q(assessed_id=markup_id) | Q(reference_id=markup_id)).delete()


@transaction.atomic
def withdraw_figures_of(*, essay_ids: Sequence[int], markup_ids: Sequence[int]) -> None:
    """Delete the jobs of essays, and whatever was computed from markups that are taken out.

    The jobs go first: see above.
    """
    for essays in in_batches(essay_ids):
        of_essays = (Q(key__startswith=f"essay:{essay_id}:") for essay_id in essays)
        Job.objects.filter(reduce(or_, of_essays)).delete()
    for markups in in_batches(markup_ids):
        keys = [f"{work}:{markup_id}" for markup_id in markups for work in ("grade", "score")]
        Job.objects.filter(key__in=keys).delete()
    for markups in in_batches(markup_ids):
        CriteriaRecord.objects.filter(markup__in=markups).delete()
        PairScore.objects.filter(Q(assessed__in=markups) | Q(reference__in=markups)).delete()


def in_batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Numbers of rows, as many at once as a statement takes well."""
    return (numbers[start : start + BATCH] for start in range(0, len(numbers), BATCH))
