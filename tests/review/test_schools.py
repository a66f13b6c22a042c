"""One school however its name is written: in any letter case, with any blanks, on every way."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.models import Assignment
from review.core.plan_options import Options
from review.core.schools import school_named
from review.models.deadlines import SetTerms
from review.queries.distribution import checks_by_expert, essays_in_conflict
from review.services.assigning import assign_third_expert, assign_two_experts
from review.services.overdue import reassign_overdue
from review.services.plans import preview_plan
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory
from tests.pages import texts_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db

FIRST, SECOND, THIRD = Assignment.Role
SPELLINGS = [
    ("No. 7", "no.  7"),
    ("Лицей № 7", "ЛИЦЕЙ  № 7"),
    ("Лицей № 7", "лицей №\u00a07"),
    ("Straße 1", "STRASSE 1"),
]
pairs = pytest.mark.parametrize(("one", "other"), SPELLINGS)


def held(essay):
    found = essay.assignments.filter(state__in=Assignment.ACTIVE).order_by("role")
    return [(each.role, each.expert) for each in found]


@pairs
def test_names_of_one_school_are_one_name(one, other):
    assert school_named(one) == school_named(other) == school_named(f" {one} ")
    assert school_named("No. 7") != school_named("No. 77")
    assert school_named(" \t") == ""


@pairs
def test_a_third_check_goes_to_another_school(one, other):
    essay = EssayFactory()
    for role, school in ((FIRST, one), (SECOND, "No. 5")):
        expert = PersonFactory(school=school)
        AssignmentFactory(essay=essay, role=role, expert=expert, state="submitted")
    PersonFactory(school=other)
    nobody = assign_third_expert(essay=essay)
    free = PersonFactory(school="No. 6")

    assert nobody is None
    assert assign_third_expert(essay=essay).expert == free


@pairs
def test_the_least_loaded_are_of_two_schools(one, other):
    ann = PersonFactory(school=one)
    PersonFactory(school=other)
    cy = PersonFactory(school="")
    essay = EssayFactory()

    assign_two_experts(essay=essay, actor=PersonFactory(role="coordinator"))

    assert held(essay) == [("first", ann), ("second", cy)]


@pairs
def test_overdue_work_goes_to_another_school_than_the_other_check_is_of(one, other):
    essay = EssayFactory()
    SetTerms.objects.create(essay_set=essay.essay_set, reassign_hours=1)
    over = timezone.now() - timedelta(days=1)
    late = AssignmentFactory(essay=essay, deadline_at=over)
    beside = PersonFactory(school=one)
    AssignmentFactory(essay=essay, role="second", expert=beside, state="submitted")
    PersonFactory(school=other)
    before = reassign_overdue()
    free = PersonFactory(school="")

    assert (before, reassign_overdue()) == (0, 1)
    assert held(essay) == [("first", free), ("second", beside)]
    assert late.expert != free


def test_a_late_check_may_go_to_a_colleague_of_who_had_it():
    essay = EssayFactory()
    SetTerms.objects.create(essay_set=essay.essay_set, reassign_hours=1)
    over = timezone.now() - timedelta(days=1)
    late = PersonFactory(school="No. 7")
    AssignmentFactory(essay=essay, expert=late, deadline_at=over)
    colleague = PersonFactory(school="no. 7")

    assert reassign_overdue() == 1
    assert held(essay) == [("first", colleague)]


@pairs
def test_a_plan_keeps_them_apart(one, other):
    for school in (one, other):
        PersonFactory(school=school)
    EssayFactory()

    plan = preview_plan(options=Options(), actor=PersonFactory(role="coordinator"))

    assert [(row[1], row[2]) for row in plan.outcome["unfilled"]] == [("second", "conflict")]


@pairs
def test_whoever_hands_checks_over_reads_who_is_near(log_in, one, other):
    check = AssignmentFactory(expert__full_name="Ann")
    beside = PersonFactory(full_name="Bob", school=one)
    AssignmentFactory(essay=check.essay, role="second", expert=beside)
    zoe = PersonFactory(full_name="Zoe", school=other)
    ask = f"/desk/acts/new/?act=hand_over&essay={check.essay_id}&to={zoe.pk}"

    page = log_in(PersonFactory(role="coordinator")).get(ask)

    assert texts_of(page, ".notice.warn") == [
        "Bob is of the same school and has a check of these essays: 1."
    ]


def met_in(essay_set):
    experts = [each.expert.pk for each in checks_by_expert(essay_set)]
    return essays_in_conflict(essay_set, experts)


@pairs
def test_the_distribution_of_a_set_tells_that_they_met(one, other):
    essay = EssayFactory()
    for role, school in ((FIRST, one), (SECOND, other)):
        AssignmentFactory(essay=essay, role=role, expert=PersonFactory(school=school))
    apart = EssayFactory(essay_set=essay.essay_set)
    for role, school in ((FIRST, one), (SECOND, "No. 5")):
        AssignmentFactory(essay=apart, role=role, expert=PersonFactory(school=school))

    assert met_in(essay.essay_set) == 1


def test_blanks_are_nobodys_school():
    essay = EssayFactory()
    for role in (FIRST, SECOND):
        AssignmentFactory(essay=essay, role=role, expert=PersonFactory(school="  "))

    assert met_in(essay.essay_set) == 0
    assert assign_third_expert(essay=essay) is None
    free = PersonFactory(school=" ")
    assert assign_third_expert(essay=essay).expert == free


def test_nobody_is_given_to_an_essay_of_one_school_alone():
    PersonFactory(school="No. 7")
    PersonFactory(school="NO. 7")

    with pytest.raises(Refused, match="No expert of this subject is free"):
        assign_two_experts(essay=EssayFactory(), actor=PersonFactory(role="coordinator"))
