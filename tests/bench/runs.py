"""A score run from rows to its board, by the very workers of `manage.py run`.

`bench runs`, or `bench runs 3300` for fewer essays; `bench runs 3300 postgres` on PostgreSQL; and
`bench runs 0` for the pages of many entries alone. Each essay has two experts and one algorithm, so
four results: 25,000 essays make 100,000 of them.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from statistics import median

from django.db import connection
from django.db.models import F, Model
from django.db.models.expressions import Combinable
from django.utils import timezone

from accounts.models import User
from annotator.models import Essay, EssaySet, FragmentRecord, MarkupRecord
from config.run import web_processes
from contest.models import Team
from scoring.core.board import Unsure
from scoring.core.scored import scored
from scoring.models import CriteriaRecord, RunEntry, RunPair, ScoreRun, StandingBoard
from scoring.services.code import code_digest
from scoring.services.pairs import weights_of
from scoring.services.ranking import rank_entries
from scoring.services.run_moves import keep_moves
from scoring.services.run_ordering import order_run
from scoring.services.run_parts import (
    Result,
    keep_results,
    markups_of,
    read_part,
    rows_of,
    standing_versions,
)
from tests.bench.corpora import EXPERTS, drawn_essay
from tests.bench.crowd import processor_of
from tests.bench.jobs import backends
from tests.bench.timing import percentile
from tests.contest.running_world import announced
from tests.e2e.database import connected
from tests.e2e.stack import Stack, WorkerProcess
from tests.e2e.visitor import Visitor
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted

ESSAYS = 33_000
DRAWN = 300
"""So many essays differ; the others are copies of them."""
ENTRIES = 100_000
CALLS = 40
SOURCES = ("expert", "expert", "algorithm")
sizes: dict[type[Model], int] = {}
"""How many rows of a model were drawn; they have the first numbers."""
LIMIT = {"JOB_LIMIT_SECONDS": "48"}
"""As in production; a stack of the tests has six seconds."""


def figures(essays: str = str(ESSAYS), only: str = "") -> Iterator[str]:
    """Lines for each backend that is to be had here, or for the one that is named."""
    for name, stack in stacks(only):
        yield f"\n{name}, {int(essays)} essays"
        yield from on(stack, int(essays)) if int(essays) else at_many_entries(stack)


def stacks(only: str) -> Iterator[tuple[str, Stack]]:
    """One after the other, each on tables of its own that this process uses too."""
    for name, addresses in backends():
        if only.casefold() not in name.casefold():
            continue
        with addresses as given, tempfile.TemporaryDirectory() as folder:
            stack = Stack(Path(folder), crew=("web", "worker", "tick"), **given)
            stack.environment |= LIMIT
            sizes.clear()
            with stack, connected(stack.database_url):
                yield name, stack


def on(stack: Stack, essays: int) -> Iterator[str]:
    essay_set = filled(essays)
    fragments = FragmentRecord.objects.count()
    yield f"  {MarkupRecord.objects.count()} markups of {fragments} fragments"
    crew = [WorkerProcess(stack, stack.children["worker"]).ready().main]
    for workers in (1, 2):
        if workers > 1:
            crew.append(WorkerProcess(stack, stack.hire("second")).ready().main)
        before = sum(map(processor_of, crew))
        run = order_run(essay_set=essay_set, actor=None)
        stack.until(partial(is_over, run), "the run is ready", patience=1800)
        yield line(run, workers, sum(map(processor_of, crew)) - before)
    yield from shares(run)
    yield from at_many_entries(stack)


def filled(essays: int, sources: Sequence[str] = SOURCES) -> EssaySet:
    """A set of so many essays, copied by the database from those that were drawn."""
    essay_set = EssaySetFactory(name="measured", access="open")
    authors = [PersonFactory() for _ in range(2)] + [PersonFactory(role="participant")]
    for seed in range(min(DRAWN, essays)):
        markups = drawn_essay(seed)[EXPERTS - 2 : EXPERTS + 1]
        essay = EssayFactory(essay_set=essay_set, text=markups[0].text)
        for author, source, markup in zip(authors, sources, markups, strict=False):
            submitted(essay, *markup.fragments, author=author, source=source)
    CriteriaRecord.objects.bulk_create(
        CriteriaRecord(markup=each, points={}, total=each.pk % 10)
        for each in MarkupRecord.objects.all()
    )
    random = {"sqlite": "lower(hex(randomblob(16)))", "postgresql": "gen_random_uuid()"}
    again = (essays - 1) // DRAWN
    copied(Essay, again, number="number || '-' || {turn}", uuid=random[connection.vendor])
    copied(MarkupRecord, again, essay_id=Essay)
    copied(FragmentRecord, again, markup_id=MarkupRecord)
    copied(CriteriaRecord, again, markup_id=MarkupRecord)
    counted_by_the_database()
    return essay_set


def counted_by_the_database() -> None:
    """What a server does by itself soon after so many rows were written, unless it is told not to:
    without it PostgreSQL takes a table of a hundred thousand for one of a few hundred.
    """
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def copied(model: type[Model], turns: int, **changed: str | type[Model]) -> None:
    """The first rows of a table once more a turn; what names a row of a model, its copy."""
    table, size = model._meta.db_table, sizes.setdefault(model, model._default_manager.count())
    columns = [field.column for field in model._meta.concrete_fields]
    with connection.cursor() as cursor:
        for turn in range(1, turns + 1):
            values = {"id": f"id + {turn * size}"}
            for name, change in changed.items():
                if isinstance(change, str):
                    values[name] = change.format(turn=turn)
                else:
                    values[name] = f"{name} + {turn * sizes[change]}"
            said = ", ".join(values.get(column, f'"{column}"') for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            cursor.execute(
                f"INSERT INTO {table} ({names}) SELECT {said} FROM {table} WHERE id <= {size}"  # noqa: S608 - our own names
            )
        if connection.vendor == "postgresql":
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608 - our own names
            )


def is_over(run: ScoreRun) -> bool:
    run.refresh_from_db()
    if run.state == ScoreRun.State.FAILED:
        raise SystemExit(run.told_failure)
    return run.state == ScoreRun.State.READY


def line(run: ScoreRun, workers: int, processor: float) -> str:
    assert run.finished_at is not None
    seconds = (run.finished_at - run.ordered_at).total_seconds()
    last = run.parts.order_by("-done_at").values_list("done_at", flat=True)[0]
    pairs = (last - run.ordered_at).total_seconds()
    return (
        f"  {workers} worker{'s' if workers > 1 else ''}: {run.pairs} results in {seconds:.1f} s,"
        f" {pairs:.1f} s of it to the last result; 100,000 in {seconds * 1e5 / run.pairs:.1f} s,"
        f" {processor * 1e5 / run.pairs:.1f} s of processor"
    )


def shares(run: ScoreRun) -> Iterator[str]:
    """Where a part's time goes, in this process alone."""
    part = run.parts.exclude(number=0).earliest("number")
    standing = standing_versions(markups_of(part.content))
    times = {
        "reading fragments": lambda: rows_of(standing),
        "reading all": lambda: read_part(part.content, standing),
    }
    found = {name: processor(call) for name, call in times.items()}
    read = read_part(part.content, standing)
    weights = weights_of(run.rules)
    found["matching and counting"] = processor(
        lambda: list(scored(read.assessed, read.fragments, weights))
    )
    rows = RunPair.objects.filter(run=run, essay__in=[each["essay"] for each in part.content])
    results = [Result(*row) for row in rows.values_list(*Result._fields)]
    found["writing"] = processor(lambda: keep_results(results))
    for name, seconds in found.items():
        yield f"  {name}, {len(read.named)} markups: {seconds * 1000:.0f} ms of processor"


