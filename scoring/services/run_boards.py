"""The board of a score run: figures of its entries, their ranks, and how sure these are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from importlib.metadata import version
from itertools import chain, islice
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from annotator.models import EssaySet
from jobs.models import Job
from jobs.services.work import fenced, order
from scoring.core.accuracy import EssayAccuracy, ster
from scoring.core.board import MOST_RANKED, Board, Participant, Standing, Unsure, board
from scoring.core.bootstrap import Bootstrap
from scoring.core.entries import is_enough
from scoring.core.entry_figures import Figures, figures_of
from scoring.models import RunEntry, ScoreRun
from scoring.queries.overtaken import essays_withdrawn_from, still_as_ordered, withdrawn_from
from scoring.queries.runs import (
    accuracies_between_experts,
    accuracies_of_entries,
    applied_run,
    numbers_of,
    pairs_by_entry,
    ranked_entries,
)
from scoring.services.ranking import rank_entries
from scoring.services.run_files import run_as_lines
from scoring.services.run_moves import keep_moves
from scoring.services.run_ordering import hold_run, left_out
from web.sharing import keep

ENTRIES_AT_ONCE: Final = 1000
MARKUPS_AT_ONCE: Final = 5000
FIGURES: Final = ("state", "counted", "star", "otar", "metrics", "markups_digest", "counts_digest")
SURENESS: Final = ("low", "high", "best", "worst", "like")
TICK: Final = timedelta(milliseconds=1)
"""What SQLite counts by: what is renamed within the same one is renamed later."""
State, Outcome = ScoreRun.State, RunEntry.State


def finish_run(*, run_id: int) -> None:
    """Store the figures of a run's entries and their ranks, from its pairs. Safe to repeat."""
    run = ScoreRun.objects.select_related("rules").get(pk=run_id)
    if run.state != State.COMPUTING:
        return
    _leave_out_withdrawn(run)
    numbers = numbers_of(run)
    experts = accuracies_between_experts(run, numbers)
    essays = _essays_standing(run)
    entries = _with_figures(run, experts, numbers, len(essays))
    with fenced():
        if hold_run(run_id).state != State.COMPUTING:
            return
        while some := list(islice(entries, ENTRIES_AT_ONCE)):
            _keep(some, FIGURES)
        rank_entries(run_id=run_id)
        pairs = run.scores.count()
        ScoreRun.objects.filter(pk=run_id).update(
            essays=len(essays),
            pairs=pairs,
            ster=_ster(experts),
            left_out=_all_left_out(run, numbers),
        )
        _order_next(run_id, "resample")


def resample_run(*, run_id: int) -> None:
    """Store how sure a run's ranks are (standings.md 4). Safe to repeat."""
    run = ScoreRun.objects.select_related("rules").get(pk=run_id)
    if run.state != State.COMPUTING:
        return
    rows, unsure = _sure_rows(run)
    with fenced():
        if hold_run(run_id).state != State.COMPUTING:
            return
        for some in _some(rows):
            _keep(some, SURENESS)
        told = unsure.value if unsure else ""
        ScoreRun.objects.filter(pk=run_id).update(unsure=told, numpy=version("numpy"))
        _order_next(run_id, "close")


def close_run(*, run_id: int) -> None:
    """Store the digest of a run whose figures are all there; then it is ready. Safe to repeat.

    The export is read before anything is held: nothing in it changes any more but names, which it
    tells as they are when this begins, and so does the file of the run ever after.
    """
    moment = _moment_of_names(run_id)
    run = ScoreRun.objects.select_related("rules", "essay_set").get(pk=run_id)
    if run.state != State.COMPUTING:
        return
    run.finished_at = moment
    digest = sha256()
    for line in run_as_lines(run):
        digest.update(line.encode())
    with fenced():
        if hold_run(run_id).state != State.COMPUTING:
            return
        ScoreRun.objects.filter(pk=run_id).update(
            state=State.READY, digest=digest.hexdigest(), finished_at=run.finished_at
        )
        before = applied_run(run)
        if before is not None:
            keep_moves(before, run)


@transaction.atomic
def _moment_of_names(run_id: int) -> datetime:
    """The moment just before this one. Whatever is being renamed now has its new name afterwards:
    by the audit trail it may have it from before that moment on.
    """
    run = ScoreRun.objects.annotate(now=Now()).get(pk=run_id)
    keep(EssaySet.objects.filter(pk=run.essay_set_id))
    keep(User.objects.filter(pk__in=run.entries.order_by().values("participant")))
    return run.now - TICK


