"""Sets of essays: what they hold, what of them is under way."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.queries.work import UNFINISHED
from annotator.signals import sealed_asked

CHECKED_SETS = ~Q(access=EssaySet.Access.PRACTICE)
"""The sets whose essays are checked: all but those for practice, of which nothing is counted."""


def sealed_sets() -> set[int]:
    """Sets that an app above keeps sealed: nothing of them is given to experts yet (R 2.8)."""
    return {pk for _who, sets in sealed_asked.send(sender=EssaySet) for pk in sets}


def sets_with_counts(*, archived: bool) -> QuerySet[EssaySet]:
    """Essay sets with the number of their essays and the subjects these have, newest first."""
    counted = Count("essays", filter=Q(essays__closed_at=None))
    in_archive = Q(state=EssaySet.State.ARCHIVED)
    found = EssaySet.objects.filter(in_archive if archived else ~in_archive)
    return found.select_related("rules").annotate(count=counted, now=Now()).order_by("-pk")


def subjects_of(sets: Sequence[EssaySet]) -> dict[int, list[tuple[str, int]]]:
    """How many essays of which subject each set has, in one query."""
    essays = Essay.objects.filter(LATEST, essay_set__in=[each.pk for each in sets])
    counted = essays.values_list("essay_set", "subject").annotate(Count("pk"))
    found: dict[int, list[tuple[str, int]]] = {each.pk: [] for each in sets}
    for set_id, subject, count in counted.order_by("subject"):
        found[set_id].append((subject, count))
    return found


def scored_by_rules(essay_set: EssaySet) -> bool:
    """Was anything handed in under the rules of a set? Scores and decisions name them then, also
    those of a check that can be recalled yet: it was held to these rules and waits for no others.

    Nothing is stored of practice: its figures follow the rules the set has.
    """
    uncounted = [MarkupRecord.Source.PRACTICE, MarkupRecord.Source.KEY]
    handed_in = MarkupRecord.objects.exclude(state=MarkupRecord.State.DRAFT, final_at=None).exclude(
        source__in=uncounted
    )
    return handed_in.filter(essay__essay_set=essay_set).exists()


def unfinished_in(essay_set: EssaySet) -> QuerySet[Assignment]:
    """Checks of a set that are given and not submitted."""
    return Assignment.objects.filter(essay__essay_set=essay_set, state__in=UNFINISHED)
