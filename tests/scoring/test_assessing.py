from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotator.core.values import Fragment, Span
from annotator.models import Assignment, MarkupRecord
from jobs.models import Job
from jobs.services.work import take_next
from review.models import ThirdCheck
from review.services.reopening import reopen_check
from scoring.models import CriteriaRecord, PairScore
from scoring.services.assessing import assess, order_assessments
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.scoring.work import score

pytestmark = pytest.mark.django_db

GAP = [
    *(Fragment(Span(start, start + 1), "А.грамм") for start in range(8)),
    *(Fragment(Span(start, start + 1), "А.лекс") for start in range(5)),
]

MOST_STATEMENTS = 28
"""Grading, pairs, the decision, whether the essay is wanted, the assignment by limits and terms:
each is a round trip.
"""


def checked_essay(algorithms=2):
    """An essay whose two checks are far apart, and algorithms' markups."""
    essay = EssayFactory()
    for role, fragments in (("first", ()), ("second", GAP)):
        assignment = AssignmentFactory(essay=essay, role=role, state="submitted")
        submitted(essay, *fragments, assignment=assignment)
    for number in range(algorithms):
        submitted(essay, *GAP[number:], source=MarkupRecord.Source.ALGORITHM)
    return essay


def figures_of(essay):
    """Everything that was computed, without the moments and the numbers of rows."""
    people = {each.pk: number for number, each in enumerate(essay.markups.order_by("pk"))}
    sheets = CriteriaRecord.objects.filter(markup__essay=essay).order_by("markup")
    scores = PairScore.objects.filter(assessed__essay=essay).order_by("assessed", "reference")
    fields = ["assessed", "reference", "n", "m", "found", "equal_codes", "equal_subcodes"]
    fields += ["localization", "equal_corrections", "m1", "accuracy"]
    return (
        [(people[each.markup_id], each.points, each.total, each.nomination) for each in sheets],
        [
            (people[assessed], people[reference], *counts)
            for assessed, reference, *counts in scores.values_list(*fields)
        ],
        [check.needed for check in essay.third_checks.all()],
        essay.assignments.filter(role=Assignment.Role.THIRD).count(),
    )


def test_an_essay_assessed_as_a_whole_gets_what_its_markups_get_one_by_one():
    PersonFactory()
    whole, singly = checked_essay(), checked_essay()

    assess(essay_id=whole.pk)
    score(*singly.markups.order_by("pk"))

    assert figures_of(whole) == figures_of(singly)
    assert len(figures_of(whole)[1]) == 2 + 2 * 2


def test_an_essay_that_calls_a_third_expert_costs_few_statements():
    PersonFactory()
    essay = checked_essay(algorithms=1)

    with CaptureQueriesContext(connection) as context:
        assess(essay_id=essay.pk)

    assert essay.assignments.filter(role=Assignment.Role.THIRD).count() == 1
    assert len(context) <= MOST_STATEMENTS


def test_assessing_twice_is_assessing_once():
    essay = checked_essay()
    assess(essay_id=essay.pk)
    before = figures_of(essay)

    assess(essay_id=essay.pk)

    assert figures_of(essay) == before


@pytest.mark.parametrize("state", ["queued", "done"])
def test_what_came_later_is_ordered_anew_and_what_did_not_is_not(state):
    essay = checked_essay()
    order_assessments(essay_ids=[essay.pk])
    Job.objects.update(state=state)
    order_assessments(essay_ids=[essay.pk])
    once = Job.objects.count()

    newest = submitted(essay, *GAP, source=MarkupRecord.Source.ALGORITHM)
    order_assessments(essay_ids=[essay.pk])

    assert once == 1
    assert Job.objects.last().key == f"essay:{essay.pk}:{newest.pk}"
    assert {job.priority for job in Job.objects.all()} == {Job.Priority.BULK}


def test_a_check_that_is_reopened_gets_no_figures_and_calls_nobody():
    PersonFactory()
    essay = checked_essay(algorithms=0)
    first = essay.assignments.get(role="first")
    reopen_check(assignment=first, actor=PersonFactory(role="coordinator"), reason="a slip")

    assess(essay_id=essay.pk)

    second = essay.markups.get(assignment__role="second")
    assert [each.markup for each in CriteriaRecord.objects.all()] == [second]
    assert (PairScore.objects.count(), ThirdCheck.objects.count()) == (0, 0)


def test_more_markups_take_no_more_queries():
    PersonFactory()
    asked = []
    for algorithms in (1, 20):
        essay = checked_essay(algorithms)
        with CaptureQueriesContext(connection) as queries:
            assess(essay_id=essay.pk)
        asked.append(len(queries))

    assert asked[0] == asked[1]


def test_the_job_of_an_import_waits_behind_people():
    essay = checked_essay()
    order_assessments(essay_ids=[essay.pk])
    job = Job.objects.create(key="grade:1", kind="scoring.grade_markup", args={"markup_id": 1})

    assert [claim.job_id for claim in take_next()] == [job.pk]
