"""What was computed from a markup that is a draft again is void: points, scores, promised work."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from jobs.services.work import take_back
from scoring.models import CriteriaRecord, PairScore


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
