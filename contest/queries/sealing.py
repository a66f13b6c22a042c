"""Which sets of finals are sealed, and which have just been opened to experts (R 2.8)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from annotator.models import Assignment, Essay, MarkupRecord
from annotator.queries.essays import TAKES_CHECKS
from annotator.queries.third_checks import FIRST_TWO
from contest.core.moments import at, moment_of
from contest.core.session_json import FINAL, iso, rules_from_log
from contest.models import DataSet, ExchangeSession, Phase
from contest.models import Final as PlannedFinal


def final_sets() -> QuerySet[DataSet]:
    """The sets for finals of contests whose results are not final."""
    found = DataSet.objects.filter(role=DataSet.Role.FINAL, contest__final_at=None)
    return found.select_related("contest", "essay_set").annotate(now=Now())


def sealed() -> list[DataSet]:
    """Those of them of which experts get nothing yet."""
    return _sealed_among(list(final_sets()))


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
    """Sets whose finals are over, with how many essays of each nobody checks yet."""
    sets = list(final_sets())
    kept = {each.pk for each in _sealed_among(sets)}
    found = [(each, _unplanned(each)) for each in sets if each.pk not in kept]
    return [(each, essays) for each, essays in found if essays]


def runs_to_come(phase: Phase, now: datetime) -> list[PlannedFinal]:
    """The runs of the finals of a phase's contest of which somebody may still open a session."""
    held = DataSet.objects.filter(contest=phase.contest_id, role=DataSet.Role.FINAL)
    runs = PlannedFinal.objects.filter(
        essay_set__in=held.values("essay_set"), kind=PlannedFinal.Kind.FINAL, cancelled_at=None
    )
    return [run for run in runs.order_by("starts_at", "pk") if now <= _latest_opening(run)]


def first_given(essays: QuerySet[Essay]) -> Essay | None:
    """The first of these essays that experts were given, or have marked; by its number.

    A check that was taken away unopened was not had; one that was begun left its draft.
    """
    given = Assignment.objects.filter(essay=OuterRef("pk"))
    marked = MarkupRecord.objects.filter(essay=OuterRef("pk"), source=MarkupRecord.Source.EXPERT)
    had = Exists(given.exclude(state=Assignment.State.WITHDRAWN)) | Exists(marked)
    return essays.filter(had).order_by("number", "pk").first()


def _finals_of(sets: Iterable[int]) -> dict[int, list[PlannedFinal]]:
    is_open = Exists(ExchangeSession.objects.filter(final=OuterRef("pk"), closed_at=None))
    wanted = list(sets)
    found: dict[int, list[PlannedFinal]] = {each: [] for each in wanted}
    runs = PlannedFinal.objects.filter(essay_set__in=wanted).annotate(is_open=is_open)
    for run in runs.order_by("pk"):
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
    if any(now <= _latest_opening(run) for run in standing):
        return True
    if phase is not None and phase.closed_at is not None:
        return False
    if found.contest.live:
        return all(run.is_rehearsal for run in standing)
    return phase is None or now < phase.ends_at


def _latest_opening(run: PlannedFinal) -> datetime:
    """Until when somebody may open a session of a run."""
    start = iso(moment_of(run.starts_at))
    rules = rules_from_log({**FINAL, **run.rules, "start": start})
    latest = rules.latest_opening
    if latest is None:
        latest = moment_of(run.starts_at) + rules.interval * run.files.count() + rules.limit
    return at(latest)


def _unplanned(found: DataSet) -> int:
    active = Assignment.objects.filter(
        essay=OuterRef("pk"),
        round=OuterRef("round"),
        role__in=FIRST_TWO,
        state__in=Assignment.ACTIVE,
    )
    essays = Essay.objects.filter(TAKES_CHECKS & Q(~Exists(active)), essay_set=found.essay_set_id)
    return essays.count()
