from __future__ import annotations

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import Specialism, User
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord, Phrase

UNFINISHED = [Assignment.State.WAITING, Assignment.State.WORKING]


def experts_free_for(essay: Essay) -> QuerySet[User]:
    """Active experts of the essay's subject who never had it in this round, least loaded first."""
    had_it = Assignment.objects.filter(essay=essay, round=essay.round, expert=OuterRef("pk"))
    able = Specialism.objects.filter(user=OuterRef("pk"), subject=essay.subject)
    load = Count("assignments", filter=Q(assignments__state__in=UNFINISHED))
    return (
        User.objects.filter(Exists(able), ~Exists(had_it), role=User.Role.EXPERT, is_active=True)
        .annotate(load=load)
        .order_by("load", "pk")
    )


def work_of(expert: User) -> QuerySet[Assignment]:
    """An expert's checks that are not submitted, most urgent first."""
    return (
        Assignment.objects.filter(expert=expert, state__in=UNFINISHED)
        .select_related("essay__essay_set")
        .order_by("deadline_at", "pk")
    )


def done_by(expert: User) -> QuerySet[Assignment]:
    """An expert's submitted checks, latest first."""
    return (
        Assignment.objects.filter(expert=expert, state=Assignment.State.SUBMITTED)
        .select_related("essay__essay_set")
        .order_by("-submitted_at", "-pk")
    )


def submitted_markups(essay: Essay) -> QuerySet[MarkupRecord]:
    """The markups of an essay that count, experts before algorithms."""
    return (
        essay.markups.filter(state=MarkupRecord.State.SUBMITTED)
        .select_related("author", "assignment", "essay")
        .prefetch_related("fragments")
        .order_by("-source", "pk")
    )


def earlier_checks(record: MarkupRecord) -> QuerySet[MarkupRecord]:
    """The first and the second check of an essay, for the markup of its third expert (R 7.9)."""
    first_two = [Assignment.Role.FIRST, Assignment.Role.SECOND]
    found = record.essay.markups.filter(
        state=MarkupRecord.State.SUBMITTED,
        assignment__role__in=first_two,
        assignment__round=record.essay.round,
    )
    is_draft = record.state == MarkupRecord.State.DRAFT
    is_given = record.assignment is not None and record.assignment.is_active
    is_blind = record.essay.essay_set.rules.blind_first
    if not record.third or (is_draft and (is_blind or not is_given)):
        return found.none()
    return found.select_related("assignment").order_by("assignment__role")


def phrases_of(expert: User, code: str, field: Phrase.Field) -> QuerySet[Phrase]:
    """What an expert has written in a field of a code before, most used first."""
    return expert.phrases.filter(code=code, field=field)


def training_essays(participant: User) -> QuerySet[Essay]:
    """Essays of the open sets, with the numbers of their markups and of the participant's own."""
    submitted = Q(markups__state=MarkupRecord.State.SUBMITTED)
    by_experts = Q(markups__source=MarkupRecord.Source.EXPERT)
    return (
        Essay.objects.filter(essay_set__access=EssaySet.Access.OPEN)
        .select_related("essay_set")
        .annotate(
            expert_markups=Count("markups", filter=submitted & by_experts),
            own_markups=Count("markups", filter=submitted & Q(markups__author=participant)),
        )
        .order_by("essay_set__name", "number")
    )