def board_of_run(run: ScoreRun) -> tuple[Board, list[RunEntry]]:
    """The board by the pure function, from the run's pairs, and its ranked entries in that order.

    Rows are named by the positions of entries, so that within a rank they stand by name.
    """
    entries = list(ranked_entries(run))
    numbers = numbers_of(run)
    experts = accuracies_between_experts(run, numbers)
    found = accuracies_of_entries(run, entries, numbers)
    essays = {number: experts.get(number, []) for number in _essays_standing(run)}
    participants = [
        Participant(_row_name(each), Standing.RANKED, found.get(each.pk, {})) for each in entries
    ]
    return board(essays, participants, run.rules.hardness, Bootstrap(run.seed)), entries


def _order_next(run_id: int, step: str) -> None:
    order(
        kind=f"scoring.{step}_run",
        key=f"run:{run_id}:{step}",
        args={"run_id": run_id},
        priority=Job.Priority.RUNS,
    )


def _sure_rows(run: ScoreRun) -> tuple[list[RunEntry], Unsure | None]:
    if ranked_entries(run).count() > MOST_RANKED:
        return [], Unsure.MANY_RANKED
    made, entries = board_of_run(run)
    by_name = {_row_name(each): each for each in entries}
    for row in made.rows:
        entry, sure = by_name[row.name], row.sureness
        if sure is not None:
            (entry.low, entry.high), (entry.best, entry.worst) = sure.interval, sure.ranks
            entry.like = [by_name[name].participant_id for name in sure.like]
    return entries, made.unsure


def _row_name(entry: RunEntry) -> str:
    return f"{entry.position:09}"


def _with_figures(
    run: ScoreRun, experts: Mapping[str, list[float]], numbers: Mapping[int, str], essays: int
) -> Iterator[RunEntry]:
    """The entries with what their pairs say of them; one that has none has nothing."""
    entries = RunEntry.objects.filter(run=run).in_bulk()
    nothing = figures_of((), {}, run.rules.hardness)
    for pk, pairs in pairs_by_entry(run, numbers):
        found = figures_of(pairs, experts, run.rules.hardness)
        yield _filled(entries.pop(pk), found, essays)
    for entry in entries.values():
        yield _filled(entry, nothing, essays)


def _filled(entry: RunEntry, found: Figures, essays: int) -> RunEntry:
    entry.counted, entry.star, entry.otar = found.counted, found.star, found.otar
    entry.metrics = [*found.metrics]
    entry.markups_digest, entry.counts_digest = found.markups, found.counts
    if entry.state in (Outcome.RANKED, Outcome.FEW, Outcome.NO_ANSWERS):
        enough = Outcome.RANKED if is_enough(found.counted, essays) else Outcome.FEW
        entry.state = enough if found.counted else Outcome.NO_ANSWERS
    return entry


def _leave_out_withdrawn(run: ScoreRun) -> None:
    """Drop the pairs of markups that were withdrawn after they had been scored, by name."""
    with fenced():
        essays = essays_withdrawn_from(run)
        if not essays:
            return
        for part in run.parts.all():
            names = [each["number"] for each in part.content if each["essay"] in essays]
            if names:
                part.left_out = _merged([part.left_out, left_out(("withdrawn", n) for n in names)])
                part.save(update_fields=["left_out"])
        for pairs in withdrawn_from(run):
            pairs.filter(essay__in=essays).delete()


def _essays_standing(run: ScoreRun) -> list[str]:
    """The numbers of the run's essays that an expert's markup stands of still."""
    parts = list(run.parts.all())
    contents = [each for part in parts for each in part.content]
    if not any(each["why"] == "withdrawn" for part in parts for each in part.left_out):
        return [each["number"] for each in contents]
    experts = [markup for each in contents for markup in each["experts"]]
    standing = {
        markup
        for first in range(0, len(experts), MARKUPS_AT_ONCE)
        for markup in still_as_ordered(run, experts[first : first + MARKUPS_AT_ONCE])
    }
    return [each["number"] for each in contents if not standing.isdisjoint(each["experts"])]


def _all_left_out(run: ScoreRun, numbers: Mapping[int, str]) -> list[dict[str, Any]]:
    undefined = run.scores.filter(accuracy=None).values_list("essay_id", flat=True)
    names = left_out(("undefined", numbers[essay]) for essay in set(undefined))
    return _merged([run.left_out, *run.parts.values_list("left_out", flat=True), names])


def _merged(lists: Iterable[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    found = chain.from_iterable(lists)
    return left_out((each["why"], what) for each in found for what in each["what"])


def _ster(experts: Mapping[str, list[float]]) -> float | None:
    return ster(EssayAccuracy((), tuple(values)) for values in experts.values())


def _some(rows: list[RunEntry]) -> Iterator[list[RunEntry]]:
    return (rows[at : at + ENTRIES_AT_ONCE] for at in range(0, len(rows), ENTRIES_AT_ONCE))


def _keep(entries: Iterable[RunEntry], fields: Sequence[str]) -> None:
    """Write some columns of rows that are there, in one statement."""
    RunEntry.objects.bulk_create(
        entries, update_conflicts=True, unique_fields=["id"], update_fields=fields
    )
