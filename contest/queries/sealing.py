"""Which sets of finals are sealed, and which have just been opened to experts (R 2.8)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from annotator.models import Assignment, Essay, MarkupRecord
from annotator.queries.essays import TAKES_CHECKS
from annotator.queries.third_checks import FIRST_TWO
from contest.core.moments import at
from contest.models import DataSet, ExchangeSession, FinalFile, Phase
from contest.models import Final as PlannedFinal
from contest.queries.run_moments import counted, opened_until

_IS_OPEN: Final = Exists(ExchangeSession.objects.filter(final=OuterRef("pk"), closed_at=None))


def final_sets() -> QuerySet[DataSet]:
    """The sets for finals of contests whose results are not final."""
    found = DataSet.objects.filter(role=DataSet.Role.FINAL, contest__final_at=None)
    return found.select_related("contest", "essay_set").annotate(now=Now())


def sealed() -> list[DataSet]:
    """Those of them of which experts get nothing yet."""
    return _sealed_among(list(final_sets()))


def sealed_numbers() -> list[int]:
    """The numbers of their essay sets, and of those of finals that belong to no contest and are not
    over.
    """
    return [each.essay_set_id for each in sealed()] + _sealed_outside()


def _sealed_outside() -> list[int]:
    finals = PlannedFinal.objects.filter(
        kind=PlannedFinal.Kind.FINAL, essay_set__data_set=None
    ).order_by("pk")
    runs = counted(finals).annotate(is_open=_IS_OPEN, now=Now())
    return [run.essay_set_id for run in runs if run.is_open or _is_to_come(run, run.now)]


def _sealed_among(found: list[DataSet]) -> list[DataSet]:
    if not found:
        return []
    finals = _finals_of(each.essay_set_id for each in found)
    phases = _finals_phases_of(each.contest_id for each in found)
    return [
        each
        for each in found
        if _is_sealed(each, finals[each.essay_set_id], phases.get(each.contest_id))
    ]


def to_plan() -> list[tuple[DataSet, int]]:
    """Sets whose finals are over, with how many essays of each nobody checks yet; no idle ones."""
    sets = list(final_sets())
    kept = {each.pk for each in _sealed_among(sets)}
    found = [(each, _unplanned(each)) for each in sets if each.pk not in kept]
    return [(each, essays) for each, essays in found if essays]


def idle_essays() -> Q:
    """The essays of final sets that no run of the finals that stands gives out: those of void runs
    alone, and those no run has given out. No result needs their checks, and those nobody has had
    are there for a restart (R 7.15.3).

    A condition, not a list of them: only essays that are asked about are looked at.
    """
    standing = PlannedFinal.objects.filter(kind=PlannedFinal.Kind.FINAL, cancelled_at=None)
    in_it = FinalFile.objects.filter(
        essay__essay_set=OuterRef("essay_set"),
        essay__number=OuterRef("number"),
        final__kind=PlannedFinal.Kind.FINAL,
        final__cancelled_at=None,
    )
    of_finals = DataSet.objects.filter(
        Exists(standing.filter(essay_set=OuterRef("essay_set"))), role=DataSet.Role.FINAL
    )
    return Q(essay_set__in=of_finals.values("essay_set")) & Q(~Exists(in_it))  # few sets first


def runs_to_come(contests: Iterable[int], now: datetime) -> dict[int, PlannedFinal]:
    """By contest, the first run of its finals of which somebody may still open a session."""
    runs = PlannedFinal.objects.filter(
        essay_set__data_set__contest__in=list(contests),
        essay_set__data_set__role=DataSet.Role.FINAL,
        kind=PlannedFinal.Kind.FINAL,
        cancelled_at=None,
    )
    runs = counted(runs).annotate(contest=F("essay_set__data_set__contest"))
    found: dict[int, PlannedFinal] = {}
    for run in runs.order_by("starts_at", "pk"):
        if _is_to_come(run, now):
            found.setdefault(run.contest, run)
    return found


def first_given(essays: QuerySet[Essay]) -> Essay | None:
    """The first of these essays that experts were given, or have marked; by its number.

    A check that was taken away unopened was not had; one that was begun left its draft.
    """
    given = Assignment.objects.filter(essay=OuterRef("pk"))
    marked = MarkupRecord.objects.filter(essay=OuterRef("pk"), source=MarkupRecord.Source.EXPERT)
    had = Exists(given.exclude(state=Assignment.State.WITHDRAWN)) | Exists(marked)
    return essays.filter(had).order_by("number", "pk").first()


def _finals_of(sets: Iterable[int]) -> dict[int, list[PlannedFinal]]:
    wanted = list(sets)
    found: dict[int, list[PlannedFinal]] = {each: [] for each in wanted}
    runs = PlannedFinal.objects.filter(essay_set__in=wanted).order_by("pk")
    for run in counted(runs).annotate(is_open=_IS_OPEN):
        found[run.essay_set_id].append(run)
    return found


def _finals_phases_of(contests: Iterable[int]) -> dict[int, Phase]:
    phases = Phase.objects.filter(contest__in=list(contests), kind=Phase.Kind.FINALS)
    return {each.contest_id: each for each in phases}


def _is_sealed(found: DataSet, runs: list[PlannedFinal], phase: Phase | None) -> bool:
    now: datetime = found.now  # type: ignore[attr-defined]
    if any(run.is_open for run in runs):  # type: ignore[attr-defined]
        return True
    standing = [run for run in runs if run.cancelled_at is None]
    if any(_is_to_come(run, now) for run in standing):
        return True
    if phase is not None and phase.closed_at is not None:
        return False
    if found.contest.live:
        return all(run.is_rehearsal for run in standing)
    return phase is None or now < phase.ends_at


def _is_to_come(run: PlannedFinal, now: datetime) -> bool:
    """Whether somebody may open a session of a run still."""
    return run.cancelled_at is None and now <= at(opened_until(run))


def _unplanned(found: DataSet) -> int:
    active = Assignment.objects.filter(
        essay=OuterRef("pk"),
        round=OuterRef("round"),
        role__in=FIRST_TWO,
        state__in=Assignment.ACTIVE,
    )
    essays = Essay.objects.filter(TAKES_CHECKS & Q(~Exists(active)), essay_set=found.essay_set_id)
    return essays.exclude(idle_essays()).count()
