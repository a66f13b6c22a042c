from __future__ import annotations

import uuid

import pytest
from django.db import IntegrityError, transaction

from accounts.models import AuditEntry, User
from annotator.models import MarkupRecord
from annotator.services.drafts import add_fragment
from annotator.services.markup import submit_markup
from jobs.models import Job
from jobs.services.work import LeaseLost, claim, holding
from review.models import FinalGrade, ThirdCheck
from review.queries.grades import standing_grades
from review.services.finals import settle_grade
from review.services.reopening import reopen_check
from review.services.voiding import withdraw_decisions
from scoring.models import CriteriaRecord
from scoring.services.regrading import regrade
from tests.e2e.essays import GAP, Checks, draft, people, two_checks
from tests.factories import DraftFactory, EssayFactory, EssaySetFactory, PersonFactory
from tests.review.thirds import settle_rest
from tests.scoring.work import run_all

pytestmark = pytest.mark.django_db

MEAN, NEAREST = "mean-third/total", "nearest-two/criteria"
BEST = {"K1": 0, "K2": 1, "K3": 3, "K4": 3, "K5": 2}
WORST = {"K1": 0, "K2": 1, "K3": 0, "K4": 0, "K5": 2}


def set_with(rule=MEAN):
    return EssaySetFactory(rules__final_grades={"eng": rule} if rule else None)


def submit(*records):
    for record in records:
        found = MarkupRecord.objects.get(pk=record.pk)
        submit_markup(record=found, version=found.version)
    run_all()


def agreeing(rule=MEAN):
    """Two drafts without a mark: they agree."""
    essay = EssayFactory(essay_set=set_with(rule))
    one, other = people(2)
    return Checks(essay, draft(essay, "first", one), draft(essay, "second", other))


@pytest.fixture
def agreed():
    made = agreeing()
    submit(made.first, made.second)
    return made


@pytest.fixture
def apart():
    """Two submitted checks that a third expert has to settle."""
    *experts, _third = people(3)
    made = two_checks(*experts, set_with())
    submit(made.first, made.second)
    return made


def third_of(checks):
    record = DraftFactory(assignment=checks.thirds().get(), third=True)
    settle_rest(record)
    return record


def reopen(record, reason="Look at K4"):
    coordinator = PersonFactory(role=User.Role.COORDINATOR)
    found = MarkupRecord.objects.select_related("assignment").get(pk=record.pk)
    return reopen_check(assignment=found.assignment, actor=coordinator, reason=reason)


def history():
    rows = FinalGrade.objects.order_by("pk")
    return [(row.total, row.voided_because, row.reason) for row in rows]


def test_two_checks_that_agree_settle_the_grade(agreed):
    grade = FinalGrade.objects.get()

    assert (grade.essay, grade.round, grade.rule) == (agreed.essay, 1, MEAN)
    assert (grade.first, grade.second, grade.third) == (agreed.first, agreed.second, None)
    assert (grade.total, grade.points, grade.counted) == (9, None, ["first", "second"])
    assert grade.sheets == {"first": BEST, "second": BEST}
    assert list(standing_grades()) == [grade]


def test_one_check_settles_nothing():
    made = agreeing()

    submit(made.first)

    assert history() == []


def test_rules_that_state_nothing_give_no_grade():
    made = agreeing(rule=None)

    submit(made.first, made.second)

    assert (ThirdCheck.objects.count(), history()) == (1, [])


def test_a_third_check_that_is_needed_settles_it_when_it_comes(apart):
    assert history() == []

    submit(third_of(apart))

    grade = FinalGrade.objects.get()
    assert (grade.total, grade.counted) == (grade.third.criteria.total, ["third"])
    assert grade.sheets == {
        "first": BEST,
        "second": WORST,
        "third": grade.third.criteria.points,
    }


def test_by_criterion_the_grade_says_the_points_of_each():
    made = agreeing(NEAREST)

    submit(made.first, made.second)

    grade = FinalGrade.objects.get()
    assert (grade.total, grade.points) == (9, BEST)


def test_it_is_written_once_however_often_it_is_settled(agreed):
    before = FinalGrade.objects.values().get()

    for _ in range(3):
        settle_grade(essay_id=agreed.essay.pk)

    assert FinalGrade.objects.values().get() == before
    assert AuditEntry.objects.filter(action="grade.settled").count() == 1


@pytest.mark.usefixtures("agreed")
def test_a_job_that_is_done_again_writes_nothing_more():
    before = FinalGrade.objects.values().get()
    Job.objects.filter(key__startswith="grade:").update(state="queued", attempts=0)

    run_all()

    assert FinalGrade.objects.values().get() == before


