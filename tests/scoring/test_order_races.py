"""What is done to an essay at the moment a run is ordered was done before it (PostgreSQL)."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import transaction

from annotator.services.versions import replace_essay
from review.services.reopening import reopen_check
from scoring.models import ScoreRun
from scoring.services.run_ordering import order_run, prepare_run
from tests.e2e.database import connected, together
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.services import copy_of
from tests.strategies import fragment

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def server(postgres_tables, django_db_blocker):
    with copy_of(postgres_tables) as address, django_db_blocker.unblock(), connected(address):
        yield


@pytest.mark.usefixtures("server")
def test_a_run_scores_no_check_that_is_being_reopened_while_it_is_ordered():
    essay = EssayFactory()
    given = AssignmentFactory(essay=essay, role="first", state="submitted")
    record, other = submitted(essay, assignment=given), submitted(essay)
    submitted(essay, fragment(0, 4), author=PersonFactory(role="participant"), source="algorithm")
    actor = PersonFactory(role="coordinator")

    told = ordered_during(
        essay.essay_set,
        lambda: reopen_check(assignment=record.assignment, actor=actor, reason="An appeal"),
    )

    assert [each["experts"] for each in told] == [[other.pk]]


@pytest.mark.usefixtures("server")
def test_a_run_scores_no_version_that_is_being_replaced_while_it_is_ordered():
    essay = EssayFactory()
    stays = EssayFactory(essay_set=essay.essay_set)
    solver = PersonFactory(role="participant")
    for each in (essay, stays):
        submitted(each)
        submitted(each, fragment(0, 4), author=solver, source="algorithm")
    asked = {"text": "Quite another text.", "reason": "A line was missing"}
    actor = PersonFactory(role="coordinator")

    told = ordered_during(essay.essay_set, lambda: replace_essay(essay=essay, actor=actor, **asked))

    assert [each["essay"] for each in told] == [stays.pk]


def ordered_during(essay_set, act):
    """What a run scores that is ordered while the transaction of an act is still to end."""
    is_done = threading.Event()

    def acted():
        with transaction.atomic():
            act()
            is_done.set()
            time.sleep(1)

    def ordered():
        assert is_done.wait(60)
        run = order_run(essay_set=essay_set, actor=None)
        prepare_run(run_id=run.pk)
        return run.pk

    nothing, run_id = together(acted, ordered)
    assert nothing is None
    parts = ScoreRun.objects.get(pk=run_id).parts.order_by("number")
    return [each for part in parts for each in part.content]
