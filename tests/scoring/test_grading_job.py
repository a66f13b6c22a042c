from __future__ import annotations

import pytest

from annotator.core.values import Fragment, Markup, Subject
from jobs.models import Job
from scoring.core.criteria import grade
from scoring.models import CriteriaRecord
from scoring.tasks import grade_markup
from tests.factories import AssignmentFactory, EssayFactory, submitted
from tests.scoring.core.golden import cases, markup_of
from tests.scoring.work import order, run_all, score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

CASES = cases("criteria")
ONE_OF_EACH = {case["subject"]: case for case in CASES}


def test_the_worked_cases_hold_every_subject():
    assert set(ONE_OF_EACH) == {subject.value for subject in Subject}


@pytest.mark.parametrize("subject", list(Subject))
def test_a_markup_of_every_subject_gets_its_points(subject):
    case = ONE_OF_EACH[subject.value]
    markup = markup_of(case["selections"], case["text"], subject)
    record = submitted(EssayFactory(text=markup.text, subject=subject.value), *markup.fragments)

    score(record)

    sheet = CriteriaRecord.objects.get(markup=record)
    expected = grade(subject, markup)
    assert (dict(sheet.points), sheet.total, sheet.nomination) == (
        dict(expected.points),
        expected.total,
        expected.nomination,
    )


def test_grading_twice_is_grading_once():
    record = submitted(EssayFactory(), fragment(0, 4))
    score(record)
    before = CriteriaRecord.objects.values().get()

    Job.objects.all().delete()
    score(record)

    assert CriteriaRecord.objects.values().get() == before


def test_a_job_that_is_done_is_not_done_again():
    record = submitted(EssayFactory(), fragment(0, 4))
    score(record)
    CriteriaRecord.objects.update(total=0)

    grade_markup(Job.objects.get(kind="scoring.grade_markup").pk)

    assert CriteriaRecord.objects.get().total == 0


def test_a_markup_of_no_known_code_still_gets_points():
    essay = EssayFactory()
    record = submitted(essay, Fragment(None, "Я.нет"))

    score(record)

    expected = grade(essay.core_subject, Markup(essay.text, (Fragment(None, "Я.нет"),)))
    assert dict(CriteriaRecord.objects.get().points) == dict(expected.points)


def test_the_points_of_both_checks_decide_about_the_third():
    essay = EssayFactory()
    for role in ("first", "second"):
        order(
            submitted(
                essay, assignment=AssignmentFactory(essay=essay, role=role, state="submitted")
            )
        )

    run_all()

    assert [check.needed for check in essay.third_checks.all()] == [False]
