"""A third expert's reason is a step of the log: undone, made again, and said so."""

from __future__ import annotations

import pytest

from review.models import Ruling
from review.queries.settling import reasons_of
from tests.review.test_undecided import UID, client, desk, numbers, pairs_of, post, ruled, said

pytestmark = pytest.mark.django_db
__all__ = ["client", "desk"]  # fixtures


def test_a_reason_is_a_step_that_is_undone_before_its_decision_and_made_again_after_it(
    client, desk
):
    second = pairs_of(desk)[1]
    post(client, desk, "neither", fragments=numbers(second))
    post(client, desk, "reasons", fragments=numbers(second), reason="both are wrong")
    post(client, desk, "reasons", fragments=numbers(second), reason="both are right")
    post(client, desk, "reasons", fragments=numbers(second), reason="")

    def step(way):
        words = said(post(client, desk, way))
        return words, {*reasons_of(desk.record).values()}, bool(ruled(desk))

    back = [step("undo") for _ in range(5)]
    again = [step("redo") for _ in range(5)]

    assert back == [
        ("Undone: reason taken back: “think”", {"both are right"}, True),
        ("Undone: reason changed: “think”", {"both are wrong"}, True),
        ("Undone: reason given: “think”", set(), True),
        ("Undone: neither taken: “think” and 1 more mark", set(), False),
        ("There is nothing to undo.", set(), False),
    ]
    assert again == [
        ("Made again: neither taken: “think” and 1 more mark", set(), True),
        ("Made again: reason given: “think”", {"both are wrong"}, True),
        ("Made again: reason changed: “think”", {"both are right"}, True),
        ("Made again: reason taken back: “think”", set(), True),
        ("There is nothing to make again.", set(), True),
    ]
    assert set(Ruling.objects.values_list("fragment", "reason")) == {(each, "") for each in second}


def test_a_reason_sent_twice_or_as_it_stands_is_no_other_step(client, desk):
    second = pairs_of(desk)[1]
    given = {"fragments": numbers(second), "reason": "both are wrong"}
    for _ in range(2):
        post(client, desk, "reasons", version=0, uid=UID, **given)
    post(client, desk, "reasons", **given)

    assert said(post(client, desk, "undo")) == "Undone: reason given: “think”"
    assert list(Ruling.objects.all()) == []
    assert said(post(client, desk, "undo")) == "There is nothing to undo."
