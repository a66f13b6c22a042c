"""Around an act on many checks: who is offered before it, where it leads afterwards."""

from __future__ import annotations

import pytest
from django.utils.http import urlencode

from accounts.models import Specialism
from review.models.acts import BulkAct
from tests.factories import AssignmentFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of, texts_of
from tests.review.test_acts import sent_by

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


def test_only_those_who_mark_a_subject_of_the_checks_are_offered_them(desk):
    english = AssignmentFactory(essay__subject="eng", expert__full_name="Ann")
    AssignmentFactory(essay__subject="rus", expert=english.expert)
    for name, subjects in (("Boris", ["eng"]), ("Vera", ["rus", "hist"]), ("Zoe", ["hist"])):
        PersonFactory(full_name=name, subjects=subjects)
    asked = "/desk/acts/new/?act=hand_over"

    offered = [
        [each.split(":")[0] for each in texts_of(desk.get(f"{asked}&{which}"), "#to option")]
        for which in (f"expert={english.expert_id}&all=1", f"essay={english.essay_id}")
    ]

    assert offered == [["–", "Boris", "Vera"], ["–", "Boris"]]


def test_the_list_of_receivers_is_the_same_once_one_of_them_is_chosen(desk):
    first = AssignmentFactory(expert__full_name="Ann")
    second = AssignmentFactory(expert__full_name="Boris")
    asked = f"/desk/acts/new/?act=hand_over&essay={first.essay_id}&essay={second.essay_id}"

    before, after = (
        [each.split(":")[0] for each in texts_of(desk.get(f"{asked}{chosen}"), "#to option")]
        for chosen in ("", f"&to={second.expert_id}")
    )

    assert (before, after) == (["–", "Ann", "Boris"], ["–", "Ann", "Boris"])


def test_where_nobody_else_can_have_the_checks_the_question_says_so(desk):
    check = AssignmentFactory(essay__subject="eng")
    PersonFactory(subjects=["hist"])
    Specialism.objects.filter(subject="eng").exclude(user=check.expert).delete()

    page = desk.get(f"/desk/acts/new/?act=hand_over&essay={check.essay_id}")

    assert texts_of(page, ".notice.warn") == [
        "No other active expert marks the subjects of these checks."
    ]


def done(desk, **asked):
    """The page after an act, with its links."""
    question = page_of(desk.get("/desk/acts/new/", asked))
    page = page_of(desk.post("/desk/acts/new/", sent_by(question), follow=True))
    return [each["href"] for each in page.find("main a")]


def test_from_what_was_taken_away_a_way_leads_to_planning_these_essays(desk, log_in):
    check = AssignmentFactory(essay__essay_set=EssaySetFactory(name="March"))
    asked = {"set": "March", "subject": check.essay.subject}

    links = done(desk, act="withdraw", all="1", **asked)

    planning = f"/planning/?{urlencode(asked)}&after={BulkAct.objects.get().key}"
    assert planning in links
    form = page_of(desk.get(planning))
    assert [each.text for each in form.find("#id_essay_set option[selected]")] == ["March"]
    assert form.one(".picked input")["value"] == str(check.essay_id)
    assert log_in(PersonFactory(role="expert")).get(planning).status_code == 403


def test_what_was_handed_over_needs_no_planning(desk):
    check = AssignmentFactory()
    receiver = PersonFactory()

    links = done(desk, act="hand_over", all="1", to=receiver.pk)

    assert [each for each in links if each.startswith("/planning/")] == []
    assert check.essay.assignments.filter(expert=receiver).count() == 1
