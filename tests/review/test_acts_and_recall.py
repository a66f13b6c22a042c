"""Acts and checks that were submitted a moment ago: they can be recalled yet, and stay."""

from __future__ import annotations

import uuid

import pytest

from annotator.models import Assignment, Essay
from annotator.services.markup import submit_markup
from annotator.services.recalling import make_final
from review.models.acts import BulkAct
from review.services.acts import Wish, carry_out, plan_of
from review.services.assigning import withdraw
from tests.factories import AssignmentFactory, DraftFactory, EssayFactory, PersonFactory
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

WITHDRAW, HAND_OVER = BulkAct.Kind.WITHDRAW, BulkAct.Kind.HAND_OVER


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


def states():
    return [*Assignment.objects.order_by("pk").values_list("role", "state")]


def handed_in(settings):
    """A check that was submitted a moment ago and can be recalled yet, beside an open one."""
    settings.RECALL_SECONDS = 60
    essay = EssayFactory(number="9")
    record = DraftFactory(assignment=AssignmentFactory(essay=essay, state="working"))
    submit_markup(record=record, version=record.version)
    AssignmentFactory(essay=essay, role="second")
    return record


@pytest.mark.parametrize("kind", [WITHDRAW, HAND_OVER])
def test_what_was_submitted_a_moment_ago_stays_with_its_expert(coordinator, settings, kind):
    record = handed_in(settings)
    expert = PersonFactory() if kind == HAND_OVER else None
    wish = Wish(kind, Essay.objects.order_by(), expert=expert)
    left = plan_of(wish).left_alone

    digest = plan_of(wish).digest
    act = carry_out(key=uuid.uuid4(), wish=wish, actor=coordinator, digest=digest)
    make_final(record=record)

    assert left == {"submitted within the last minute": 1}
    assert len(act.checks) == 1
    assert [each for each in states() if each[1] != "waiting"] == [
        ("first", "submitted"),
        ("second", "withdrawn"),
    ]


def test_a_check_submitted_between_the_question_and_the_press_is_not_taken(coordinator, settings):
    settings.RECALL_SECONDS = 60
    record = DraftFactory(assignment=AssignmentFactory(state="working"))
    wish = Wish(WITHDRAW, Essay.objects.order_by())
    seen = plan_of(wish).digest
    submit_markup(record=record, version=record.version)

    with pytest.raises(Conflict, match="has changed"):
        carry_out(key=uuid.uuid4(), wish=wish, actor=coordinator, digest=seen)

    assert states() == [("first", "working")]


def test_one_check_that_was_submitted_a_moment_ago_is_not_taken_away(coordinator, settings):
    record = handed_in(settings)

    with pytest.raises(Refused, match="closed already"):
        withdraw(assignment=record.assignment, actor=coordinator)

    assert make_final(record=record).state == "submitted"
