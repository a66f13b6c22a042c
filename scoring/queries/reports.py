"""What reports of solutions are made of, and which are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum

from annotator.core.origins import session_number
from annotator.models import EssaySet, MarkupRecord
from scoring.core.entries import told_origin
from scoring.models import PairScore, RunVerdict, ScoreRun, SolutionReport, StandingBoard

COUNTED: Final = ("n", "m", "found", "equal_codes", "equal_subcodes", "equal_corrections")
State: Final = MarkupRecord.State


@dataclass(frozen=True, slots=True)
class Former:
    """What an author sent before a solution; ``at``: when the last answer of it came."""

    origin: str
    at: datetime


def run_reported(essay_set: EssaySet) -> ScoreRun | None:
    """The run reports of a set are taken from: of finals what two people have applied (R 8.2).

    Where that was returned, the one everybody sees, if there is one.
    """
    if essay_set.access != EssaySet.Access.FINAL:
        return None
    boards = StandingBoard.objects.select_related("applied__rules", "public__rules")
    board = boards.filter(essay_set=essay_set).first()
    if board is None or board.applied is None:
        return None
    return board.public if board.applied.was_returned else board.applied


def sets_told(essay_sets: Iterable[EssaySet]) -> set[int]:
    """Of which of these sets accuracies are told: of finals as soon as reports are."""
    sets = list(essay_sets)
    finals = [each.pk for each in sets if each.access == EssaySet.Access.FINAL]
    returned = RunVerdict.objects.filter(run=OuterRef("applied"), kind=RunVerdict.Kind.RETURNED)
    boards = StandingBoard.objects.filter(essay_set__in=finals, applied__isnull=False)
    told = boards.filter(Q(public__isnull=False) | ~Exists(returned))
    withheld = {*finals} - set(told.values_list("essay_set_id", flat=True))
    return {each.pk for each in sets} - withheld


def revision_of(
    essay_set: EssaySet, author_id: int, origin: str, former: Former | None, run: ScoreRun | None
) -> str:
    """Names the scores a report is made of: its own, those of experts and of the one before it."""
    if run:
        boards = StandingBoard.objects.filter(essay_set=essay_set)
        applied = boards.values_list("applied", flat=True).first()
        return f"run-{run.pk}" if applied in (None, run.pk) else f"run-{run.pk}-after-{applied}"
    own = Q(assessed__author=author_id, assessed__origin=origin)
    experts = Q(assessed__source=MarkupRecord.Source.EXPERT)
    wanted = Q(own | experts, assessed__state=State.SUBMITTED)
    if former:
        wanted |= Q(assessed__in=markups_of(essay_set, author_id, former).values("pk"))
    scores = scores_under(essay_set).filter(wanted)
    counted = sum((F(name) for name in COUNTED[1:]), F(COUNTED[0]))
    found = scores.aggregate(pairs=Count("pk"), last=Max("pk"), sum=Sum(counted))
    than = (told_origin(former.origin),) if former else ()
    return "-".join(str(each or 0) for each in (essay_set.rules_id, *found.values(), *than))


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


def last_sent(essay_set: EssaySet, author_id: int, origin: str) -> datetime | None:
    """When the last answer of a solution came that counts."""
    sent = _sent(essay_set, author_id).filter(origin=origin, state=State.SUBMITTED)
    found: datetime | None = sent.aggregate(last=Max("submitted_at"))["last"]
    return found


def former_solution(essay_set: EssaySet, author_id: int, origin: str) -> Former | None:
    """What the author had sent when the solution was complete, the latest, if anything.

    Of sessions those opened earlier, of what was sent freely what was there by then: nothing that
    comes later moves it.
    """
    sent = _sent(essay_set, author_id).order_by().values("origin")
    last = {each["origin"]: each["last"] for each in sent.annotate(last=Max("submitted_at"))}
    own = last.pop(origin, None)
    if own is None:
        return None
    free = _sent(essay_set, author_id).filter(origin="", submitted_at__lte=own)
    if "" in last:
        last[""] = free.aggregate(last=Max("submitted_at"))["last"]
    number = session_number(origin)
    found = [
        Former(name, at)
        for name, at in last.items()
        if at is not None
        and (at, name) < (own, origin)
        and (number is None or (session_number(name) or 0) < number)
    ]
    return max(found, key=lambda each: (each.at, each.origin), default=None)


def markups_of(essay_set: EssaySet, author_id: int, former: Former) -> QuerySet[MarkupRecord]:
    """The markups of a former solution, as they stood when it was the last one."""
    stood = Q(state=State.SUBMITTED) | Q(superseded_at__gt=former.at)
    own = _sent(essay_set, author_id).filter(origin=former.origin, essay__closed_at=None)
    return own.filter(stood, submitted_at__lte=former.at)


def present_scores(essay_set: EssaySet) -> QuerySet[PairScore]:
    """The scores of the markups of a set that count now, under its rules."""
    return scores_under(essay_set).filter(assessed__state=State.SUBMITTED)


def scores_under(essay_set: EssaySet) -> QuerySet[PairScore]:
    """The same, also those of markups that were replaced."""
    return PairScore.objects.filter(
        rules=essay_set.rules_id,
        assessed__essay__essay_set=essay_set,
        assessed__essay__closed_at=None,
        reference__state=State.SUBMITTED,
    )


def _sent(essay_set: EssaySet, author_id: int) -> QuerySet[MarkupRecord]:
    """What an author's program handed in for a set, also what was replaced since."""
    return MarkupRecord.objects.filter(
        essay__essay_set=essay_set,
        author=author_id,
        source=MarkupRecord.Source.ALGORITHM,
        state__in=(State.SUBMITTED, State.SUPERSEDED),
    )
