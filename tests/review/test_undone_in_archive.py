"""An act on many checks can be undone once: not while a set of it is in the archive."""

from __future__ import annotations

import uuid

import pytest

from annotator.models import Assignment, Essay, EssaySet
from review.models.acts import BulkAct
from review.services.acts import Wish, carry_out, plan_of, undo
from tests.factories import AssignmentFactory, PersonFactory
from web.refusals import Refused

pytestmark = pytest.mark.django_db


def test_nothing_comes_back_into_an_archived_set_but_all_does_once_it_is_taken_out():
    coordinator, check = PersonFactory(role="coordinator"), AssignmentFactory()
    wish = Wish(BulkAct.Kind.WITHDRAW, Essay.objects.order_by())
    act = carry_out(wish=wish, key=uuid.uuid4(), actor=coordinator, digest=plan_of(wish).digest)
    EssaySet.objects.update(name="A", state="archived")

    with pytest.raises(Refused, match="The set “A” is in the archive"):
        undo(act=act, actor=coordinator)
    stayed = Assignment.objects.get().state
    EssaySet.objects.update(state="closed")
    undo(act=act, actor=coordinator)

    check.refresh_from_db()
    assert (stayed, check.state) == ("withdrawn", "waiting")