def processor(call: Callable[[], object]) -> float:
    """Seconds of processor, the least of three calls."""
    found = []
    for _ in range(3):
        began = time.process_time()
        call()
        found.append(time.process_time() - began)
    return min(found)


def at_many_entries(stack: Stack) -> Iterator[str]:
    """Ranks alone, and the pages of a run with many entries, alone and beside an applied one."""
    essay_set = EssaySetFactory()
    run = ScoreRun.objects.create(
        essay_set=essay_set,
        rules=essay_set.rules,
        set_rules=essay_set.rules,
        code=code_digest(),
        state=ScoreRun.State.READY,
        unsure=Unsure.MANY_RANKED,
    )
    with_entries(run)
    began = time.monotonic()
    moved = rank_entries(run_id=run.pk)
    yield f"  ranks of {ENTRIES} entries, {moved} of them new: {time.monotonic() - began:.2f} s"
    began = time.monotonic()
    rank_entries(run_id=run.pk)
    yield f"  the same where nothing changes: {time.monotonic() - began:.2f} s"
    judge = Reader(stack)
    of_run, board = f"/scores/runs/{run.pk}/", f"/boards/{essay_set.pk}/?run={run.pk}"
    yield judge.first(of_run)
    yield judge.far_into(f"{of_run}?ranks=", "a page of fifty of them")
    yield judge.far_into(f"{board}&page=", "a page of their board")
    for who, star in (("nobody", F("star")), ("everybody", 100 - F("star"))):
        applied = beside(run, star)
        first = Timed(lambda applied=applied: keep_moves(applied, run))
        yield f"  who would move beside an applied run, {who}: found in {first}"
        yield judge.far_into(f"{of_run}?ranks=", f"the same page beside it, {who} moves")
        yield judge.far_into(f"{board}&page=", "the board with its history")
        yield judge.asked([board] * CALLS, "its first page")
        apart = [f"{board}&apart={n % 20 + 1}" for n in range(CALLS)]
        yield judge.asked(apart, "those apart")
        StandingBoard.objects.all().delete()


