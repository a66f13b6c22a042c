"""The checks of this folder bite: on the same database they convict each promise's naive twin."""

from __future__ import annotations

import contextlib
import signal
import threading
import uuid
from functools import partial

import pytest
from django.db import connection

from accounts.models import User
from annotator.core.values import Fragment, Span
from annotator.models import Assignment
from jobs.models import Job
from scoring.models import CriteriaRecord
from tests.e2e import naive
from tests.e2e.database import together
from tests.e2e.essays import draft, people, two_checks
from tests.e2e.once import (
    check_all_saved,
    check_one_change,
    check_one_claim,
    check_one_fragment,
    check_one_holder,
    check_one_markup,
    check_one_submission,
)
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.visitor import Visitor, went_well
from tests.factories import EssayFactory

pytestmark = pytest.mark.full

FIRST = Assignment.Role.FIRST
HELD_ONCE = next(
    each for each in Assignment._meta.constraints if each.name == "one_active_expert_per_role"
)
PLACES = [Fragment(Span(0, end), "А.грамм") for end in (4, 5)]


@pytest.fixture
def rivals(stack):  # noqa: ARG001 - the rows need the database
    """Two of them: neither acts before both have looked."""
    return threading.Barrier(2, timeout=60)


@pytest.fixture
def record(stack):  # noqa: ARG001 - the rows need the database
    (expert,) = people(1)
    return draft(EssayFactory(), FIRST, expert)


@pytest.fixture
def unconstrained(stack):  # noqa: ARG001 - the rows need the database
    """The naive twin of the table: nothing forbids two experts for one check."""
    with connection.schema_editor() as editor:
        editor.remove_constraint(Assignment, HELD_ONCE)
    yield
    twice = Assignment.objects.order_by("essay", "role", "pk")
    seen = set()
    for assignment in twice:
        place = assignment.essay_id, assignment.round, assignment.role
        if place in seen:
            assignment.delete()
        seen.add(place)
    with connection.schema_editor() as editor:
        editor.add_constraint(Assignment, HELD_ONCE)


def well(outcomes):
    return [not isinstance(outcome, Exception) for outcome in outcomes]


def convicts(check, *arguments):
    with contextlib.suppress(AssertionError):
        check(*arguments)
        return False
    return True


@pytest.mark.usefixtures("unconstrained", "worker")
def test_two_third_experts_are_noticed(stack, rivals):
    one, other, *_ = people(2 + 3)
    checks = two_checks(one, other)
    for record in (checks.first, checks.second):
        assert went_well(Visitor(stack, record.author).submit(record))
    stack.until(all_ended, "every job ends")
    checks.thirds().delete()

    together(*(partial(naive.assign_third, checks.essay, nth, rivals) for nth in range(2)))

    assert broken_promises() == [f"essay {checks.essay} has 2 third experts"]


@pytest.mark.usefixtures("unconstrained")
def test_two_holders_of_one_check_are_noticed(rivals):
    essay, experts = EssayFactory(), people(2)

    together(*(partial(naive.assign, essay, FIRST, expert, rivals) for expert in experts))

    assert convicts(check_one_holder, essay, FIRST)


def test_two_winners_of_one_version_are_noticed(record, rivals):
    outcomes = together(
        *(partial(naive.add_fragment, record, 0, uuid.uuid4(), each, rivals) for each in PLACES)
    )

    assert convicts(check_one_change, record, well(outcomes))


def test_a_repeated_fragment_that_fails_is_noticed(record, rivals):
    uid = uuid.uuid4()

    outcomes = together(*[partial(naive.add_fragment, record, 0, uid, PLACES[0], rivals)] * 2)

    assert convicts(check_one_fragment, record, well(outcomes))


def test_a_save_written_over_another_one_is_noticed(record, rivals):
    uids = [uuid.uuid4() for _ in range(2)]

    together(*(partial(naive.save, record, uid, rivals) for uid in uids))

    assert convicts(check_all_saved, record, uids)


@pytest.mark.usefixtures("worker")
def test_a_markup_submitted_twice_is_noticed(record, rivals):
    together(*[partial(naive.submit, record, rivals)] * 2)

    assert convicts(check_one_submission, record)


def test_a_repeated_key_that_fails_is_noticed(rivals):
    essay, (participant,) = EssayFactory(), people(1, User.Role.PARTICIPANT)

    outcomes = together(*[partial(naive.send, essay, participant, "the key", rivals)] * 2)

    assert convicts(check_one_markup, essay, well(outcomes))
    essay.markups.all().delete()


@pytest.mark.usefixtures("stack")
def test_two_owners_of_one_job_are_noticed(rivals):
    job = Job.objects.create(key=f"claimed:{uuid.uuid4()}", kind="tests.nothing")

    claims = together(*[partial(naive.claim, job.pk, rivals)] * 2)

    assert convicts(check_one_claim, claims)


@pytest.mark.usefixtures("worker")
def test_a_lost_bell_without_a_row_is_noticed(stack, record):
    died = stack.python("-m", "tests.e2e.dying", record.pk, "naive", check=False)
    assert died.returncode == -signal.SIGKILL, died.stderr

    # Whoever orders work after it gets it done: there is nothing left to wait for.
    (expert,) = people(1)
    later = draft(EssayFactory(), FIRST, expert)
    assert went_well(Visitor(stack, expert).submit(later))
    stack.until(CriteriaRecord.objects.filter(markup=later).exists, "what came later is graded")
    stack.until(all_ended, "every job ends")

    assert broken_promises() == [f"markup {record.pk} has 0 records of criteria"]
    type(record).objects.filter(pk=record.pk).delete()
