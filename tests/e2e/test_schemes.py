"""A run of a scheme is scored by a real worker, once, also when the worker dies in between."""

from __future__ import annotations

import pytest

from schemes.models import SchemeRun
from tests.e2e.visitor import Visitor, went_well
from tests.factories import PersonFactory
from tests.schemes.inputs import INPUTS, form_of

pytestmark = pytest.mark.full

ANSWERS = 4_000
"""Enough to take a worker some time, and no slow machine more than a job may last here."""


@pytest.fixture
def person(worker):  # noqa: ARG001 - the rows need the database
    return PersonFactory(role="participant")


@pytest.mark.parametrize("slug", sorted(INPUTS))
def test_a_run_is_scored_by_the_worker(stack, person, slug):
    assert went_well(Visitor(stack, person).post(f"/schemes/{slug}/", **form_of(slug)))
    run = SchemeRun.objects.get(owner=person)

    stack.until(lambda: state_of(run) == "done", "the run is scored")

    page = Visitor(stack, person).get(f"/schemes/runs/{run.uuid}/")
    assert (page.status, run.items.count() > 0) == (200, True)


def test_a_run_whose_worker_is_killed_at_it_is_scored_once(stack, worker, person):
    answers = "text\n" + "我爱祖国\n" * ANSWERS
    form = form_of("coscore", answers=answers)
    assert went_well(Visitor(stack, person).post("/schemes/coscore/", **form))
    run = SchemeRun.objects.get(owner=person)

    stack.until(lambda: state_of(run) == "running", "the run is being scored")
    worker.kill("hand")
    worker.ready()

    stack.until(lambda: state_of(run) == "done", "the run is scored")
    run.refresh_from_db()
    assert run.items.count() == ANSWERS
    assert run.job.attempts in (2, 3)  # where all is slow, its time may be over once


def state_of(run):
    return SchemeRun.objects.values_list("state", flat=True).get(pk=run.pk)