def with_entries(run: ScoreRun) -> None:
    """Entries of participants of a contest; those that stand apart are excluded from it."""
    contest = announced()
    people = User.objects.bulk_create(
        (User(username=f"many-{n}", role="participant") for n in range(ENTRIES)), batch_size=5000
    )
    entries = RunEntry.objects.bulk_create(
        (entry_of(run, number, people) for number in range(ENTRIES)), batch_size=5000
    )
    Team.objects.bulk_create(
        Team(
            contest=contest,
            name=each.name,
            account_id=each.participant_id,
            excluded_at=timezone.now(),
            excluded_because="Measured.",
        )
        for each in entries
        if each.state == RunEntry.State.EXCLUDED
    )
    counted_by_the_database()


def entry_of(run: ScoreRun, number: int, people: Sequence[User]) -> RunEntry:
    """All a board tells of an entry, also what it tells of a thousand at most; one of a hundred
    stands apart.
    """
    star = number * 7919 % 99991 / 1000
    is_apart = number % 100 == 0
    return RunEntry(
        run=run,
        participant=people[number],
        name=people[number].username,
        state="excluded" if is_apart else "ranked",
        star=star,
        otar=star / 0.8,
        metrics=[None, *[star] * 5],
        counted=600,
        low=max(0.0, star - 1),
        high=min(100.0, star + 1),
        best=1,
        worst=ENTRIES,
        like=[people[(number + step) % ENTRIES].pk for step in range(1, 21)],
    )


def beside(run: ScoreRun, star: Combinable) -> ScoreRun:
    """An applied run with the entries of another, whose scores are these."""
    applied = ScoreRun.objects.create(
        essay_set=run.essay_set,
        rules=run.rules,
        set_rules=run.set_rules,
        code=run.code,
        state=ScoreRun.State.APPLIED,
        proposal=ScoreRun.Proposal.APPLY,
        proposed_by=PersonFactory(role="organiser"),
        decided_by=PersonFactory(role="judge"),
        decided_at=timezone.now(),
    )
    RunEntry.objects.bulk_create(
        (
            RunEntry(run=applied, participant_id=participant, name=name, state=state, star=score)
            for participant, name, state, score in run.entries.values_list(
                "participant", "name", "state", star
            ).iterator(5000)
        ),
        batch_size=5000,
    )
    rank_entries(run_id=applied.pk)
    StandingBoard.objects.create(essay_set=run.essay_set, applied=applied)
    return applied


class Timed:
    """What a call takes: by the clock, and of the processor of this process alone."""

    def __init__(self, call: Callable[[], object]) -> None:
        began, worked = time.monotonic(), time.process_time()
        call()
        self.clock, self.processor = time.monotonic() - began, time.process_time() - worked

    def __str__(self) -> str:
        return f"{self.clock:.2f} s, {self.processor:.2f} s of processor"


class Reader:
    """A judge in front of the web of a stack: what pages take by the clock, and of the processor of
    all processes of the web.
    """

    def __init__(self, stack: Stack) -> None:
        self.visitor = Visitor(stack, PersonFactory(role="judge"))
        self.web = stack.children["web"].process.pid

    def first(self, address: str) -> str:
        """What the first page takes, of each process of the web that has just begun."""
        took = ", ".join(f"{self.time_of(address) * 1000:.0f} ms" for _ in range(web_processes()))
        return f"  the first pages since the web began: {took}"

    def far_into(self, address: str, name: str) -> str:
        """Every fiftieth of the pages of a list."""
        return self.asked([f"{address}{n * 50}" for n in range(1, CALLS + 1)], name)

    def asked(self, addresses: Sequence[str], name: str) -> str:
        times, worked = [], []
        for address in addresses:
            before = processor_of(self.web)
            times.append(self.time_of(address) * 1000)
            worked.append((processor_of(self.web) - before) * 1000)
        load = os.getloadavg()[0]
        return f"  {name} (load {load:.0f}): {spread(times)}; processor {spread(worked)}"

    def time_of(self, address: str) -> float:
        began = time.monotonic()
        assert self.visitor.get(address).status == HTTPStatus.OK, address
        return time.monotonic() - began


def spread(milliseconds: list[float]) -> str:
    """The median, the 95th percentile and the slowest."""
    found = (median(milliseconds), percentile(milliseconds, 95), max(milliseconds))
    return "{:.0f} ms (p50), {:.0f} ms (p95), {:.0f} ms (slowest)".format(*found)
