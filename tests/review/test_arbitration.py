from __future__ import annotations

import pytest

from accounts.models import User
from annotator.core.values import Fragment, Span
from annotator.models import Assignment, MarkupRecord
from annotator.services.markup import submit_markup
from jobs.models import Job
from review.models import ThirdCheck
from review.queries.settling import thirds_nobody_has
from review.services.arbitration import AT_ONCE, arbitrate, assign_waiting_thirds
from scoring.models import CriteriaRecord, PairScore
from scoring.services.grading import grade
from scoring.tasks import grade_markup, score_pairs
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
    submitted,
)

pytestmark = pytest.mark.django_db

FIRST, SECOND = Assignment.Role.FIRST, Assignment.Role.SECOND


def mistakes(count, code="А.грамм"):
    """So many mistakes, each counted on its own."""
    return [Fragment(Span(start, start + 1), code) for start in range(count)]


def checked(essay, role, *fragments):
    """A submitted and graded check."""
    assignment = AssignmentFactory(essay=essay, role=role, state=Assignment.State.SUBMITTED)
    record = submitted(essay, *fragments, assignment=assignment)
    grade(markup_id=record.pk)
    return record


@pytest.fixture
def essay():
    """Only K3 and K4 count; the gap of 8 mistakes of grammar and 3 of vocabulary is 4 points."""
    rules = RuleSetFactory(third_total="nomination")
    PersonFactory()
    return EssayFactory(essay_set=EssaySetFactory(rules=rules))


def test_a_graded_markup_has_the_points_of_its_subject(essay):
    record = checked(essay, FIRST, *mistakes(5))

    sheet = CriteriaRecord.objects.get(markup=record)
    assert (sheet.points["K3"], sheet.points["K4"], sheet.nomination) == (3, 1, 4)
    assert sheet.total == sum(sheet.points.values())


def test_one_check_decides_nothing(essay):
    checked(essay, FIRST)

    assert arbitrate(essay_id=essay.pk) is None
    assert list(ThirdCheck.objects.all()) == []


def test_a_gap_of_three_needs_no_third_expert(essay):
    checked(essay, FIRST)
    checked(essay, SECOND, *mistakes(8))

    assert arbitrate(essay_id=essay.pk) is None
    assert [check.needed for check in ThirdCheck.objects.all()] == [False]


def test_a_gap_of_four_calls_a_third_expert_and_keeps_the_reason(essay):
    checked(essay, FIRST)
    checked(essay, SECOND, *mistakes(8), *mistakes(2, "А.лекс"))

    assignment = arbitrate(essay_id=essay.pk)

    check = ThirdCheck.objects.get()
    assert (assignment.role, check.needed) == ("third", True)
    assert check.reasons == [
        {"cause": "total-gap", "criteria": ["K3", "K4"], "difference": 4, "threshold": 4}
    ]


def test_arbitration_run_twice_calls_one_expert(essay):
    PersonFactory()
    checked(essay, FIRST)
    checked(essay, SECOND, *mistakes(8), *mistakes(2, "А.лекс"))

    first, second = arbitrate(essay_id=essay.pk), arbitrate(essay_id=essay.pk)

    assert first == second
    assert essay.assignments.filter(role="third").count() == 1


def test_an_essay_waits_for_an_expert_to_become_free(essay):
    checked(essay, FIRST)
    checked(essay, SECOND, *mistakes(8), *mistakes(2, "А.лекс"))
    User.objects.exclude(assignments__essay=essay).update(is_active=False)
    assert arbitrate(essay_id=essay.pk) is None
    assert [check.essay for check in thirds_nobody_has()] == [essay]

    newcomer = PersonFactory()

    assert assign_waiting_thirds() == 1
    assert essay.assignments.get(role="third").expert == newcomer
    assert list(thirds_nobody_has()) == []


@pytest.mark.parametrize("waiting", [3, 60])
def test_however_many_thirds_wait_a_round_tries_a_few_of_them(
    waiting, django_assert_max_num_queries
):
    for _ in range(waiting):
        essay = EssayFactory(subject="hist")
        pair = [checked(essay, role) for role in (FIRST, SECOND)]
        ThirdCheck.objects.create(
            essay=essay, round=essay.round, first=pair[0], second=pair[1], needed=True
        )

    with django_assert_max_num_queries(AT_ONCE + 3):
        assert assign_waiting_thirds() == 0

    newcomer = PersonFactory(subjects=["hist"])
    rounds = [assign_waiting_thirds() for _ in range(-(-waiting // AT_ONCE))]
    assert sum(rounds) == waiting, "every one of them has its turn"
    assert newcomer.assignments.filter(role="third").count() == waiting


def test_a_submission_orders_its_grading_and_scoring_in_the_same_transaction():
    record = DraftFactory()

    submit_markup(record=record, version=0)

    assert [(job.kind, job.key, job.args) for job in Job.objects.all()] == [
        ("scoring.grade_markup", f"grade:{record.pk}", {"markup_id": record.pk}),
        ("scoring.score_pairs", f"score:{record.pk}", {"markup_id": record.pk}),
    ]


def run_all():
    for job in Job.objects.filter(state=Job.State.QUEUED):
        (grade_markup if job.kind.endswith("grade_markup") else score_pairs)(job.pk)


def test_two_diverging_submissions_end_with_a_third_expert(essay):
    one = DraftFactory(assignment=AssignmentFactory(essay=essay, role=FIRST))
    other = DraftFactory(assignment=AssignmentFactory(essay=essay, role=SECOND))
    for number in range(10):
        other.fragments.create(
            start=number, end=number + 1, kind="mistake", code="А.грамм" if number < 8 else "А.лекс"
        )
    submit_markup(record=one, version=0)
    submit_markup(record=other, version=0)

    run_all()

    assert essay.assignments.filter(role="third").count() == 1
    assert [job.state for job in Job.objects.all()] == ["done"] * 4


def test_every_pair_with_an_expert_is_scored_in_the_right_direction(essay):
    one, other = checked(essay, FIRST, *mistakes(2)), checked(essay, SECOND, *mistakes(1))
    robot = submitted(essay, *mistakes(1), source=MarkupRecord.Source.ALGORITHM)
    second_robot = submitted(essay, source=MarkupRecord.Source.ALGORITHM)

    for record in (one, other, robot, second_robot):
        Job.objects.create(
            key=f"score:{record.pk}", kind="scoring.score_pairs", args={"markup_id": record.pk}
        )
    run_all()

    scored = {(score.assessed, score.reference) for score in PairScore.objects.all()}
    assert scored == {
        (one, other),
        (other, one),
        (robot, one),
        (robot, other),
        (second_robot, one),
        (second_robot, other),
    }


def test_a_pair_score_holds_the_counts_of_the_comparison_and_names_its_rules(essay):
    one, other = checked(essay, FIRST, *mistakes(2)), checked(essay, SECOND, *mistakes(1))
    job = Job.objects.create(
        key="score:1", kind="scoring.score_pairs", args={"markup_id": other.pk}
    )

    score_pairs(job.pk)

    score = PairScore.objects.get(assessed=one, reference=other)
    assert (score.n, score.m, score.found, score.equal_codes, score.rules) == (
        2,
        1,
        1,
        1,
        essay.essay_set.rules,
    )
    assert score.metrics().m2 == pytest.approx(200 / 3)
