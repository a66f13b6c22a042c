from __future__ import annotations

import pytest

from annotator.models import Assignment
from tests.annotator.drafts import draft_of
from tests.factories import AssignmentFactory, submitted
from tests.pages import page_of
from tests.review.thirds import settle_rest
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

LINKS = ["first check", "second check", "both, side by side"]


def third_check(**rules):
    """A third expert's draft beside two submitted checks."""
    record = draft_of("Some people think.", role="third", rules=rules)
    first, second = (
        submitted(
            record.essay,
            fragment(0, end),
            assignment=AssignmentFactory(essay=record.essay, role=role, state="submitted"),
        )
        for role, end in (("first", 4), ("second", 11))
    )
    return record, first, second


@pytest.fixture
def earlier(log_in):
    def links(record, user=None, part=False):
        client = log_in(user or record.author)
        headers = {"HX-Request": "true"} if part else {}
        page = page_of(client.get(f"/markups/{record.pk}/", headers=headers))
        return {each.text: client.get(each["href"]) for each in page.find("#earlier a")}

    return links


def test_the_third_expert_opens_both_markups_and_their_comparison_from_the_page(earlier):
    record, first, second = third_check()

    found = earlier(record)

    assert list(found) == LINKS
    assert [response.status_code for response in found.values()] == [200, 200, 200]
    assert [response.context["record"] for response in [*found.values()][:2]] == [first, second]
    comparison = found["both, side by side"].context
    assert (comparison["left"], comparison["right"]) == (first, second)


def test_the_links_stay_after_a_mark_is_made(log_in, earlier):
    record, _first, _second = third_check()

    response = log_in(record.author).post(
        f"/markups/{record.pk}/fragments/",
        {"version": 0, "code": "А.грамм"},
        headers={"HX-Request": "true"},
    )

    renewed = {each["id"] for each in page_of(response).find("[hx-swap-oob]")}
    page = page_of(log_in(record.author).get(f"/markups/{record.pk}/"))
    around = {each["id"] for each in page.find("[id]") if each.find("#earlier")}
    assert renewed & {"earlier", *around} == set()  # nothing is put where the links stand
    assert list(earlier(record)) == LINKS


@pytest.mark.parametrize("role", ["first", "second"])
def test_the_first_two_experts_see_nothing_of_each_other_before_they_submit(log_in, role):
    record = draft_of("Some people think.", role=role)
    other = submitted(record.essay, assignment=AssignmentFactory(essay=record.essay, role="third"))
    client = log_in(record.author)

    assert page_of(client.get(f"/markups/{record.pk}/")).find("#earlier") == []
    assert client.get(f"/markups/{other.pk}/").status_code == 404
    assert client.get(f"/compare/{record.pk}/{other.pk}/").status_code == 404


def test_a_third_expert_who_marks_blindly_first_sees_them_after_the_submission(earlier, log_in):
    record, first, _second = third_check(blind_first=True)
    client = log_in(record.author)

    before = earlier(record), client.get(f"/markups/{first.pk}/").status_code
    client.post(f"/markups/{record.pk}/submit/", {"version": 0})

    assert before == ({}, 404)
    assert [response.status_code for response in earlier(record).values()] == [200, 200, 200]


def test_algorithms_markups_are_shown_once_the_third_check_is_submitted(log_in):
    record, _first, _second = third_check()
    robot = submitted(record.essay, source="algorithm")
    client = log_in(record.author)

    before = client.get(f"/markups/{robot.pk}/").status_code
    settle_rest(record)
    client.post(f"/markups/{record.pk}/submit/", {"version": record.version})

    assert (before, client.get(f"/markups/{robot.pk}/").status_code) == (404, 200)


@pytest.mark.parametrize("state", ["withdrawn", "returned"])
def test_a_third_expert_whose_check_was_taken_away_sees_them_no_more(earlier, log_in, state):
    record, first, _second = third_check()
    Assignment.objects.filter(role="third").update(state=state)

    assert earlier(record) == {}
    assert log_in(record.author).get(f"/markups/{first.pk}/").status_code == 404


def test_checks_of_an_earlier_round_are_not_the_earlier_checks(earlier):
    record, _first, _second = third_check()
    record.essay.assignments.exclude(role="third").update(round=2)

    assert earlier(record) == {}
