from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from review.models import ThirdCheck
from review.pages.desk import Check, desk_lines
from review.queries.essays import essays_with_checks
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

FREE = "?state=unassigned"


def checked(essay, role, *fragments):
    assignment = AssignmentFactory(essay=essay, role=role, state="submitted")
    return submitted(essay, *fragments, assignment=assignment)


def mistakes(count):
    return [fragment(at, at + 1) for at in range(count)]


@pytest.fixture
def judge():
    return PersonFactory(role="judge")


def line_of(essay):
    (line,) = desk_lines([essays_with_checks().get(pk=essay.pk)])
    return line


def test_an_untouched_essay_has_empty_checks():
    line = line_of(EssayFactory())

    assert (line.first, line.second, line.third) == (Check(None, None),) * 3
    assert (line.gap, line.third_needed, line.algorithms) == (None, None, 0)


def test_a_line_knows_the_checks_their_points_and_the_decision():
    essay = EssayFactory()
    first, second = checked(essay, "first"), checked(essay, "second", *mistakes(8))
    third = AssignmentFactory(essay=essay, role="third")
    score(first, second, submitted(essay, source="algorithm"))

    line = line_of(essay)

    assert [check.assignment for check in (line.first, line.second, line.third)] == [
        first.assignment,
        second.assignment,
        third,
    ]
    totals = [first.criteria.total, second.criteria.total]
    assert [line.first.total, line.second.total, line.third.total] == [*totals, None]
    assert (line.gap, line.third_needed, line.algorithms) == (totals[0] - totals[1], False, 1)


@pytest.mark.parametrize(
    "change", [{"state": "withdrawn"}, {"state": "returned"}, {"round": 2}], ids=str
)
def test_checks_that_do_not_count_are_not_shown(change):
    essay = EssayFactory()
    AssignmentFactory(essay=essay, **change)

    assert line_of(essay).first == Check(None, None)


def test_a_decision_of_an_earlier_round_is_not_shown():
    essay = EssayFactory(round=2)
    record = submitted(essay)
    ThirdCheck.objects.create(essay=essay, round=1, first=record, second=record, needed=True)

    assert line_of(essay).third_needed is None


def test_the_desk_shows_every_essay_with_its_state(log_in, judge):
    essays = EssaySetFactory(name="A")
    EssayFactory(essay_set=essays, number="0001", theme="Sport")
    graded = EssayFactory(essay_set=essays, number="0002", subject="eng-free")
    score(checked(graded, "first"), checked(graded, "second"))
    waiting = EssayFactory(essay_set=essays, number="0003")
    for role, name, left in [
        ("first", "Ann", timedelta(days=3, hours=1, minutes=30)),
        ("second", "Bob", timedelta(days=-1)),
    ]:
        expert, deadline = PersonFactory(full_name=name), timezone.now() + left
        AssignmentFactory(essay=waiting, role=role, expert=expert, deadline_at=deadline)

    response = log_in(judge).get("/desk/")

    first, second = (each.expert for each in graded.assignments.order_by("pk"))
    checks = f"{first}, submitted {second}, submitted"
    total = line_of(graded).first.total
    assert texts_of(response, "tbody tr") == [
        "0003 A, English Sport unites people Ann, not begun Bob, overdue – −1 d Bob: not begun",
        "0001 A, English Sport nobody nobody – not assigned",
        f"0002 A, English, free Sport unites people {checks} {total} and {total} settled",
    ]


def test_an_essay_that_waits_for_a_third_expert_says_so(log_in, judge):
    essay = EssayFactory()
    score(checked(essay, "first"), checked(essay, "second", *mistakes(40)))
    ThirdCheck.objects.update(needed=True)

    response = log_in(judge).get("/desk/")

    assert texts_of(response, "td.l") == ["waits for an expert"]
    assert texts_of(response, ".chk.nobody") == ["nobody"]


def test_over_a_list_of_one_state_stands_how_many_of_all_it_has(log_in, judge):
    check = AssignmentFactory(essay__number="1")
    AssignmentFactory(essay=check.essay, role="second")
    EssayFactory.create_batch(2)
    client = log_in(judge)

    heads = [texts_of(client.get(f"/desk/{more}"), ".page-head p") for more in ("", FREE)]

    assert heads == [["3 essays"], ["2 of 3 essays"]]
    assert log_in(PersonFactory(role="participant")).get(f"/desk/{FREE}").status_code == 403


def test_in_russian_a_check_nobody_has_is_told_in_its_gender(log_in, judge):
    client = log_in(judge)
    client.cookies["django_language"] = "ru"

    page = client.get(f"/desk/essays/{EssayFactory().pk}/")

    assert texts_of(page, "td.a-name") == ["не назначена"] * 3


