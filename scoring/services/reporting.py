"""The report of a solution: ordered when it is asked for, computed by a job, kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from django.db.models import Count, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Now

from annotator.core.values import Markup, Subject
from annotator.models import Essay, EssaySet, MarkupRecord
from compare.core.batch import Corpus, comparisons, match_all, pack
from compare.core.comparison import Comparison
from jobs.models import Job
from jobs.services.work import fenced, order
from scoring.core.codes import Meetings, meetings_of
from scoring.core.report import Against, Answer, Measured, change, report
from scoring.core.report_json import report_to_json
from scoring.models import PairScore, RunPair, ScoreRun, SolutionReport, StandingBoard
from web.core.batches import batched

BATCH: Final = 50
"""Essays whose markups are in memory at once."""
KIND: Final = "scoring.compute_report"
COUNTED: Final = ("n", "m", "found", "equal_codes", "equal_subcodes", "equal_corrections")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two markups of an essay with their figures; ``is_ours``: the left one is the solution's."""

    essay: int
    assessed: int
    reference: int
    is_ours: bool
    measured: Measured


def run_reported(essay_set: EssaySet) -> ScoreRun | None:
    """The run reports of a set are taken from: of finals what two people have applied (R 8.2)."""
    if essay_set.access != EssaySet.Access.FINAL:
        return None
    board = (
        StandingBoard.objects.filter(essay_set=essay_set).select_related("applied__rules").first()
    )
    return board.applied if board else None


def order_report(
    *, essay_set: EssaySet, author_id: int, origin: str, run: ScoreRun | None
) -> Job | None:
    """Promise a report, unless it is kept for the present scores. Safe to repeat.

    One that waits in line is of the scores of the moment it is begun: there is no second one.
    """
    revision = revision_of(essay_set, author_id, run)
    if _is_kept(essay_set, author_id, origin, revision):
        return None
    solution = f"report:{essay_set.pk}:{author_id}:{origin}:"
    waiting = Job.objects.filter(state=Job.State.QUEUED, kind=KIND, key__startswith=solution)
    return waiting.first() or order(
        kind=KIND,
        key=f"{solution}{revision}",
        args={"set_id": essay_set.pk, "author_id": author_id, "origin": origin},
        priority=Job.Priority.RUNS,
    )


def order_report_of_answers(*, set_id: int, author_id: int, origin: str) -> None:
    """Promise the report of answers that are all read, before anybody asks for it.

    Of finals there is none until two people have applied a run (R 8.2).
    """
    essay_set = EssaySet.objects.select_related("rules").get(pk=set_id)
    if essay_set.access != EssaySet.Access.FINAL:
        order_report(essay_set=essay_set, author_id=author_id, origin=origin, run=None)


def compute(*, set_id: int, author_id: int, origin: str) -> None:
    """Compute a report and keep it in place of an earlier one. Safe to repeat."""
    essay_set = EssaySet.objects.filter(pk=set_id).select_related("rules").first()
    if essay_set is None:
        return  # deleted meanwhile
    run = run_reported(essay_set)
    revision = revision_of(essay_set, author_id, run)
    if _is_kept(essay_set, author_id, origin, revision):
        return
    hardness = (run.rules if run else essay_set.rules).hardness
    found = report(_answers(_pairs(essay_set, author_id, origin, run)), hardness)
    former = former_solution(essay_set, author_id, origin)
    since = None
    if former is not None:
        before = _pairs(essay_set, author_id, former, run)
        since = change(found, report(_answers(before, with_codes=False), hardness))
    kept = SolutionReport(
        essay_set=essay_set,
        author_id=author_id,
        origin=origin,
        revision=revision,
        figures=report_to_json(found),
        change=asdict(since) if since else None,
        computed_at=Now(),
    )
    with fenced():
        SolutionReport.objects.bulk_create(
            [kept],
            update_conflicts=True,
            unique_fields=["essay_set", "author", "origin"],
            update_fields=["revision", "figures", "change", "computed_at"],
        )


def revision_of(essay_set: EssaySet, author_id: int, run: ScoreRun | None) -> str:
    """Names the scores the reports of an author in a set are made of."""
    if run:
        return f"run-{run.pk}"
    scores = _present(essay_set).filter(
        Q(assessed__author=author_id) | Q(assessed__source=MarkupRecord.Source.EXPERT)
    )
    counted = sum((F(name) for name in COUNTED[1:]), F(COUNTED[0]))
    found = scores.aggregate(pairs=Count("pk"), last=Max("pk"), sum=Sum(counted))
    return "-".join(str(each or 0) for each in (essay_set.rules_id, *found.values()))


