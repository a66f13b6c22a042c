"""A part of a score run: its fragments are read by one query, matched in bulk, and kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models.functions import Now

from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from annotator.models import Essay, FragmentRecord, MarkupRecord
from compare.core.batch import FragmentLists
from jobs.models import Job
from jobs.services.work import fenced, order
from scoring.core.criteria import grade
from scoring.core.metrics import Weights
from scoring.core.scored import Assessed, scored
from scoring.models import CriteriaRecord, RunPart, ScoreRun
from scoring.services.code import code_digest
from scoring.services.pairs import weights_of
from scoring.services.run_ordering import fail_run, hold_run, left_out, order_parts

ROWS_AT_ONCE: Final = 2000
MARKUPS_AT_ONCE: Final = 5000
"""So many markups, of 100 essays and 48 solutions, are in memory at once."""
KINDS: Final = {each.value: each for each in Kind}
WORDS: Final = ("code", "subcode", "correction", "comment", "explanation", "tag")
PAIR: Final = ("run_id", "assessed_id", "reference_id")
Row = tuple[Any, ...]
"""A stored fragment: its markup, start, end, kind and ``WORDS``."""
COUNTING: Final = (MarkupRecord.State.SUBMITTED, MarkupRecord.State.SUPERSEDED)
"""What was submitted when the run was ordered may be replaced by now; it never changes."""


class Result(NamedTuple):
    """A row of ``RunPair`` before it is written: making rows of the model takes twice as long."""

    run_id: int
    entry_id: int | None
    essay_id: int
    assessed_id: int
    reference_id: int
    n: int
    m: int
    found: int
    equal_codes: int
    equal_subcodes: int
    localization: float
    equal_corrections: int
    m1: float | None
    accuracy: float | None


KEEP: Final = """
INSERT INTO scoring_runpair ({fields}) VALUES ({values})
ON CONFLICT (run_id, assessed_id, reference_id) DO UPDATE SET {changes}
""".format(
    fields=", ".join(Result._fields),
    values=", ".join(["%s"] * len(Result._fields)),
    changes=", ".join(f"{name} = EXCLUDED.{name}" for name in Result._fields if name not in PAIR),
)


class Read(NamedTuple):
    """A part as it was read: of each markup its number and its entry, what is scored, and of all
    of them the fragments.
    """

    named: Sequence[tuple[int, int | None]]
    assessed: Sequence[Assessed]
    fragments: FragmentLists


def score_part(*, part_id: int) -> None:
    """Score the essays of a part, and order what comes next. Safe to repeat, at once or late."""
    part = RunPart.objects.select_related("run__rules").get(pk=part_id)
    run = part.run
    if part.done_at or run.state != ScoreRun.State.COMPUTING:
        return
    if run.code != code_digest():
        fail_run(run_id=run.pk, cause=ScoreRun.Cause.PROGRAM)
        return
    pairs, reasons = 0, []
    portions = list(portioned(part.content))
    for number, portion in enumerate(portions, 1):
        versions = standing_versions(markups_of(portion))
        found = list(_results(run.pk, read_part(portion, versions), weights_of(run.rules)))
        with fenced():
            standing = _standing_still(versions)
            kept = [each for each in found if {each.assessed_id, each.reference_id} <= standing]
            keep_results(kept)
            pairs += len(kept)
            reasons += _withdrawn(portion, standing)
            if number == len(portions):
                _close(part, pairs, left_out(reasons))


def portioned(content: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """The essays of a part, so many at once as memory takes: most parts are one portion."""
    portion: list[Mapping[str, Any]] = []
    size = 0
    for each in content:
        more = len(each["experts"]) + len(each["answers"])
        if portion and size + more > MARKUPS_AT_ONCE:
            yield portion
            portion, size = [], 0
        portion.append(each)
        size += more
    yield portion


def markups_of(content: Sequence[Mapping[str, Any]]) -> list[int]:
    """The numbers of all markups of a part."""
    experts = [markup for each in content for markup in each["experts"]]
    return experts + [markup for each in content for _entry, markup in each["answers"]]


def standing_versions(markups: Collection[int]) -> dict[int, int]:
    """The versions of those markups that have not been withdrawn or reopened."""
    found = MarkupRecord.objects.filter(pk__in=markups, state__in=COUNTING)
    return dict(found.values_list("pk", "version"))


def _standing_still(versions: Mapping[int, int]) -> set[int]:
    """Those of these markups that are what they were when they were read."""
    now = standing_versions(versions)
    return {markup for markup, version in versions.items() if now.get(markup) == version}


def read_part(content: Sequence[Mapping[str, Any]], standing: Collection[int]) -> Read:
    """The markups of a portion that stand, with their numbers and entries, essay by essay.

    Their fragments are read by one ordered query; points that are not stored yet are graded.
    """
    rows = rows_of(standing)
    totals = dict(
        CriteriaRecord.objects.filter(markup__in=standing).values_list("markup_id", "total")
    )
    essays = [each["essay"] for each in content]
    texts = dict(Essay.objects.filter(pk__in=essays).values_list("pk", "text"))
    named, assessed = [], []
    for each in content:
        essay, subject = each["essay"], Subject(each["subject"])
        known: list[tuple[int | None, int]] = [(None, markup) for markup in each["experts"]]
        known += [(entry, markup) for entry, markup in each["answers"]]
        for entry, markup in known:
            if markup not in standing:
                continue
            total = totals.get(markup)
            if total is None:
                fragments = (_fragment(*row[1:]) for row in rows.get(markup, ()))
                total = grade(subject, Markup(texts[essay], tuple(fragments))).total
            named.append((markup, entry))
            assessed.append(Assessed(essay, subject, entry is None, total, texts[essay]))
    return Read(named, assessed, _lists([rows.get(markup, []) for markup, _entry in named]))


def rows_of(markups: Collection[int]) -> dict[int, list[Row]]:
    """The fragments of markups as they are stored, in the order they were made."""
    rows = (
        FragmentRecord.objects.filter(markup__in=markups)
        .order_by("markup_id", "pk")
        .values_list("markup_id", "start", "end", "kind", *WORDS)
    )
    found = rows.iterator(chunk_size=ROWS_AT_ONCE)
    return {markup: list(own) for markup, own in groupby(found, itemgetter(0))}


def keep_results(results: Sequence[Result]) -> None:
    """Write results in place of those a repeated part has written before."""
    with connection.cursor() as cursor:
        cursor.executemany(KEEP, results)


def _lists(rows: Sequence[Sequence[Row]]) -> FragmentLists:
    columns = list(zip(*chain.from_iterable(rows), strict=True)) or [()] * (4 + len(WORDS))
    return FragmentLists([len(own) for own in rows], *columns[1:])


def _fragment(start: int | None, end: int | None, kind: str, *words: str) -> Fragment:
    span = None if start is None or end is None else Span(start, end)
    code, subcode, correction, comment, explanation, tag = words
    return Fragment(span, code, subcode, comment, explanation, correction, tag, KINDS[kind])


def _results(run_id: int, read: Read, weights: Weights) -> Iterator[Result]:
    for each in scored(read.assessed, read.fragments, weights):
        assessed, entry = read.named[each.assessed]
        reference, _none = read.named[each.reference]
        essay, counts = read.assessed[each.assessed].essay, each.counts
        yield Result(
            run_id,
            entry,
            essay,
            assessed,
            reference,
            counts.n,
            counts.m,
            counts.found,
            counts.equal_codes,
            counts.equal_subcodes,
            counts.localization,
            counts.equal_corrections,
            each.m1,
            each.accuracy,
        )


def _withdrawn(
    content: Sequence[Mapping[str, Any]], standing: Collection[int]
) -> list[tuple[str, str]]:
    """The essays of which a markup was withdrawn or reopened since the run was ordered."""
    return [
        ("withdrawn", each["number"])
        for each in content
        if any(markup not in standing for markup in markups_of([each]))
    ]


def _close(part: RunPart, pairs: int, reasons: list[dict[str, Any]]) -> None:
    """Say that a part is done; who closes the last one orders the board."""
    run = hold_run(part.run_id)
    if run.state != ScoreRun.State.COMPUTING:
        return
    RunPart.objects.filter(pk=part.pk).update(done_at=Now(), pairs=pairs, left_out=reasons)
    if part.number == 0:
        order_parts(run, first=False)
    if not run.parts.filter(done_at=None).exists():
        order(
            kind="scoring.finish_run",
            key=f"run:{run.pk}:finish",
            args={"run_id": run.pk},
            priority=Job.Priority.RUNS,
        )
