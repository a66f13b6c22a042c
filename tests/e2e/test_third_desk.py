"""The third check when several act at once: taken once, reopened once, held by nobody gone."""

from __future__ import annotations

from collections import Counter
from functools import partial
from http import HTTPStatus

import pytest

from accounts.models import AuditEntry, User
from accounts.services.people import set_active
from annotator.models import Assignment, MarkupRecord
from review.models import ThirdCheck
from review.services.assigning import assign_expert
from tests.e2e.database import together
from tests.e2e.essays import people, two_checks
from tests.e2e.promises import all_ended, broken_promises
from tests.e2e.visitor import Visitor, went_well
from tests.factories import EssayFactory
from tests.review.thirds import thirds

pytestmark = pytest.mark.full


def now(record):
    return MarkupRecord.objects.get(pk=record.pk)


def test_fragments_taken_ten_times_at_once_are_there_once(stack):
    made = thirds()
    visitor = Visitor(stack, made.record.author)
    path = f"/markups/{made.record.pk}/take/"
    sources = " ".join(map(str, made.rows("first")))

    answers = together(*[partial(visitor.post, path, version=0, sources=sources)] * 10)

    assert Counter(answer.status for answer in answers) == {HTTPStatus.OK: 10}
    taken = made.record.fragments.values_list("taken_from", flat=True)
    assert (list(taken), now(made.record).version) == (made.rows("first"), 1)
    # no rule has called this third expert, and nobody has graded the two checks
    MarkupRecord.objects.filter(essay=made.essay).update(state="draft", submitted_at=None)
    Assignment.objects.filter(essay=made.essay).update(state="withdrawn")


@pytest.mark.usefixtures("worker", "rival")
def test_a_check_is_reopened_once_and_after_its_second_submission_everything_is_as_ruled(stack):
    one, other, *_ = people(2 + 3)
    checks = two_checks(one, other)
    authors = {record.pk: Visitor(stack, record.author) for record in (checks.first, checks.second)}
    for record in (checks.first, checks.second):
        assert went_well(authors[record.pk].submit(record))
    stack.until(all_ended, "every job ends")
    third = checks.thirds().get()
    coordinators = [Visitor(stack, person) for person in people(2, User.Role.COORDINATOR)]
    path = f"/desk/assignments/{checks.first.assignment_id}/reopen/"

    answers = together(*(partial(each.post, path, reason="cut off") for each in coordinators))

    found = Counter(answer.status for answer in answers)
    assert found == {HTTPStatus.FOUND: 2}
    said = AuditEntry.objects.filter(action="markup.reopened", object_id=str(checks.first.pk))
    assert said.count() == 1
    assert now(checks.first).state == "draft"

    again = [partial(authors[checks.first.pk].submit, now(checks.first))] * 10
    assert all(went_well(answer) for answer in together(*again))

    stack.until(all_ended, "every job ends")
    assert broken_promises() == []
    assert checks.thirds().get() == third
    assert ThirdCheck.objects.get(essay=checks.essay).needed


@pytest.mark.usefixtures("stack")
def test_nobody_holds_work_whose_account_was_closed_at_the_instant_of_the_assignment():
    (manager,) = people(1, User.Role.COORDINATOR)
    for _ in range(10):
        (expert,) = people(1)
        essay = EssayFactory()
        give = partial(
            assign_expert,
            essay=essay,
            expert=expert,
            role=Assignment.Role.FIRST,
            actor=manager,
        )
        person = User.objects.get(pk=expert.pk)

        together(give, partial(set_active, person=person, active=False, actor=manager))

        assert not expert.assignments.filter(state__in=Assignment.ACTIVE).exists()
