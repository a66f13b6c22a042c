"""Third checks that found nobody: a line among the problems, with the reason and what helps."""

from __future__ import annotations

import pytest

from annotator.models import Assignment
from review.models import ThirdCheck
from review.models.plans import ExpertConflict, ExpertLimit
from review.services.arbitration import assign_waiting_thirds
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def ways_of(page):
    return [link["href"] for link in page_of(page).find("#thirds a")]


def waiting_essay(number="0007"):
    """Two checks that differ, by Ann and Bob, and nobody for the third."""
    essay = EssayFactory(number=number)
    names = {"first": "Ann", "second": "Bob"}
    pair = [
        submitted(
            essay,
            assignment=AssignmentFactory(
                essay=essay, role=role, state="submitted", expert__full_name=name
            ),
        )
        for role, name in names.items()
    ]
    ThirdCheck.objects.create(
        essay=essay, round=essay.round, first=pair[0], second=pair[1], needed=True
    )
    return essay


def nobody_else(_essay):
    pass


def never_here(_essay):
    PersonFactory(full_name="Cid", invited=True)


def at_the_limit(_essay):
    ExpertLimit.objects.create(expert=PersonFactory(full_name="Cid"), checks=0)


def in_conflict(essay):
    one = essay.assignments.get(role="first").expert
    ExpertConflict.objects.create(one=one, other=PersonFactory(full_name="Cid"))


PEOPLE, LIMITS = "/people/", "/planning/experts/"
SITUATIONS = {
    "nobody else": (nobody_else, "all experts of the subject have had it Ann, Bob", PEOPLE),
    "never here": (never_here, "who is left never signed in Cid", PEOPLE),
    "at the limit": (at_the_limit, "everybody who is left has reached the limit Cid", LIMITS),
    "in conflict": (
        in_conflict,
        "who is left is in conflict with the other expert Cid",
        LIMITS,
    ),
}


@pytest.mark.parametrize(("made", "why", "way"), SITUATIONS.values(), ids=SITUATIONS)
def test_the_line_says_why_and_where_it_is_mended(desk, made, why, way):
    essay = waiting_essay()
    made(essay)
    assert assign_waiting_thirds() == 0

    page = desk.get("/desk/problems/")

    (line,) = texts_of(page, "#thirds li")
    assert line.startswith(f"0007: {why}")
    assert ways_of(page) == [f"/desk/essays/{essay.pk}/", way]
    assert texts_of(desk.get("/desk/"), "#to-problems")[0].startswith("Problems ")


def test_it_is_gone_once_somebody_has_it(desk):
    essay = waiting_essay()
    newcomer = PersonFactory()
    before = texts_of(desk.get("/desk/problems/"), "#thirds li")

    assign_waiting_thirds()

    assert ["somebody is free by now" in line for line in before] == [True]
    assert essay.assignments.get(role=Assignment.Role.THIRD).expert == newcomer
    assert texts_of(desk.get("/desk/problems/"), "#thirds li") == []


def test_many_take_the_queries_of_one(desk, django_assert_num_queries):
    for number in ("0007", "0008"):
        for check in waiting_essay(number).assignments.all():
            ExpertLimit.objects.create(expert=check.expert, checks=0)
        desk.get("/desk/problems/")
        with django_assert_num_queries(15):
            page = desk.get("/desk/problems/")
    assert len(texts_of(page, "#thirds li")) == 2


def test_judges_read_it_without_the_way(log_in):
    essay = waiting_essay()

    page = log_in(PersonFactory(role="judge")).get("/desk/problems/")

    assert ways_of(page) == [f"/desk/essays/{essay.pk}/"]
