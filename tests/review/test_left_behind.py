"""Undoing an act on many checks: what cannot come back is told, before and after."""

from __future__ import annotations

import uuid

import pytest

from accounts.models import User
from annotator.models import Assignment, Essay
from review.models.acts import BulkAct
from review.services.acts import Wish, carry_out, plan_of
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
)
from tests.pages import texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def essays():
    """Three essays, each with a check that is not begun."""
    essay_set = EssaySetFactory()
    for number in range(3):
        AssignmentFactory(essay=EssayFactory(essay_set=essay_set, number=f"{number}"))
    return Essay.objects.order_by()


LEFT = {
    "closed": (
        lambda essays, _given: close(essays[0].assignments.get(state="withdrawn").expert),
        "the account is closed or no expert’s: Ann (1)",
    ),
    "begun": (
        lambda _essays, given: DraftFactory(assignment=given[0]),
        "whoever got it has begun it, or it was taken from them (1)",
    ),
    "taken": (
        lambda essays, given: (
            Assignment.objects.filter(pk=given[0].pk).update(state="withdrawn"),
            AssignmentFactory(essay=essays[0]),
        ),
        "whoever got it has begun it, or it was taken from them (1)",
    ),
}


def close(person):
    User.objects.filter(pk=person.pk).update(is_active=False, full_name="Ann")


@pytest.mark.parametrize(("change", "words"), LEFT.values(), ids=LEFT)
def test_what_cannot_come_back_is_told_with_the_reason_before_and_after(
    essays, coordinator, log_in, change, words
):
    expert = PersonFactory()
    wish = Wish(BulkAct.Kind.HAND_OVER, essays, expert=expert)
    seen = plan_of(wish).digest
    act = carry_out(key=uuid.uuid4(), wish=wish, actor=coordinator, digest=seen)
    change(essays.order_by("number"), list(expert.assignments.order_by("essay__number")))
    before = Assignment.objects.earliest("pk").state
    desk = log_in(coordinator)
    address = f"/desk/acts/{act.key}/"

    told = [texts_of(desk.get(address), "#left li")]
    desk.post(f"{address}undo/")
    undone = desk.get(address)
    told.append(texts_of(undone, "#left li"))

    assert told == [[words], [words]]
    assert texts_of(undone, "h1") == ["Undone in part"]
    assert BulkAct.objects.get().restored == 2
    assert Assignment.objects.earliest("pk").state == before


def test_an_undo_that_gives_nothing_back_does_not_say_undone(essays, coordinator, log_in):
    wish = Wish(BulkAct.Kind.WITHDRAW, essays)
    act = carry_out(key=uuid.uuid4(), wish=wish, actor=coordinator, digest=plan_of(wish).digest)
    User.objects.filter(assignments__in=Assignment.objects.all()).update(is_active=False)

    page = log_in(coordinator).post(f"/desk/acts/{act.key}/undo/", follow=True)

    assert texts_of(page, "h1") == ["Nothing could be given back"]
    assert texts_of(page, ".messages li") == ["Nothing could be given back: see why below."]
    assert len(texts_of(page, "#left li")) == 1
