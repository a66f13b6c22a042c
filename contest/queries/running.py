"""Contests and what belongs to each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Now

from annotator.models import EssaySet
from contest.core.outline import Outline, Part
from contest.core.run_times import RunSpan
from contest.models import Contest, DataSet, Final, Phase
from contest.queries.sessions import finals_planned


def contest_named(slug: str) -> QuerySet[Contest]:
    """The contest of this address, with ``now``, the database's clock."""
    return Contest.objects.filter(slug=slug).annotate(now=Now())


def data_sets_of(contest: Contest) -> QuerySet[DataSet]:
    """The essay sets of a contest with their rules and the number of their essays."""
    found = contest.data_sets.select_related("essay_set__rules").order_by("role", "pk")
    return found.annotate(essays=Count("essay_set__essays"))


def sets_to_choose() -> QuerySet[EssaySet]:
    """Essay sets that belong to no contest and are no practice."""
    free = EssaySet.objects.filter(data_set=None).exclude(state=EssaySet.State.ARCHIVED)
    return free.exclude(access=EssaySet.Access.PRACTICE).order_by("name")


def finals_of(contest: Contest) -> QuerySet[Final]:
    """The finals and rehearsals on a contest's sets with their numbers, the latest start first."""
    return finals_planned().filter(essay_set__data_set__contest=contest)


def finals_begin(contest: Contest) -> datetime | None:
    """When the finals of a contest begin, as the phase or the first planned run says."""
    phase = contest.phases.filter(kind=Phase.Kind.FINALS)
    runs = Final.objects.filter(
        essay_set__data_set__contest=contest,
        essay_set__data_set__role=DataSet.Role.FINAL,
        kind=Final.Kind.FINAL,
        cancelled_at=None,
    )
    told = [phase.aggregate(at=Min("starts_at"))["at"], runs.aggregate(at=Min("starts_at"))["at"]]
    return min((each for each in told if each), default=None)


def qualification_off(sets: Iterable[int], now: datetime) -> Phase | None:
    """The qualification, if it is not on, of a contest whose test set is one of these sets."""
    of_tests = DataSet.objects.filter(role=DataSet.Role.TEST, essay_set__in=set(sets))
    found = Phase.objects.filter(
        kind=Phase.Kind.QUALIFICATION, contest__in=of_tests.values("contest")
    )
    found = found.exclude(starts_at__lte=now, ends_at__gt=now).select_related("contest")
    return found.order_by("pk").first()


def contest_of_set(essay_set: EssaySet) -> Contest | None:
    """The contest an essay set belongs to."""
    found = DataSet.objects.filter(essay_set=essay_set).select_related("contest").first()
    return found.contest if found else None


def outline_of(contest: Contest) -> Outline:
    """What is known of a contest, as completeness is told by it."""
    phases = {each.kind: RunSpan(each.starts_at, each.ends_at) for each in contest.phases.all()}
    words = (Part.NAME_RU, Part.NAME_EN, Part.SUMMARY_RU, Part.SUMMARY_EN)
    words += (Part.TASK_RU, Part.TASK_EN, Part.CONTACT)
    return Outline(
        of_essays=not contest.scheme,
        live=contest.live,
        words={each: getattr(contest, each) for each in words},
        moments={
            each: getattr(contest, each)
            for each in (Part.APPLICATIONS_FROM, Part.APPLICATIONS_UNTIL)
        },
        phases=phases,
        roles=frozenset(contest.data_sets.values_list("role", flat=True)),
        has_parameters=contest.parameter_sets.filter(rejected_at=None).exists(),
    )
