"""Experts get their numbers in an essay set, in the transaction of their first submission."""

from __future__ import annotations

import random
from collections.abc import Iterable

from annotator.core.aliases import draw
from annotator.models.aliases import ExpertAlias


def allot_aliases(*, essay_set_id: int, experts: Iterable[int]) -> None:
    """Give those of these experts a number in the set who have none, in the caller's transaction.

    Of two submissions at once that draw the same number the later draws again.
    """
    present = ExpertAlias.objects.filter(essay_set=essay_set_id)
    wanted = set(experts)
    while True:
        numbers = dict(present.values_list("expert_id", "number"))
        missing = sorted(wanted - numbers.keys())
        if not missing:
            return
        drawn = draw(numbers.values(), len(missing), random.SystemRandom().sample)
        ExpertAlias.objects.bulk_create(
            [
                ExpertAlias(essay_set_id=essay_set_id, expert_id=expert, number=number)
                for expert, number in zip(missing, drawn, strict=True)
            ],
            ignore_conflicts=True,
        )
