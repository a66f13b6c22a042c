"""Two experts of one name are told apart wherever somebody chooses between them."""

from __future__ import annotations

import pytest

from annotator.models import Assignment
from review.models.plans import Plan
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def checks():
    """Two checks of one Anna, one of another."""
    anna, other = (PersonFactory(username=name, full_name="Anna Orlova") for name in ("a1", "a2"))
    return [AssignmentFactory(expert=expert) for expert in (anna, anna, other)]


@pytest.mark.parametrize("page", ["/desk/", "/deadlines/"])
def test_filters_name_their_logins(coordinator, checks, page):
    boris = AssignmentFactory(expert=PersonFactory(full_name="Boris"))

    found = page_of(coordinator.get(page, {"expert": checks[0].expert_id}))

    options = found.find("#expert option")
    assert [each.text for each in options[1:]] == ["Anna Orlova (a1)", "Anna Orlova (a2)", "Boris"]
    assert [each["value"] for each in options if "selected" in each.attributes] == [
        str(checks[0].expert_id)
    ]
    assert boris.pk


@pytest.mark.usefixtures("checks")
def test_questions_count_their_checks_apart(coordinator):
    taken = coordinator.get("/desk/acts/new/", {"act": "withdraw", "all": "1"})
    moved = coordinator.get("/deadlines/extend/", {"all": "1", "working_days": 2, "reason": "flu"})

    assert texts_of(taken, ".remarks li") == ["Anna Orlova (a1): 2", "Anna Orlova (a2): 1"]
    assert texts_of(moved, "#experts li") == ["Anna Orlova (a1): 2", "Anna Orlova (a2): 1"]


def test_a_plan_to_be_withdrawn_names_them_apart(coordinator):
    for login in ("a1", "a2"):
        PersonFactory(username=login, full_name="Anna Orlova")
    EssayFactory()
    coordinator.post("/planning/")
    plan = Plan.objects.get()
    coordinator.post(f"/planning/{plan.pk}/confirm/", {"seen": plan.digest})
    assert Assignment.objects.count() == 2

    asked = coordinator.get(f"/planning/{plan.pk}/withdraw/")

    assert texts_of(asked, ".remarks li") == ["Anna Orlova (a1): 1", "Anna Orlova (a2): 1"]
