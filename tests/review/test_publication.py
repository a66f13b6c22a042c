"""What judges and the commission said of a set is asked before its board is published."""

from __future__ import annotations

import pytest

from review.services.verdicts import (
    against_publication,
    approve_set,
    return_set,
    seen_of,
    verify_set,
)
from scoring.signals import publication_asked
from tests.review.verdicts import judge, member, settled_set

pytestmark = pytest.mark.django_db


def asked(essay_set):
    answers = publication_asked.send(sender=None, set_id=essay_set.pk)
    return [answer for _receiver, answer in answers if answer]


def test_a_set_nobody_has_said_anything_of_is_left_to_the_verdicts_of_its_run():
    assert asked(settled_set()) == []


def test_a_set_that_was_verified_waits_for_the_approval():
    essay_set = settled_set()
    verify_set(essay_set=essay_set, actor=judge(), seen=seen_of(essay_set))
    waits = asked(essay_set)
    approve_set(essay_set=essay_set, actor=member(), seen=seen_of(essay_set))

    assert (waits, asked(essay_set)) == (
        ["The commission approves the checks of the set first."],
        [],
    )


def test_a_set_that_was_returned_has_no_board_until_it_is_verified_anew():
    essay_set = settled_set()
    seen = seen_of(essay_set)
    return_set(essay_set=essay_set, actor=judge(), seen=seen, reason="Look again")

    words = "The set was returned: its board is not published."
    assert against_publication(set_id=essay_set.pk) == words
