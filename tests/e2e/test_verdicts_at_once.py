"""However many judges say it at once, and whoever reopens a check meanwhile: one protocol, or none
that stands.
"""

from __future__ import annotations

from functools import partial

import pytest
from django.db.models import Count

from accounts.models import User
from annotator.models import MarkupRecord
from review.models import SetProtocol, Verdict
from review.services.reopening import reopen_check
from review.services.verdicts import approve_set, return_set, seen_of, verify_set
from scoring.services.pairs import score_pairs_of
from tests.e2e.database import together
from tests.e2e.essays import people
from tests.review.verdicts import a_check, settled_set, verify
from web.refusals import Refused

pytestmark = pytest.mark.full


def ready(name):
    """A set that is done, its scores too."""
    essay_set = settled_set(name=name)
    for record in MarkupRecord.objects.filter(essay__essay_set=essay_set):
        score_pairs_of(markup_id=record.pk)
    return essay_set


def standing(essay_set):
    return SetProtocol.objects.filter(essay_set=essay_set, voided_at=None)


def said(answers):
    """Who was heard; the others were told why."""
    heard = [each for each in answers if isinstance(each, Verdict)]
    assert [each for each in answers if not isinstance(each, Verdict | Refused)] == []
    return heard


def test_ten_judges_at_one_instant_verify_once(stack):  # noqa: ARG001 - the rows need the database
    essay_set = ready("Ten judges")
    seen = seen_of(essay_set)
    judges = people(10, User.Role.JUDGE)

    answers = together(
        *(partial(verify_set, essay_set=essay_set, actor=each, seen=seen) for each in judges)
    )

    (heard,) = said(answers)
    assert standing(essay_set).get().verdicts.get() == heard


def test_a_double_press_and_a_return_at_one_instant_are_one_verdict(stack):  # noqa: ARG001
    essay_set = ready("Double press")
    verify(essay_set)
    seen = seen_of(essay_set)
    one, other = people(2, User.Role.COMMISSION)
    approving = partial(approve_set, essay_set=essay_set, actor=one, seen=seen)
    returning = partial(return_set, essay_set=essay_set, actor=other, seen=seen, reason="no")

    heard = said(together(approving, approving, returning))

    kinds = {each.kind for each in heard}
    assert len(kinds) == len({each.pk for each in heard}) == 1
    assert standing(essay_set).count() == ("approved" in kinds)


def test_a_check_that_is_reopened_at_the_instant_leaves_nothing_that_stands(stack):  # noqa: ARG001
    (coordinator,) = people(1, User.Role.COORDINATOR)
    for number in range(8):
        essay_set = ready(f"At the instant {number}")
        if number % 2:
            verify(essay_set)
        seen, check = seen_of(essay_set), a_check(essay_set).assignment
        saying = approve_set if number % 2 else verify_set
        (person,) = people(1, User.Role.COMMISSION if number % 2 else User.Role.JUDGE)

        answers = together(
            partial(saying, essay_set=essay_set, actor=person, seen=seen),
            partial(reopen_check, assignment=check, actor=coordinator, reason="late"),
        )

        said(answers[:1])
        assert not isinstance(answers[1], Exception)
        assert list(standing(essay_set)) == []
    doubled = Verdict.objects.values("protocol", "kind").annotate(n=Count("pk")).filter(n__gt=1)
    assert list(doubled) == []