def _is_kept(essay_set: EssaySet, author_id: int, origin: str, revision: str) -> bool:
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
    scored = _present(essay_set).filter(assessed__in=sent.values("pk"))
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


def _present(essay_set: EssaySet) -> QuerySet[PairScore]:
    """The scores of the markups of a set that count now, under its rules."""
    counts = MarkupRecord.State.SUBMITTED
    return PairScore.objects.filter(
        rules=essay_set.rules_id,
        assessed__essay__essay_set=essay_set,
        assessed__essay__closed_at=None,
        assessed__state=counts,
        reference__state=counts,
    )


def _pairs(
    essay_set: EssaySet, author_id: int, origin: str, run: ScoreRun | None
) -> Iterator[Pair]:
    """The solution against every expert, and the experts of its essays among themselves."""
    if run:
        mine = {"entry__participant": author_id, "entry__origin": origin}
        of_run = RunPair.objects.filter(run=run).annotate(number=F("essay_id"))
        ours, people = of_run.filter(**mine), of_run.filter(entry=None)
        essays = ours.values("essay")
        people = people.filter(essay__in=essays)
        found: list[tuple[bool, QuerySet[RunPair] | QuerySet[PairScore]]] = [
            (True, ours),
            (False, people),
        ]
    else:
        present = _present(essay_set).annotate(number=F("assessed__essay_id"))
        own = present.filter(
            assessed__author=author_id,
            assessed__origin=origin,
            assessed__source=MarkupRecord.Source.ALGORITHM,
        )
        experts = present.filter(
            assessed__source=MarkupRecord.Source.EXPERT,
            assessed__essay__in=own.values("assessed__essay"),
        )
        found = [(True, own), (False, experts)]
    for is_ours, scores in found:
        for score in scores.order_by("number", "reference_id", "assessed_id"):
            measured = score.metrics(), score.accuracy
            yield Pair(score.number, score.assessed_id, score.reference_id, is_ours, measured)


def _answers(pairs: Iterable[Pair], *, with_codes: bool = True) -> Iterator[Answer]:
    by_essay: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_essay[pair.essay].append(pair)
    for numbers in batched(by_essay, BATCH):
        essays = Essay.objects.in_bulk(numbers)
        ours = [pair for number in numbers for pair in by_essay[number] if pair.is_ours]
        compared = _compared(ours) if with_codes else {}
        for number in numbers:
            if number in essays:
                yield _answer(essays[number], by_essay[number], compared)


def _answer(
    essay: Essay, pairs: Iterable[Pair], compared: Mapping[tuple[int, int], Comparison]
) -> Answer:
    subject = essay.core_subject
    listed = list(pairs)
    return Answer(
        essay.number,
        subject,
        tuple(
            Against(str(pair.reference), pair.measured, _meetings(pair, subject, compared))
            for pair in listed
            if pair.is_ours
        ),
        tuple(pair.measured for pair in listed if not pair.is_ours),
    )


def _meetings(
    pair: Pair, subject: Subject, compared: Mapping[tuple[int, int], Comparison]
) -> Meetings:
    """Nothing where a markup was taken out since a run has counted it."""
    found = compared.get((pair.assessed, pair.reference))
    return meetings_of(found, subject) if found else {}


def _compared(pairs: Iterable[Pair]) -> dict[tuple[int, int], Comparison]:
    """The comparisons of pairs whose markups are there still, matched in bulk."""
    listed = list(pairs)
    markups = _markups(listed)
    numbers = [
        (pair.assessed, pair.reference)
        for pair in listed
        if pair.assessed in markups and pair.reference in markups
    ]
    if not numbers:
        return {}
    sides = [markups[number] for both in numbers for number in both]
    columns = pack(sides)
    corpus = Corpus(
        columns, np.repeat(np.arange(len(numbers)), 2), np.tile([False, True], len(numbers))
    )
    found = (each for portion in match_all(corpus) for each in comparisons(portion, columns, sides))
    return dict(zip(numbers, found, strict=True))


def _markups(pairs: Iterable[Pair]) -> dict[int, Markup]:
    wanted = {number for pair in pairs for number in (pair.assessed, pair.reference)}
    records = MarkupRecord.objects.filter(pk__in=wanted).select_related("essay")
    return {record.pk: record.to_core() for record in records.prefetch_related("fragments")}
