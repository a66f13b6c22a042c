"""What reports of solutions are made of, and which are kept."""

from __future__ import annotations

from typing import Final

from django.db.models import Count, F, Max, Q, QuerySet, Sum

from annotator.models import EssaySet, MarkupRecord
from scoring.models import PairScore, ScoreRun, SolutionReport, StandingBoard

COUNTED: Final = ("n", "m", "found", "equal_codes", "equal_subcodes", "equal_corrections")


def run_reported(essay_set: EssaySet) -> ScoreRun | None:
    """The run reports of a set are taken from: of finals what two people have applied (R 8.2)."""
    if essay_set.access != EssaySet.Access.FINAL:
        return None
    board = (
        StandingBoard.objects.filter(essay_set=essay_set).select_related("applied__rules").first()
    )
    return board.applied if board else None


def revision_of(essay_set: EssaySet, author_id: int, run: ScoreRun | None) -> str:
    """Names the scores the reports of an author in a set are made of."""
    if run:
        return f"run-{run.pk}"
    scores = present_scores(essay_set).filter(
        Q(assessed__author=author_id) | Q(assessed__source=MarkupRecord.Source.EXPERT)
    )
    counted = sum((F(name) for name in COUNTED[1:]), F(COUNTED[0]))
    found = scores.aggregate(pairs=Count("pk"), last=Max("pk"), sum=Sum(counted))
    return "-".join(str(each or 0) for each in (essay_set.rules_id, *found.values()))


def is_kept(essay_set: EssaySet, author_id: int, origin: str, revision: str) -> bool:
    kept = SolutionReport.objects.filter(essay_set=essay_set, author=author_id, origin=origin)
    return kept.filter(revision=revision).exists()


def files_scored(essay_set: EssaySet, author_id: int, origin: str) -> tuple[int, int]:
    """Of how many of a solution's files the accuracy is there, of how many that experts marked."""
    counts = {"state": MarkupRecord.State.SUBMITTED, "essay__closed_at": None}
    expert = MarkupRecord.Source.EXPERT
    marked = MarkupRecord.objects.filter(**counts, essay__essay_set=essay_set, source=expert)
    sent = MarkupRecord.objects.filter(
        **counts,
        essay__in=marked.values("essay"),
        author=author_id,
        origin=origin,
        source=MarkupRecord.Source.ALGORITHM,
    )
    scored = present_scores(essay_set).filter(assessed__in=sent.values("pk"))
    return scored.aggregate(files=Count("assessed", distinct=True))["files"], sent.count()


def solutions_of(essay_set: EssaySet, author_id: int) -> list[str]:
    """The origins of what an author sent for a set, the earliest first."""
    sent = MarkupRecord.objects.filter(
        essay__essay_set=essay_set,
        author=author_id,
        source=MarkupRecord.Source.ALGORITHM,
        state=MarkupRecord.State.SUBMITTED,
    )
    found = sent.order_by().values("origin").annotate(last=Max("submitted_at"))
    return [each["origin"] for each in found.order_by("last", "origin")]


def former_solution(essay_set: EssaySet, author_id: int, origin: str) -> str | None:
    """The origin of what the author sent before, if anything."""
    origins = solutions_of(essay_set, author_id)
    place = origins.index(origin) if origin in origins else 0
    return origins[place - 1] if place else None


def present_scores(essay_set: EssaySet) -> QuerySet[PairScore]:
    """The scores of the markups of a set that count now, under its rules."""
    counts = MarkupRecord.State.SUBMITTED
    return PairScore.objects.filter(
        rules=essay_set.rules_id,
        assessed__essay__essay_set=essay_set,
        assessed__essay__closed_at=None,
        assessed__state=counts,
        reference__state=counts,
    )
