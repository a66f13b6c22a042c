"""What was decided about markups that are taken out goes with them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q

from review.models import FinalGrade, Ruling, ThirdCheck
from scoring.services.voiding import in_batches


@transaction.atomic(savepoint=False)
def withdraw_decisions(*, markup_ids: Sequence[int]) -> None:
    """Delete final grades and decisions on third checks with any of their markups, rulings too."""
    for markups in in_batches(markup_ids):
        FinalGrade.objects.filter(
            Q(first__in=markups) | Q(second__in=markups) | Q(third__in=markups)
        ).delete()
        ThirdCheck.objects.filter(Q(first__in=markups) | Q(second__in=markups)).delete()
        Ruling.objects.filter(Q(markup__in=markups) | Q(fragment__markup__in=markups)).delete()


@transaction.atomic(savepoint=False)
def drop_rulings_of(*, markup_ids: Sequence[int]) -> None:
    """Delete what these drafts say of checks that stand over another text now."""
    for markups in in_batches(markup_ids):
        Ruling.objects.filter(markup__in=markups).delete()