def test_a_worker_that_lost_its_job_settles_nothing(agreed):
    FinalGrade.objects.all().delete()
    job = Job.objects.get(key=f"grade:{agreed.first.pk}")
    Job.objects.filter(pk=job.pk).update(state="queued", attempts=0)
    held = claim(job_id=job.pk)
    Job.objects.filter(pk=job.pk).delete()

    with holding(held), pytest.raises(LeaseLost):
        settle_grade(essay_id=agreed.essay.pk)

    assert history() == []


@pytest.mark.usefixtures("agreed")
def test_the_database_keeps_one_grade_that_counts():
    grade = FinalGrade.objects.get()
    grade.pk = None

    with pytest.raises(IntegrityError), transaction.atomic():
        grade.save(force_insert=True)


@pytest.mark.parametrize("column", ["total", "rule", "counted", "sheets", "round"])
def test_what_a_grade_says_never_changes(agreed, column):
    other = {"total": 3, "rule": "median/total", "counted": [], "sheets": {}, "round": 2}

    with pytest.raises(IntegrityError, match="cannot be changed"), transaction.atomic():
        FinalGrade.objects.filter(essay=agreed.essay).update(**{column: other[column]})


@pytest.mark.parametrize("check", ["first", "second"])
def test_a_reopened_check_voids_it_with_the_reason(agreed, check):
    reopen(getattr(agreed, check))

    grade = FinalGrade.objects.get()
    assert history() == [(9, "reopened", "Look at K4")]
    assert grade.voided_at >= grade.settled_at
    assert not standing_grades().exists()
    assert AuditEntry.objects.get(action="grade.voided").details == {
        "essay": agreed.essay.pk,
        "total": 9,
        "because": "reopened",
        "reason": "Look at K4",
    }


def test_a_reopened_third_check_voids_it_as_well(apart):
    third = third_of(apart)
    submit(third)

    reopen(third)

    assert [because for _, because, _ in history()] == ["reopened"]


def test_submitted_again_it_is_settled_anew_and_the_former_one_is_kept(agreed):
    reopen(agreed.first)
    found = MarkupRecord.objects.get(pk=agreed.first.pk)
    for each in GAP[:3]:
        found.refresh_from_db()
        uid = uuid.UUID(int=each.span.start)
        add_fragment(record=found, version=found.version, uid=uid, fragment=each)

    submit(agreed.first)

    assert [because for _, because, _ in history()] == ["reopened", ""]
    now = standing_grades().get()
    points = CriteriaRecord.objects.get(markup=agreed.first).points
    assert now.sheets["first"] == points != BEST


def test_submitted_again_so_that_a_third_is_needed_it_waits(agreed):
    people(1)
    reopen(agreed.first)
    found = MarkupRecord.objects.get(pk=agreed.first.pk)
    for number, each in enumerate(GAP):
        found.refresh_from_db()
        uid = uuid.UUID(int=number)
        add_fragment(record=found, version=found.version, uid=uid, fragment=each)

    submit(agreed.first)

    assert ThirdCheck.objects.get().needed
    assert [because for _, because, _ in history()] == ["reopened"]


def test_a_third_check_nobody_needed_changes_the_grade_when_it_comes(agreed):
    (expert,) = people(1)
    third = draft(agreed.essay, "third", expert, GAP)

    submit(third)

    assert history() == [(9, "changed", ""), (3, "", "")]


def test_points_graded_anew_void_it_and_a_job_settles_it_again(agreed):
    CriteriaRecord.objects.filter(markup=agreed.first).update(points=WORST, total=3)
    FinalGrade.objects.all().delete()
    settle_grade(essay_id=agreed.essay.pk)

    regrade(markup_ids=[agreed.first.pk])
    assert history() == [(6, "regraded", "")]
    run_all()

    assert history() == [(6, "regraded", ""), (9, "", "")]


def test_points_that_stay_the_same_void_nothing(agreed):
    regrade(markup_ids=[agreed.first.pk, agreed.second.pk])

    assert history() == [(9, "", "")]


def test_a_grade_of_a_markup_that_is_open_does_not_count(agreed):
    MarkupRecord.objects.filter(pk=agreed.first.pk).update(state="draft", submitted_at=None)

    assert not standing_grades().exists()


def test_a_grade_goes_with_the_markups_of_an_import_that_is_undone(agreed):
    withdraw_decisions(markup_ids=[agreed.second.pk])

    assert history() == []


def test_an_algorithm_markup_settles_nothing_again(agreed):
    before = FinalGrade.objects.values().get()
    author = PersonFactory(role=User.Role.PARTICIPANT)
    record = MarkupRecord.objects.create(essay=agreed.essay, author=author, source="algorithm")

    submit_markup(record=record, version=0)
    run_all()

    assert FinalGrade.objects.values().get() == before
