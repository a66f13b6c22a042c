"""The page of an expert's own figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.conf import settings

from accounts.models import User
from annotator.models import EssaySet
from review.core.own_figures import Figures, Work, compared
from review.queries.own import own_m1, places_of, work_in


@dataclass(frozen=True, slots=True)
class Place:
    """A set and subject with an expert's figures; ``others``: how many more experts work there."""

    essay_set: EssaySet
    subject: str
    figures: Figures
    others: int


def own_figures(expert: User) -> list[Place]:
    """An expert's figures by set and subject; a constant number of queries."""
    places = places_of(expert)
    work = work_in({essay_set.pk for essay_set, _subject in places})
    seen, names = own_m1(expert), dict(settings.SUBJECTS)
    return [
        _place(essay_set, names[subject], work[key], expert.pk, seen.get(key))
        for essay_set, subject in places
        for key in [(essay_set.pk, subject)]
    ]


def _place(
    essay_set: EssaySet, subject: str, work: Mapping[int, Work], own: int, m1: float | None
) -> Place:
    others = [each for expert, each in work.items() if expert != own]
    figures = compared(replace(work[own], m1=m1), others)
    return Place(essay_set, subject, figures, len(others))