def test_one_set_may_be_chosen(log_in, judge):
    for name in ("A", "B & C"):
        EssayFactory(essay_set=EssaySetFactory(name=name), number=f"of {name}")
    client = log_in(judge)

    chosen = client.get("/desk/", {"set": "B & C"})

    assert texts_of(chosen, "tbody th a") == ["of B & C"]
    assert texts_of(chosen, "h1") == ["B & C"]
    assert texts_of(chosen, "#set option[selected]") == ["B & C"]


@pytest.mark.parametrize("query", ["set=", "set=none", "set=%00", "page=0", "page=x", "page=9"])
def test_a_query_nobody_understands_shows_all_essays(log_in, judge, query):
    EssayFactory(number="0001")

    response = log_in(judge).get(f"/desk/?{query}")

    assert (response.status_code, texts_of(response, "tbody th a")) == (200, ["0001"])


def test_the_desk_comes_in_pages_of_fifty(log_in, judge):
    essays = EssaySetFactory(name="A")
    for number in range(51):
        EssayFactory(essay_set=essays, number=f"{number:03}")
    client = log_in(judge)

    first, last = client.get("/desk/?set=A"), client.get("/desk/?set=A&page=2")

    assert len(texts_of(first, "tbody tr")) == 50
    assert texts_of(first, ".pager") == ["1–50 of 51Next"]
    assert page_of(first).one(".pager a")["href"] == "?set=A&page=2"
    assert texts_of(last, "tbody th a") == ["050"]


def test_the_desk_takes_the_same_queries_for_one_essay_and_for_five(
    log_in, judge, django_assert_num_queries
):
    client = log_in(judge)
    for count in (1, 4):
        for _ in range(count):
            essay = EssayFactory()
            score(checked(essay, "first"), checked(essay, "second"))
        client.get("/desk/")
        with django_assert_num_queries(17):
            client.get("/desk/")


def test_an_empty_desk_says_what_to_do(log_in, judge):
    assert texts_of(log_in(judge).get("/desk/"), ".empty b") == ["No essays here"]


@pytest.mark.parametrize(
    ("role", "offered"), [("coordinator", True), ("organiser", True), ("judge", False)]
)
def test_only_those_who_manage_are_offered_the_import(log_in, role, offered):
    page = page_of(log_in(PersonFactory(role=role)).get("/desk/"))

    assert bool(page.find(".page-head a[href=/import/]")) is offered


def test_the_import_is_of_the_set_that_is_shown(log_in):
    EssaySetFactory(name="March & April")
    client = log_in(PersonFactory(role="coordinator"))

    shown = page_of(client.get("/desk/", {"set": "March & April"}))

    assert shown.one(".tools .primary")["href"] == "/import/?set=March%20%26%20April"
    assert page_of(client.get("/desk/")).one(".tools .primary")["href"] == "/import/"


@pytest.mark.parametrize(
    ("query", "is_open"),
    [("", False), ("state=late", False), ("q=0050", False), ("subject=eng", True)],
)
def test_on_a_phone_the_lists_are_folded_away_until_one_of_them_says_something(
    log_in, judge, query, is_open
):
    page = page_of(log_in(judge).get(f"/desk/?{query}"))

    assert ("open" in page.one(".filters-way").attributes) is is_open


@pytest.mark.parametrize("words", ["ПАМЯТИ", "памяти", "сИДОР", "ДЕЖУРНЫЙ", "15-Б"])
def test_words_are_looked_for_whatever_their_case(log_in, judge, words):
    sidorov = PersonFactory(role="expert", full_name="Сидоров", username="дежурный")
    wanted = EssayFactory(number="15-б", theme="О памяти")
    AssignmentFactory(essay=wanted, expert=sidorov)
    EssayFactory(theme="О море")

    page = log_in(judge).get("/desk/", {"q": words})

    assert [line.essay for line in page.context["page"]] == [wanted]


def test_a_stranger_does_not_come_to_the_desk(log_in):
    statuses = [
        log_in(PersonFactory(role=role)).get("/desk/").status_code
        for role in ("expert", "participant")
    ]

    assert statuses == [403, 403]
    assert Client().get("/desk/").headers["Location"] == "/login/?next=/desk/"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("set=nowhere&state=lost", "nowhere, lost"),
        ("subject=maths", "maths"),
        ("expert=999999", "999999"),
        ("order=random", "random"),
    ],
)
def test_words_of_the_address_that_name_nothing_are_said(log_in, query, words):
    AssignmentFactory(essay__number="0001")
    client = log_in(PersonFactory(role="coordinator"))

    page = client.get(f"/desk/?{query}")
    refused = client.get(f"/desk/acts/new/?act=withdraw&all=1&{query}")

    said = f"Nothing here is called {words}: the filter without it is shown."
    assert texts_of(page, "[data-unknown] span") == [said]
    assert texts_of(page, "tbody th a") == ["0001"]
    assert refused.status_code == 422
