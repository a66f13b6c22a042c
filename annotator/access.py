"""Who may see and do what with an essay and a markup: the one place that decides (R 2.19, 7.9).

Contests will add phases here; everything else asks these predicates.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.roles import STAFF
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord


def essays_seen_by(user: User) -> QuerySet[Essay]:
    """The essays a person may open."""
    essays = Essay.objects.select_related("essay_set__rules")
    if user.role in STAFF:
        return essays
    if user.role == User.Role.EXPERT:
        mine = Assignment.objects.filter(expert=user).exclude(state=Assignment.State.WITHDRAWN)
        return essays.filter(Q(pk__in=mine.values("essay")) | Q(markups__author=user)).distinct()
    return essays.filter(essay_set__access=EssaySet.Access.OPEN)


def markups_seen_by(user: User) -> QuerySet[MarkupRecord]:
    """The markups a person may open; nobody but its author sees a draft.

    An expert sees all of them once nothing is left for the expert to do there; before that, the
    third expert sees the other experts' ones, unless the rules want the third check blind. A
    participant sees experts' markups in open sets.
    """
    submitted = Q(state=MarkupRecord.State.SUBMITTED)
    own = Q(author=user)
    markups = MarkupRecord.objects.select_related("essay__essay_set__rules", "author", "assignment")
    if user.role in STAFF:
        return markups.filter(submitted | own)
    by_expert = Q(source=MarkupRecord.Source.EXPERT)
    if user.role == User.Role.EXPERT:
        done, third = Q(essay__in=_essays_done_by(user)), Q(essay__in=_essays_settled_by(user))
        return markups.filter(own | (submitted & (done | (third & by_expert))))
    is_open = Q(essay__essay_set__access=EssaySet.Access.OPEN)
    return markups.filter(own | (submitted & is_open & by_expert))


def _essays_done_by(expert: User) -> QuerySet[Assignment]:
    """Essays the expert has submitted a check of."""
    return Assignment.objects.filter(expert=expert, state=Assignment.State.SUBMITTED).values(
        "essay"
    )


def _essays_settled_by(expert: User) -> QuerySet[Assignment]:
    """Essays whose third check is the expert's, with the two earlier ones to read (R 7.9)."""
    return Assignment.objects.filter(
        expert=expert,
        role=Assignment.Role.THIRD,
        state__in=Assignment.ACTIVE,
        essay__essay_set__rules__blind_first=False,
    ).values("essay")


def may_mark(user: User, record: MarkupRecord) -> bool:
    """True for an expert's own draft whose assignment is still the expert's."""
    assignment = record.assignment
    return (
        user.role == User.Role.EXPERT
        and record.author_id == user.pk
        and record.state == MarkupRecord.State.DRAFT
        and assignment is not None
        and assignment.is_active
    )
