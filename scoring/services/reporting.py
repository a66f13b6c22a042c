"""The report of a solution, computed by a job and kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Final

import numpy as np
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from annotator.core.values import Markup, Subject
from annotator.models import Essay, EssaySet, MarkupRecord
from compare.core.batch import Corpus, comparisons, match_all, pack
from compare.core.comparison import Comparison
from jobs.services.work import fenced
from scoring.core.codes import Meetings, meetings_of
from scoring.core.entries import told_origin
from scoring.core.report import Against, Answer, Measured, change, report
from scoring.core.report_json import report_to_json
from scoring.models import PairScore, RunPair, ScoreRun, SolutionReport
from scoring.queries.reports import (
    Former,
    former_solution,
    is_kept,
    markups_of,
    present_scores,
    revision_of,
    run_reported,
)
from scoring.services.assessing import experts_and
from scoring.services.pairs import scores_between, sheets_of
from web.core.batches import batched

BATCH: Final = 50
"""Essays whose markups are in memory at once."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two markups of an essay with their figures; ``is_ours``: the left one is the solution's."""

    essay: int
    assessed: int
    reference: int
    is_ours: bool
    measured: Measured


def compute(*, set_id: int, author_id: int, origin: str) -> None:
    """Compute a report and keep it in place of an earlier one. Safe to repeat."""
    essay_set = EssaySet.objects.filter(pk=set_id).select_related("rules").first()
    if essay_set is None:
        return  # deleted meanwhile
    run = run_reported(essay_set)
    former = former_solution(essay_set, author_id, origin)
    revision = revision_of(essay_set, author_id, origin, former, run)
    if is_kept(essay_set, author_id, origin, revision):
        return
    hardness = (run.rules if run else essay_set.rules).hardness
    found = report(_answers(_pairs(essay_set, author_id, origin, run)), hardness)
    since = None
    if former is not None:
        before = _pairs_before(essay_set, author_id, former, run)
        step = change(found, report(_answers(before, with_codes=False), hardness))
        since = replace(step, than=told_origin(former.origin), than_at=former.at.isoformat())
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
        present = present_scores(essay_set).annotate(number=F("assessed__essay_id"))
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


def _pairs_before(
    essay_set: EssaySet, author_id: int, former: Former, run: ScoreRun | None
) -> Iterator[Pair]:
    """The solution before against every expert. What was replaced since is measured anew: who
    marked an essay later has no scores with it.
    """
    if run:
        yield from _pairs(essay_set, author_id, former.origin, run)
        return
    markups = markups_of(essay_set, author_id, former)
    present = present_scores(essay_set).filter(assessed__in=markups.values("pk"))
    for score in present.annotate(number=F("assessed__essay_id")).order_by("number", "pk"):
        yield _ours(score.number, score)
    replaced = markups.filter(state=MarkupRecord.State.SUPERSEDED)
    for numbers in batched(replaced.values_list("pk", flat=True), BATCH):
        for record in replaced.filter(pk__in=numbers).select_related("essay__essay_set__rules"):
            yield from (_ours(record.essay_id, score) for score in _measured_anew(record))


def _ours(essay: int, score: PairScore) -> Pair:
    measured = score.metrics(), score.accuracy
    return Pair(essay, score.assessed_id, score.reference_id, True, measured)


def _measured_anew(record: MarkupRecord) -> Iterator[PairScore]:
    """A markup that counts no more against the experts of its essay; nothing is kept."""
    values = {each: each.to_core() for each in (record, *experts_and([record]))}
    sheets = sheets_of(record.essay, values)
    yield from scores_between(record.essay, values, sheets, of=record)


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
