"""Everything that may be done by two people at once is done once, and the other is told."""

from __future__ import annotations

import uuid
from collections import Counter
from functools import partial
from http import HTTPStatus

import pytest

from accounts.models import User
from accounts.services.tokens import issue_token
from annotator.models import Assignment, EssaySet
from jobs.models import Job
from jobs.queries import live_hands
from jobs.services.bell import FEWEST, FOR_EACH_HAND, count_anew, may_ring
from jobs.services.work import claim, take_next
from tests.e2e.database import together
from tests.e2e.essays import draft, people, two_checks
from tests.e2e.once import (
    check_one_change,
    check_one_claim,
    check_one_fragment,
    check_one_holder,
    check_one_markup,
    check_one_submission,
)
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.visitor import Program, Visitor, went_well
from tests.factories import EssayFactory, EssaySetFactory, marking_form

pytestmark = pytest.mark.full

CONFLICT, REFUSED = HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY
FIRST, SECOND = Assignment.Role.FIRST, Assignment.Role.SECOND


@pytest.fixture
def record(stack):  # noqa: ARG001 - the rows need the database
    """A draft nobody has changed yet."""
    (expert,) = people(1)
    return draft(EssayFactory(), FIRST, expert)


def well(answers):
    return [went_well(answer) for answer in answers]


def statuses(answers):
    return Counter(answer.status for answer in answers)


@pytest.mark.usefixtures("worker", "rival")
def test_two_checks_submitted_at_one_instant_call_one_third_expert(stack):
    one, other, *_ = people(2 + 3)
    visitors = Visitor(stack, one), Visitor(stack, other)
    essays = [two_checks(one, other) for _ in range(5)]

    for checks in essays:
        answers = together(
            partial(visitors[0].submit, checks.first), partial(visitors[1].submit, checks.second)
        )
        assert all(well(answers))

    stack.until(all_ended, "every job ends")
    assert [checks.thirds().count() for checks in essays] == [1] * len(essays)
    assert broken_promises() == []


@pytest.mark.usefixtures("worker", "rival")
def test_fifty_submissions_of_one_markup_are_one(stack):
    one, other, *_ = people(2 + 3)
    checks = two_checks(one, other)
    assert went_well(Visitor(stack, one).submit(checks.first))
    visitor = Visitor(stack, other)

    answers = together(*[partial(visitor.submit, checks.second)] * 50)

    assert statuses(answers) == {HTTPStatus.FOUND: 50}
    check_one_submission(checks.second)
    stack.until(all_ended, "every job ends")
    jobs = Job.objects.filter(key__endswith=f":{checks.second.pk}")
    assert [job.attempts for job in jobs] == [1, 1]
    assert checks.thirds().count() == 1
    assert broken_promises() == []


def test_of_twenty_changes_of_one_mark_one_wins_and_the_others_hear_of_it(stack, record):
    visitor = Visitor(stack, record.author)
    path = f"/markups/{record.pk}/fragments/"
    assert went_well(visitor.post(path, **marking_form(record, start=0, end=4)))
    record.refresh_from_db()
    mark = record.fragments.get()
    forms = [marking_form(record, start=0, end=5 + number) for number in range(20)]

    answers = together(*(partial(visitor.post, f"{path}{mark.pk}/", **form) for form in forms))

    check_one_change(record, well(answers))
    assert statuses(answers) == {HTTPStatus.OK: 1, CONFLICT: 19}
    winner = forms[well(answers).index(True)]
    assert [row.end for row in record.fragments.all()] == [winner["end"]]


def test_one_fragment_sent_ten_times_at_once_is_one_fragment(stack, record):
    visitor = Visitor(stack, record.author)
    form = marking_form(record, start=0, end=4)
    path = f"/markups/{record.pk}/fragments/"

    answers = together(*[partial(visitor.post, path, **form)] * 10)

    check_one_fragment(record, well(answers))


def test_of_two_coordinators_one_assigns_and_the_other_reads_whom(stack):
    essay, experts = EssayFactory(), people(2)
    path = f"/desk/essays/{essay.pk}/assign/"
    coordinators = people(2, User.Role.COORDINATOR)
    visitors = [Visitor(stack, person) for person in coordinators]

    answers = together(
        *(
            partial(visitor.post, path, role=FIRST.value, expert=expert.pk)
            for visitor, expert in zip(visitors, experts, strict=True)
        )
    )

    check_one_holder(essay, FIRST)
    assert statuses(answers) == {HTTPStatus.FOUND: 1, REFUSED: 1}
    refused = answers[well(answers).index(False)]
    winner = coordinators[well(answers).index(True)]
    assert f"is given to {essay.assignments.get().expert} already, by {winner}" in refused.text


def test_one_click_of_two_coordinators_assigns_two_experts(stack):
    essay = EssayFactory()
    people(4)
    path = f"/desk/essays/{essay.pk}/assign/"
    visitors = [Visitor(stack, person) for person in people(2, User.Role.COORDINATOR)]

    answers = together(*(partial(visitor.post, path) for visitor in visitors))

    assert all(well(answers))
    check_one_holder(essay, FIRST)
    check_one_holder(essay, SECOND)


@pytest.mark.usefixtures("worker")
def test_a_markup_sent_ten_times_under_one_key_is_one_markup(stack):
    essay = EssayFactory(essay_set=EssaySetFactory(access=EssaySet.Access.OPEN))
    (participant,) = people(1, User.Role.PARTICIPANT)
    program = Program(stack, issue_token(user=participant, name="e2e"))
    markup = {"text": essay.text, "selections": []}

    answers = together(*[partial(program.send, essay.pk, markup, client_key="the key")] * 10)

    check_one_markup(essay, well(answers))
    assert statuses(answers) == {HTTPStatus.CREATED: 1, HTTPStatus.OK: 9}
    assert len({answer.json()["id"] for answer in answers}) == 1
    stack.until(all_ended, "every job ends")
    assert broken_promises() == []


@pytest.mark.usefixtures("stack")
def test_a_job_claimed_by_ten_workers_at_once_belongs_to_one():
    job = Job.objects.create(key=f"claimed:{uuid.uuid4()}", kind="tests.nothing")

    claims = together(*[partial(claim, job_id=job.pk)] * 10)

    job.delete()
    check_one_claim([each is not None for each in claims])


def test_jobs_in_bulk_taken_by_ten_workers_at_once_are_taken_once_each(worker):
    with worker.paused():
        names = [f"taken:{uuid.uuid4()}" for _ in range(500)]
        bulk = Job.Priority.BULK
        Job.objects.bulk_create(Job(key=key, kind="tests.nothing", priority=bulk) for key in names)
        claims = together(*[take_next] * 10)
        taken = [claim.job_id for each in claims for claim in each]
        Job.objects.filter(key__in=names).delete()

    assert (len(taken), len(set(taken))) == (500, 500)


def needed():
    """So many messages are sent while nothing heard one."""
    return max(FEWEST, FOR_EACH_HAND * live_hands())


def test_of_thirty_who_ring_at_once_only_as_many_send_a_message_as_are_needed(worker):
    with worker.paused():  # who hears a message makes room for another
        count_anew(rung=0)
        most = needed()  # hands of a test before may still count, and cease to meanwhile

        sent = together(*[may_ring] * 30)

        fewest = needed()
        count_anew(rung=0)
    assert fewest <= sent.count(True) <= most
