"""Verdicts of sets: what was said, what stands, and what is missing for the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery

from annotator.core.values import Subject
from annotator.models import Assignment, Essay, EssaySet
from annotator.queries.essays import LATEST
from annotator.queries.sets import CHECKED_SETS, idle_essays
from annotator.queries.work import UNFINISHED
from review.core.desk import BY_CODE, Number, Progress
from review.core.readiness import Readiness
from review.models import SetProtocol, Verdict
from review.queries.desk import counted_in, with_progress
from review.queries.grades import standing_grades


def standing_protocols() -> QuerySet[SetProtocol]:
    """Protocols that nothing has voided, without their contents."""
    return SetProtocol.objects.filter(voided_at=None).defer("content")


def protocols_with_verdicts() -> QuerySet[SetProtocol]:
    """All protocols with what was said of them, the latest first, without their contents."""
    said = Prefetch("verdicts", Verdict.objects.select_related("who").order_by("pk"))
    return SetProtocol.objects.defer("content").prefetch_related(said).order_by("-pk")


def has_standing_verdict(essay_set: EssaySet) -> bool:
    """Was the set verified, or approved, and does its protocol stand?"""
    return SetProtocol.objects.filter(essay_set=essay_set, voided_at=None).exists()


def approval_of(set_ids: Iterable[int]) -> Verdict | None:
    """The approval that stands of the first of these sets that has one."""
    found = Verdict.objects.filter(
        kind=Verdict.Kind.APPROVED, protocol__voided_at=None, protocol__essay_set__in=set_ids
    )
    return found.select_related("who", "protocol__essay_set").order_by("pk").first()


def lacking_of(essay_set: EssaySet) -> Verdict.Kind | None:
    """What keeps the checks of a set from being published: that they were returned, or which of
    the verdicts is missing once one was given; ``None`` where nothing does (R 8.2.3, 8.2.4).

    Of a set nobody has said anything of, its score run is checked and verified alone.
    """
    said = list(verdicts_of(essay_set))
    if not said:
        return None
    if said[0].kind == Verdict.Kind.RETURNED:
        return Verdict.Kind.RETURNED
    standing = {each.kind for each in said if each.protocol.voided_at is None}
    wanted = (Verdict.Kind.VERIFIED, Verdict.Kind.APPROVED)
    return next((kind for kind in wanted if kind not in standing), None)


def verdicts_of(essay_set: EssaySet) -> QuerySet[Verdict]:
    """Everything that was said of a set, the latest first."""
    found = Verdict.objects.filter(protocol__essay_set=essay_set)
    return found.select_related("who", "protocol").defer("protocol__content").order_by("-pk")


def sets_to_judge() -> QuerySet[EssaySet]:
    """Sets with essays that are checked and not in the archive, the newest first."""
    has_essays = Exists(Essay.objects.filter(essay_set=OuterRef("pk")))
    found = EssaySet.objects.filter(CHECKED_SETS, has_essays).exclude(state=EssaySet.State.ARCHIVED)
    return found.select_related("rules").order_by("-pk")


def sets_given_back() -> QuerySet[EssaySet]:
    """Those of them of which it was said last that they are returned."""
    said = Verdict.objects.filter(protocol__essay_set=OuterRef("pk")).order_by("-pk")
    return (
        sets_to_judge()
        .alias(last=Subquery(said.values("kind")[:1]))
        .filter(last=Verdict.Kind.RETURNED)
    )


def readiness_of(sets: Iterable[EssaySet]) -> dict[int, Readiness]:
    """What each set lacks for a verdict, in one query; their rules are at hand. Idle essays lack
    nothing.
    """
    known = {each.pk: each for each in sets}
    found = {pk: Readiness() for pk in known}
    wanted = Essay.objects.filter(LATEST, essay_set__in=known).exclude(idle_essays())
    essays = with_progress(wanted.order_by())
    counted = (
        essays.annotate(has_grade=Exists(standing_grades().filter(essay=OuterRef("pk"))))
        .values_list("essay_set", "subject", "progress", "has_grade")
        .annotate(n=Count("pk"))
    )
    for pk, subject, code, has_grade, count in counted:
        lacks_grade = not has_grade and subject in subjects_with_grades(known[pk])
        found[pk] = _with(found[pk], BY_CODE[code], count, lacks_grade=lacks_grade)
    return found


def _with(found: Readiness, progress: Progress, count: int, *, lacks_grade: bool) -> Readiness:
    """The same with so many essays more that stand like this."""
    name = progress.number.value
    if progress.number is Number.SETTLED:
        name = "ungraded" if lacks_grade else ""
    more = {name: getattr(found, name) + count} if name else {}
    return replace(
        found,
        essays=found.essays + count,
        open_checks=found.open_checks + progress.open_checks * count,
        decided=found.decided + (progress.needed is not None) * count,
        thirds=found.thirds + bool(progress.needed) * count,
        **more,
    )


def open_checks(sets: Iterable[int]) -> QuerySet[Assignment]:
    """Checks of the present rounds of sets that are given and not submitted."""
    return Assignment.objects.filter(
        essay__essay_set__in=list(sets),
        essay__closed_at=None,
        round=F("essay__round"),
        state__in=UNFINISHED,
    )


def subjects_with_grades(essay_set: EssaySet) -> list[str]:
    """The subjects for which a set's rules say how final grades are made."""
    return [each.value for each in Subject if essay_set.rules.final_rule(each)]


def essays_not_done(essay_set: EssaySet) -> QuerySet[Essay]:
    """The essays of a set that keep it from a verdict, by number."""
    graded = Exists(standing_grades().filter(essay=OuterRef("pk")))
    lacks_grade = Q(subject__in=subjects_with_grades(essay_set)) & ~graded
    is_open = Exists(open_checks([essay_set.pk]).filter(essay=OuterRef("pk")))
    essays = Essay.objects.filter(LATEST, essay_set=essay_set).exclude(idle_essays())
    found = with_progress(essays.defer("text", "task_text"))
    return found.filter(~counted_in(Number.SETTLED) | lacks_grade | is_open).order_by(
        "number", "pk"
    )


def latest_verdicts(sets: Sequence[EssaySet]) -> dict[int, SetProtocol]:
    """The latest protocol of each set that has one, with what was said of it; two queries."""
    newest: dict[int, SetProtocol] = {}
    for each in protocols_with_verdicts().filter(essay_set__in=[one.pk for one in sets]):
        newest.setdefault(each.essay_set_id, each)
    return newest
