"""However many settle an essay at once, and whoever reopens it meanwhile: one grade, or none."""

from __future__ import annotations

from functools import partial

import pytest

from accounts.models import User
from annotator.models import MarkupRecord
from review.models import FinalGrade
from review.services.arbitration import arbitrate
from review.services.finals import settle_grade
from review.services.reopening import reopen_check
from scoring.services.grading import grade
from scoring.services.pairs import score_pairs_of
from tests.e2e.database import together
from tests.e2e.essays import draft, people, submit_unheard
from tests.factories import EssayFactory, EssaySetFactory

pytestmark = pytest.mark.full


@pytest.fixture
def graded(stack):  # noqa: ARG001 - the rows need the database
    """Makes an essay whose two checks agree and are graded, and nobody has settled."""
    essay_set = EssaySetFactory(rules__final_grades={"eng": "mean-third/total"})
    experts = people(2)

    def made():
        essay = EssayFactory(essay_set=essay_set)
        records = [
            draft(essay, role, expert)
            for role, expert in zip(("first", "second"), experts, strict=True)
        ]
        for record in records:
            submit_unheard(record)
            grade(markup_id=record.pk)
        score_pairs_of(markup_id=records[1].pk)
        arbitrate(essay_id=essay.pk)
        return essay

    return made


def test_fifty_settlings_at_one_instant_write_one_grade(graded):
    essay = graded()

    answers = together(*[partial(settle_grade, essay_id=essay.pk)] * 50)

    assert answers == [FinalGrade.objects.get(essay=essay)] * 50


def test_a_check_that_is_reopened_at_the_instant_leaves_no_grade_that_counts(graded):
    (coordinator,) = people(1, User.Role.COORDINATOR)
    essays = [graded() for _ in range(12)]

    for essay in essays:
        record = MarkupRecord.objects.select_related("assignment").filter(essay=essay).first()
        answers = together(
            partial(settle_grade, essay_id=essay.pk),
            partial(
                reopen_check, assignment=record.assignment, actor=coordinator, reason="Once more"
            ),
        )
        assert [each for each in answers if isinstance(each, Exception)] == []

    of_these = FinalGrade.objects.filter(essay__in=essays)
    assert not of_these.filter(voided_at=None).exists()
    assert set(of_these.values_list("voided_because", flat=True)) <= {"reopened"}
