"""Accounts whose owners have chosen no password: seen as such, and given no work unseen."""

from __future__ import annotations

import pytest

from annotator.models import Assignment
from review.models.plans import ExpertLimit
from review.queries.experts import experts_free_for
from review.services.assigning import assign_third_expert, assign_two_experts
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import texts_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db

THIRD = Assignment.Role.THIRD


@pytest.fixture
def essay():
    return EssayFactory()


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def test_the_people_page_marks_who_has_no_password(desk):
    PersonFactory(username="a", full_name="Anna")
    PersonFactory(username="b", full_name="Boris", invited=True)

    page = desk.get("/people/")

    names = [name.partition(" ")[0] for name in texts_of(page, ".a-name a")]
    states = texts_of(page, ".a-state")
    assert dict(zip(names, states, strict=True)) == {
        "Anna": "open",
        "Boris": "open no password yet",
    }


def test_the_choice_of_experts_marks_them_and_names_them_last(desk, essay):
    PersonFactory(full_name="Boris", invited=True)
    PersonFactory(full_name="Anna")

    page = desk.get(f"/desk/essays/{essay.pk}/")

    assert texts_of(page, "#expert option") == ["Anna (0)", "Boris (0, no password yet)"]


def test_who_is_full_by_a_limit_is_named_after_those_with_room(desk, essay):
    ill = PersonFactory(full_name="Anna")
    ExpertLimit.objects.create(expert=ill, checks=0)
    ExpertLimit.objects.create(expert=PersonFactory(full_name="Boris"), checks=5)
    PersonFactory(full_name="Vera", invited=True)

    page = desk.get(f"/desk/essays/{essay.pk}/")

    assert texts_of(page, "#expert option") == [
        "Boris (0 of 5)",
        "Anna (0 of 0)",
        "Vera (0, no password yet)",
    ]


def test_who_has_room_is_offered_also_where_more_are_full_than_are_listed(desk, essay, monkeypatch):
    monkeypatch.setattr("review.pages.acts.MOST_OFFERED", 2)
    for name in ("Anna", "Boris"):
        ExpertLimit.objects.create(expert=PersonFactory(full_name=name), checks=0)
    AssignmentFactory(expert=PersonFactory(full_name="Vera"))

    page = desk.get(f"/desk/essays/{essay.pk}/")

    assert texts_of(page, "#expert option") == ["Vera (1)", "Anna (0 of 0)"]


WAYS_IN = {
    "address": ({"email": "boris@school.example"}, "Send a link on the page “People”."),
    "no address": ({}, "Add an e-mail address on the page “People”, then send a link there."),
}


@pytest.mark.parametrize(("fields", "way"), WAYS_IN.values(), ids=WAYS_IN)
def test_work_given_to_one_by_hand_comes_with_a_warning(desk, essay, fields, way):
    boris = PersonFactory(full_name="Boris", invited=True, **fields)
    body = {"role": "first", "expert": boris.pk}

    page = desk.post(f"/desk/essays/{essay.pk}/assign/", body, follow=True)

    warning = f"Boris has chosen no password yet and cannot begin. {way}"
    assert (boris.assignments.count(), texts_of(page, ".notice.warn")) == (1, [warning])


def test_work_given_to_others_comes_without(desk, essay):
    body = {"role": "first", "expert": PersonFactory(full_name="Boris").pk}

    page = desk.post(f"/desk/essays/{essay.pk}/assign/", body, follow=True)

    assert (essay.assignments.count(), texts_of(page, ".notice.warn")) == (1, [])
    said = f"Essay {essay.number}, first check: given to Boris."
    assert texts_of(page, ".messages li") == [said]


def test_a_check_reopened_for_one_comes_with_a_warning(desk, essay):
    assignment = AssignmentFactory(
        essay=essay, expert=PersonFactory(invited=True, full_name="Boris"), state="submitted"
    )
    submitted(essay, assignment=assignment)

    page = desk.post(
        f"/desk/assignments/{assignment.pk}/reopen/", {"reason": "a slip"}, follow=True
    )

    assert len(texts_of(page, ".messages .warn")) == 1


def test_the_two_checks_pass_over_them(essay):
    invited = [PersonFactory(invited=True) for _ in range(2)]
    present = [PersonFactory() for _ in range(2)]

    made = assign_two_experts(essay=essay, actor=None)

    assert [each.expert for each in made] == present
    assert set(experts_free_for(essay)) == set(invited)


def test_where_nobody_else_is_free_the_refusal_says_what_to_do(essay):
    PersonFactory(full_name="Boris", invited=True)

    with pytest.raises(Refused) as refusal:
        assign_two_experts(essay=essay, actor=None)

    assert str(refusal.value) == (
        "Nobody who is free has chosen a password yet, Boris for one. "
        "Send a link on the page “People”, or choose an expert."
    )
    assert not essay.assignments.exists()


def test_they_get_no_third_checks_and_the_essay_waits_for_them_to_come(essay):
    expert = PersonFactory(invited=True)
    before = assign_third_expert(essay=essay)
    expert.set_password("lake under the hill")
    expert.save()

    after = assign_third_expert(essay=essay)

    assert (before, after.expert, after.role) == (None, expert, THIRD)
