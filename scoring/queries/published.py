"""Which runs everybody saw as boards, and which of them were taken off because of a return."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Exists, F, OuterRef, QuerySet

from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard

Kind = RunVerdict.Kind


def not_returned(runs: QuerySet[ScoreRun]) -> QuerySet[ScoreRun]:
    """Those of these runs that neither judges nor the commission have returned."""
    returned = RunVerdict.objects.filter(run=OuterRef("pk"), kind=Kind.RETURNED)
    return runs.filter(~Exists(returned))


def published_before(run: ScoreRun) -> PublishedRun | None:
    """The run of a set that everybody saw last before this one, of those that were not returned."""
    others = ScoreRun.objects.filter(essay_set=run.essay_set_id).exclude(pk=run.pk)
    runs = not_returned(others).order_by().values("pk")
    return PublishedRun.objects.filter(run__in=runs).order_by("-pk").first()


def fallback_runs(runs: Collection[int]) -> set[int]:
    """Those of these runs that everybody sees because the run that counts was returned."""
    if not runs:
        return set()
    boards = StandingBoard.objects.filter(public__in=runs, applied__verdicts__kind=Kind.RETURNED)
    found = boards.exclude(public=F("applied")).order_by()
    return {number for number in found.values_list("public", flat=True) if number is not None}


def returns_of_published(sets: Iterable[int]) -> QuerySet[RunVerdict]:
    """Of these sets the returns because of which a board was taken off, the latest first.

    One after which another run was published is past and not among them.
    """
    later = PublishedRun.objects.filter(
        run__essay_set=OuterRef("run__essay_set"), run__gt=OuterRef("run")
    )
    returns = RunVerdict.objects.filter(
        ~Exists(later), kind=Kind.RETURNED, run__published__isnull=False, run__essay_set__in=sets
    )
    return returns.select_related("run__essay_set").order_by("-run")
