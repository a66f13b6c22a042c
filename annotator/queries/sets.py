"""Sets of essays: what they hold, what of them is under way."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.queries import trail_of
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from annotator.queries.work import UNFINISHED
from annotator.signals import idle_asked, sealed_asked

CHECKED_SETS = ~Q(access=EssaySet.Access.PRACTICE)
"""The sets whose essays are checked: all but those for practice, of which nothing is counted."""


def sealed_sets() -> set[int]:
    """Sets that an app above keeps sealed: nothing of them is given to experts yet (R 2.8)."""
    return {pk for _who, sets in sealed_asked.send(sender=EssaySet) for pk in sets}


def was_read(essay_set: EssaySet) -> bool:
    """True for a set with essays that participants read, or did before it got the access it has."""
    since = essay_set.essays.aggregate(since=Min("imported_at"))["since"]
    if since is None:
        return False
    states, accesses = EssaySet.State, EssaySet.Access
    told = trail_of(essay_set).filter(action__in=["set.state", "set.changed"])
    acts = list(told.order_by("pk").values_list("action", "details", "at"))
    changes = (said["before"] for act, said, _at in acts if act == "set.state")
    state = next(changes, essay_set.state)
    for act, said, at in acts:
        if act == "set.state":
            state = said["after"]
            continue
        was_open = said["before"].get("access") == accesses.OPEN and state != states.PREPARING
        if was_open and at > since:
            return True
    return essay_set.access == accesses.OPEN and essay_set.state != states.PREPARING


def name_at(essay_set: EssaySet, moment: datetime) -> str:
    """What a set was called at a moment."""
    told = trail_of(essay_set).filter(action="set.changed", at__gt=moment)
    acts = told.order_by("pk").values_list("details", flat=True)
    names = (said["before"]["name"] for said in acts if "name" in said["before"])
    return next(names, essay_set.name)


def idle_essays() -> Q:
    """Essays of which no check is wanted, although their sets take checks: an app above says so."""
    idle = Q(pk__in=())
    for _who, condition in idle_asked.send(sender=Essay):
        idle |= condition
    return idle


def kept_back(prefix: str) -> Q:
    """Essays of final sets that are idle: the results open the others, nobody has had these.
    ``prefix`` leads to the essay, as in ``essay__``.
    """
    idle = Essay.objects.filter(idle_essays(), pk=OuterRef(f"{prefix}pk")).order_by()
    return Q(**{f"{prefix}essay_set__access": EssaySet.Access.FINAL}) & Q(Exists(idle))


def of_idle_essay() -> Exists:
    """Of a check or a markup: is none wanted of its essay?"""
    return Exists(Essay.objects.filter(idle_essays(), pk=OuterRef("essay")).order_by())


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
