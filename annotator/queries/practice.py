"""Essays for practice, tries of them and their keys."""

from __future__ import annotations

from typing import Final

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Specialism, User
from annotator.models import Essay, EssaySet, MarkupRecord
from annotator.queries.essays import LATEST
from web.prepared import Given, Prepared


def tries_of(essay: Essay) -> QuerySet[MarkupRecord]:
    """What experts have made of a practice essay, drafts and earlier tries too."""
    return essay.markups.filter(source=MarkupRecord.Source.PRACTICE)


def key_of(essay: Essay) -> MarkupRecord | None:
    """What tries of a practice essay are compared with, if it was given."""
    keys = essay.markups.filter(source=MarkupRecord.Source.KEY)
    return keys.filter(state=MarkupRecord.State.SUBMITTED).select_related("author").first()


def last_key_in(essay_set: EssaySet) -> int:
    """The number of the last key an essay of a set was given; 0 without any."""
    keys = MarkupRecord.objects.filter(essay__essay_set=essay_set, source=MarkupRecord.Source.KEY)
    return keys.aggregate(last=Max("pk"))["last"] or 0


def has_key() -> Exists:
    """Whether an essay has what its tries are compared with."""
    keys = MarkupRecord.objects.filter(essay=OuterRef("pk"), source=MarkupRecord.Source.KEY)
    return Exists(keys.filter(state=MarkupRecord.State.SUBMITTED))


def practice_open_to(expert: User | Given) -> QuerySet[Essay]:
    """The practice essays of an expert's subjects in open sets, with a key or yet without one."""
    sets = EssaySet.objects.filter(access=EssaySet.Access.PRACTICE, state=EssaySet.State.OPEN)
    return Essay.objects.filter(
        LATEST,
        essay_set__in=sets.order_by().values("pk"),  # few, and what is in others is passed over
        subject__in=Specialism.objects.filter(user=expert).values("subject"),
    )


_PRACTICE_WITH_KEY: Final = Prepared(
    lambda: practice_open_to(Given("expert")).filter(has_key()).values_list("pk", flat=True)[:1]
)


def has_practice(expert: User) -> bool:
    """True where an expert has practice essays whose tries are compared with a key."""
    return bool(_PRACTICE_WITH_KEY(expert=expert.pk))


def practice_essays(expert: User) -> QuerySet[Essay]:
    """The practice essays of an expert's subjects that have a key, in open sets.

    ``key``: its markup; ``own`` and ``own_state``: the expert's present try; ``tries``: how many
    the expert has submitted.
    """
    state = MarkupRecord.State
    of_essay = MarkupRecord.objects.filter(essay=OuterRef("pk")).order_by()
    keys = of_essay.filter(source=MarkupRecord.Source.KEY, state=state.SUBMITTED)
    own = of_essay.filter(source=MarkupRecord.Source.PRACTICE, author=expert)
    present = own.exclude(state=state.SUPERSEDED)
    handed_in = own.filter(submitted_at__isnull=False).values("essay").annotate(n=Count("pk"))
    return (
        practice_open_to(expert)
        .annotate(
            key=Subquery(keys.values("pk")[:1]),
            own=Subquery(present.values("pk")[:1]),
            own_state=Subquery(present.values("state")[:1]),
            tries=Coalesce(Subquery(handed_in.values("n")), 0),
        )
        .filter(key__isnull=False)
        .select_related("essay_set")
        .order_by("essay_set__name", "number", "pk")
    )


def markups_for_key(essay: Essay) -> QuerySet[MarkupRecord]:
    """Submitted markups by experts of other essays that have the same text, latest first."""
    source = MarkupRecord.Source
    return (
        MarkupRecord.objects.filter(
            state=MarkupRecord.State.SUBMITTED,
            source__in=[source.EXPERT, source.PRACTICE],
            essay__subject=essay.subject,
            essay__text=essay.text,
        )
        .exclude(essay=essay)
        .select_related("essay__essay_set", "author", "assignment")
        .order_by("-submitted_at", "-pk")
    )
