"""What is done at the moment a run is ordered, or finished, was done before it (PostgreSQL)."""

from __future__ import annotations

import threading
import time
from hashlib import sha256

import pytest
from django.db import transaction

from accounts.services.people import save_person
from annotator.services.set_acts import describe_set
from annotator.services.versions import replace_essay
from review.services.reopening import reopen_check
from scoring.models import ScoreRun
from scoring.services.run_boards import close_run
from scoring.services.run_files import run_as_lines
from scoring.services.run_ordering import order_run, prepare_run
from tests.e2e.database import connected, together
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.scoring.runs import TASKS, marked_set, waiting
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


@pytest.mark.usefixtures("server")
def test_the_file_of_a_run_keeps_its_digest_whoever_is_renamed_while_it_is_finished():
    held = marked_set()
    run = order_run(essay_set=held, actor=None)
    jobs = waiting().filter(key__startswith=f"run:{run.pk}:").order_by("pk")
    while (job := jobs.first()).kind != "scoring.close_run":
        TASKS[job.kind](job.pk)
    person = run.entries.first().participant

    def rename():
        person.username = f"renamed-{person.pk}"
        save_person(person=person, subjects=(), actor=None)
        values = {"name": f"Renamed {held.pk}"}
        describe_set(essay_set=held, seen=held.revision, actor=None, values=values)

    during(rename, lambda: close_run(run_id=run.pk))

    done = ScoreRun.objects.get(pk=run.pk)
    assert sha256("".join(run_as_lines(done)).encode()).hexdigest() == done.digest


def ordered_during(essay_set, act):
    """What a run scores that is ordered while the transaction of an act is still to end."""

    def ordered():
        run = order_run(essay_set=essay_set, actor=None)
        prepare_run(run_id=run.pk)
        return run.pk

    parts = ScoreRun.objects.get(pk=during(act, ordered)).parts.order_by("number")
    return [each for part in parts for each in part.content]


def during(act, other):
    """What else gives that is done while the transaction of an act is still to end."""
    is_done = threading.Event()

    def acted():
        with transaction.atomic():
            act()
            is_done.set()
            time.sleep(1)

    def done_meanwhile():
        assert is_done.wait(60)
        return other()

    nothing, found = together(acted, done_meanwhile)
    assert nothing is None
    return found
