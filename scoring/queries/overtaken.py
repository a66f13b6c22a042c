"""What became of the markups and essays of score runs since these were ordered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.models import Essay, EssayImport, ImportedFile, MarkupRecord
from scoring.models import RunPair, RunPart, ScoreRun
from web.core.batches import batched

NO_EXPERT: Final = "no-expert"
STANDING: Final = (MarkupRecord.State.SUBMITTED, MarkupRecord.State.SUPERSEDED)
AT_ONCE: Final = 100
"""So many essays whose markups are looked up together."""
Told = Mapping[str, Any]
"""An essay of a run: its row, its number, the markups that are scored."""


def runs_missing_checks(runs: Collection[ScoreRun], wanted: Q) -> set[int]:
    """The numbers of those of these runs that should have scored an expert's markup that stands,
    and did not, as it stands; of the ``wanted`` markups.

    Such of essays a run scored or found unmarked, or that came in after it was ordered; one that
    was reopened since is another one. A check that could still be recalled when a run fixed what it
    scores is among them: it was handed in before, and stands since.
    """
    standing = MarkupRecord.objects.filter(
        wanted,
        essay__essay_set__in=[run.essay_set_id for run in runs],
        essay__closed_at=None,
        source=MarkupRecord.Source.EXPERT,
        state=MarkupRecord.State.SUBMITTED,
    )
    fields = ("pk", "essay_id", "essay__number", "submitted_at")
    by_set: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
    for set_id, *row in standing.order_by().values_list("essay__essay_set", *fields):
        by_set[set_id].append(tuple(row))
    told = _told_of(runs)
    reopened = _reopened_since_each(runs)
    missing = set()
    for run in runs:
        scored = {markup for each in told[run.pk] for markup in each["experts"]}
        essays, unmarked = {each["essay"] for each in told[run.pk]}, _unmarked(run)
        if any(
            markup in reopened[run.pk]
            or (
                markup not in scored
                and (essay in essays or number in unmarked or (at and at > run.ordered_at))
            )
            for markup, essay, number, at in by_set[run.essay_set_id]
        ):
            missing.add(run.pk)
    return missing


def runs_missing_answers(runs: Collection[ScoreRun], answers: QuerySet[MarkupRecord]) -> set[int]:
    """The numbers of those of these runs that have not scored one of these answers, which stands,
    of an essay that experts had marked; few answers are asked about.
    """
    standing = answers.filter(state=MarkupRecord.State.SUBMITTED, essay__closed_at=None)
    by_set: dict[int, list[tuple[int, str]]] = defaultdict(list)
    rows = standing.order_by().values_list("essay__essay_set", "pk", "essay__number")
    for set_id, markup, number in rows:
        by_set[set_id].append((markup, number))
    asked = [run for run in runs if run.essay_set_id in by_set]
    told = _told_of(asked)
    missing = set()
    for run in asked:
        scored = {markup for each in told[run.pk] for _entry, markup in each["answers"]}
        unmarked = _unmarked(run)
        sent = by_set[run.essay_set_id]
        if any(markup not in scored and number not in unmarked for markup, number in sent):
            missing.add(run.pk)
    return missing


def withdrawn_from(run: ScoreRun) -> list[QuerySet[RunPair]]:
    """The pairs of a run one of whose markups does not count any more as it was when the run was
    ordered: withdrawn, or reopened, be it handed in again or not; by the side it stands on. Of two
    sides in one condition PostgreSQL looks every pair up twice.
    """
    stands = _as_ordered(run)
    return [
        RunPair.objects.filter(~Exists(stands.filter(pk=OuterRef(side))), run=run)
        for side in ("assessed", "reference")
    ]


def essays_withdrawn_from(run: ScoreRun) -> set[int]:
    """The numbers of their essays. Pairs are found by their markups: of what was reopened since,
    and of what an import had brought that was undone since.
    """
    found = [*_pairs_reopened(run), *_pairs_undone(run)]
    sides = (pairs.order_by().values_list("essay_id", flat=True).distinct() for pairs in found)
    return set().union(*sides)


def _pairs_reopened(run: ScoreRun) -> list[QuerySet[RunPair]]:
    """The pairs of a run on whose one side or the other a markup stands that was reopened since;
    by the index of pairs, which begins with the assessed side.
    """
    reopened = _reopened_since(run)
    if not reopened.exists():
        return []
    beside = MarkupRecord.objects.filter(essay__in=reopened.values("essay")).order_by()
    pairs = RunPair.objects.filter(run=run)
    as_reference = pairs.filter(
        assessed__in=beside.values("pk"), reference__in=reopened.values("pk")
    )
    return [pairs.filter(assessed__in=reopened.values("pk")), as_reference]


def _pairs_undone(run: ScoreRun) -> list[QuerySet[RunPair]]:
    """The same of markups that are gone with the import that had brought them: what the run scores
    of the essays of its files tells which these are.
    """
    files = ImportedFile.objects.filter(batch__in=_undone_since(run).values("pk"))
    numbers = set(files.order_by().values_list("number", flat=True))
    told = [each for each in _told(run) if each["number"] in numbers] if numbers else []
    found = []
    for some in batched(told, AT_ONCE):
        markups = [markup for each in some for markup in _markups_of(each)]
        gone = set(markups) - _there(markups)
        if gone:
            pairs = RunPair.objects.filter(run=run)
            found.append(pairs.filter(assessed__in=gone))
            found.append(pairs.filter(assessed__in=markups, reference__in=gone))
    return found


def still_as_ordered(run: ScoreRun, markups: Collection[int]) -> set[int]:
    """Those of these markups that stand as they did when a run was ordered."""
    return set(_as_ordered(run).filter(pk__in=markups).values_list("pk", flat=True))


def essays_replaced_since(run: ScoreRun) -> QuerySet[Essay]:
    """The essays of a run's set that have a new version since it was ordered, and that experts had
    marked; by number.
    """
    marked = MarkupRecord.objects.filter(
        essay=OuterRef("pk"), source=MarkupRecord.Source.EXPERT, state__in=STANDING
    )
    closed = Essay.objects.filter(essay_set=run.essay_set_id, closed_at__gt=run.ordered_at)
    return closed.filter(Exists(marked)).order_by("number", "pk")


def _told(run: ScoreRun) -> list[Told]:
    """The essays a run scores."""
    return _told_of([run])[run.pk]


def _told_of(runs: Iterable[ScoreRun]) -> dict[int, list[Told]]:
    """The essays of each of these runs, by its number."""
    found: dict[int, list[Told]] = {run.pk: [] for run in runs}
    parts = RunPart.objects.filter(run__in=found).order_by("run", "number")
    for number, content in parts.values_list("run", "content"):
        found[number] += content
    return found


def _unmarked(run: ScoreRun) -> set[str]:
    """The numbers of the essays no expert had marked."""
    return {name for each in run.left_out if each["why"] == NO_EXPERT for name in each["what"]}


def _markups_of(told: Told) -> list[int]:
    """The markups a run scores of an essay."""
    return [*told["experts"], *(markup for _entry, markup in told["answers"])]


def _there(markups: Collection[int]) -> set[int]:
    """Those of these markups that nobody has taken out."""
    rows = MarkupRecord.objects.filter(pk__in=markups).order_by()
    return set(rows.values_list("pk", flat=True))


def _as_ordered(run: ScoreRun) -> QuerySet[MarkupRecord]:
    """The markups that stand and were not reopened since a run was ordered."""
    as_it_was = Q(reopened_at=None) | Q(reopened_at__lte=run.ordered_at)
    return MarkupRecord.objects.filter(as_it_was, state__in=STANDING)


def _reopened_since(run: ScoreRun) -> QuerySet[MarkupRecord]:
    """The markups of a run's set that were reopened since it was ordered, or are open again: what
    was reopened a moment before may have been kept a moment after. Few, by their index.
    """
    return MarkupRecord.objects.filter(_is_reopened_since(run)).order_by()


def _reopened_since_each(runs: Iterable[ScoreRun]) -> dict[int, set[int]]:
    """The same of several runs, by the number of each."""
    wanted = {run.essay_set_id: run for run in runs}
    found: dict[int, set[int]] = {run.pk: set() for run in wanted.values()}
    if wanted:
        condition = reduce(or_, map(_is_reopened_since, wanted.values()))
        rows = MarkupRecord.objects.filter(condition).order_by()
        for markup, set_id in rows.values_list("pk", "essay__essay_set"):
            found[wanted[set_id].pk].add(markup)
    return found


def _is_reopened_since(run: ScoreRun) -> Q:
    since = Q(reopened_at__gt=run.ordered_at) | Q(state=MarkupRecord.State.DRAFT)
    return since & Q(reopened_at__isnull=False, essay__essay_set=run.essay_set_id)


def _undone_since(run: ScoreRun) -> QuerySet[EssayImport]:
    """The imports into a run's set that were undone since: what they had brought is gone."""
    undone = EssayImport.objects.filter(
        state=EssayImport.State.UNDONE, essay_set=run.essay_set_id, undone_at__gt=run.ordered_at
    )
    return undone.order_by()
