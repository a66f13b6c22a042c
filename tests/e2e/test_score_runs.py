"""R17: the same markups under the same rules give the same bytes, whoever scores them."""

from __future__ import annotations

from functools import partial

import pytest
from django.db.models.functions import Now

from annotator.models import Essay, FragmentRecord, MarkupRecord
from annotator.services.markup import row_of
from scoring.models import RunPart, ScoreRun
from scoring.services.run_files import run_as_lines
from scoring.services.run_ordering import order_run
from tests.e2e.essays import people
from tests.e2e.stack import WorkerProcess
from tests.factories import TEXT, EssaySetFactory, PersonFactory
from tests.strategies import fragment

pytestmark = pytest.mark.full

ESSAYS = 401
"""One goes first, and four parts follow it."""
SOURCES = ("expert", "expert", "algorithm", "algorithm")
HIT, MISS = fragment(0, 4), fragment(43, 48)


@pytest.fixture
def essay_set(stack, runs):  # noqa: ARG001 - the rows stand in its database
    """Essays with two experts' markups; two programs answered every one."""
    found = EssaySetFactory(name=f"the same bytes {runs} times")
    authors = [*people(2), *(PersonFactory(role="participant") for _ in range(2))]
    essays = Essay.objects.bulk_create(
        Essay(essay_set=found, number=f"{n * 7919 % 100003:06}", subject="eng", text=TEXT)
        for n in range(ESSAYS)
    )
    markups = MarkupRecord.objects.bulk_create(
        MarkupRecord(
            essay=essay, author=author, source=source, state="submitted", submitted_at=Now()
        )
        for essay in essays
        for author, source in zip(authors, SOURCES, strict=True)
    )
    FragmentRecord.objects.bulk_create(
        row_of(each, mark)
        for number, each in enumerate(markups)
        for mark in ([HIT] if number * 7 % 11 < 6 else [HIT, MISS])
    )
    yield found
    MarkupRecord.objects.filter(essay__essay_set=found).update(state="superseded")


def is_ready(run):
    run.refresh_from_db()
    assert run.state != ScoreRun.State.FAILED, run.failure
    return run.state == ScoreRun.State.READY


def some_part_is_done(run):
    return RunPart.objects.filter(run=run, done_at__isnull=False, number__gt=0).exists()


@pytest.mark.parametrize("runs", [4, pytest.param(10, marks=pytest.mark.long)])
def test_runs_by_one_to_four_hands_give_the_same_bytes_also_when_one_is_killed(
    stack, worker, essay_set, runs
):
    found = set()
    for number in range(runs):
        if number == runs // 2:
            WorkerProcess(stack, stack.hire("three more", hands=3)).ready()
        run = order_run(essay_set=essay_set, actor=None, seed=5)
        if number % 2:
            stack.until(partial(some_part_is_done, run), "a part is done")
            worker.kill("group")
        stack.until(partial(is_ready, run), "the run is ready")
        assert (run.essays, run.pairs) == (ESSAYS, 6 * ESSAYS)
        found.add((run.digest, "".join(run_as_lines(run))))
    worker.ready()
    stack.until(lambda: stack.health()["status"] == "ok", "the worker that was killed beats again")
    stack.dismiss("three more")

    assert len(found) == 1
