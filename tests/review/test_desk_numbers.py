"""Six numbers: each counts exactly what its filter lists, whatever else is filtered by."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from review.core.desk import STATES, Asked, Number, Order
from review.pages.desk import DeskPage, desk_lines
from review.queries.desk import (
    essays_asked,
    essays_listed,
    numbers_listed,
    numbers_of,
    tallies_of,
)
from review.queries.essays import essays_with_checks
from tests.examples import examples
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.review.desk_world import every_state

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def world(module_rows):  # noqa: ARG001 - the rows are the module's
    every_state()
    return desk_lines(essays_with_checks())


def counted_by_hand(lines, number):
    """The essays a number is about, told from what their lines show."""
    if number is Number.LATE:
        return {line.essay.pk for line in lines if line.late}
    if number is Number.RETURNED:
        return {line.essay.pk for line in lines if line.is_returned}
    return {line.essay.pk for line in lines if line.number is number}


@pytest.mark.parametrize("number", Number)
def test_a_number_lists_the_essays_whose_lines_show_it(world, number):
    listed = set(essays_asked(Asked(number=number)).values_list("pk", flat=True))

    assert listed == counted_by_hand(world, number)
    assert listed  # none of the six is empty in this world


def test_every_essay_is_in_one_state(world):
    found = [essays_asked(Asked(number=state)).values_list("pk", flat=True) for state in STATES]

    assert sorted(pk for each in found for pk in each) == sorted(line.essay.pk for line in world)


def asked(experts):
    return st.builds(
        Asked,
        set_name=st.sampled_from(["", "Alpha", "Beta"]),
        subject=st.sampled_from(["", "eng", "rus", "lit"]),
        expert=st.sampled_from([None, *experts]),
        words=st.sampled_from(["", "00", "theme 3", "Ann", "nobody at all", "0_", "%"]),
        order=st.sampled_from(Order),
    )


@settings(max_examples=examples(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_the_number_is_how_many_its_filter_lists(world, data):  # noqa: ARG001 - the rows
    experts = list(User.objects.filter(role="expert").values_list("pk", flat=True))
    under = data.draw(asked(experts))

    tallies = tallies_of(under)

    listed = {
        number: list(essays_listed(replace(under, number=number)).values_list("pk", flat=True))
        for number in (*Number, None)
    }
    assert {number: len(listed[number]) for number in Number} == numbers_of(tallies)
    assert len(listed[None]) == sum(each.n for each in tallies)
    assert all(len(set(rows)) == len(rows) for rows in listed.values())
    assert all(set(rows) <= set(listed[None]) for rows in listed.values())


@pytest.mark.parametrize("filters", [{}, {"set": "Alpha", "subject": "eng"}], ids=str)
def test_the_links_of_the_page_list_what_they_count(world, log_in, filters):  # noqa: ARG001
    client = log_in(PersonFactory(role="judge"))

    links = page_of(client.get("/desk/", filters)).find(".numbers a")

    for link in links:
        count = int(link.find("b")[0].text)
        page = client.get("/desk/" + link["href"])
        assert (link["class"], page.context["page"].paginator.count) == (link["class"], count)
        assert texts_of(page, ".numbers a[aria-current] b") == [str(count)]


@pytest.mark.usefixtures("world")
def test_what_the_counts_are_limited_to_stands_under_them_and_is_taken_away_by_a_press(log_in):
    client = log_in(PersonFactory(role="judge"))
    ann = User.objects.get(full_name="Ann")
    client.cookies["django_language"] = "en"

    page = page_of(
        client.get("/desk/", {"set": "Alpha", "subject": "eng", "expert": ann.pk, "q": "0"})
    )

    links = page.find("#in-effect a")
    assert [link.text.split(" ×")[0].strip() for link in links] == [
        "subject: English",
        "expert: Ann",
        "search: “0”",
    ]
    fields = [parse_qs(urlsplit(link["href"]).query).keys() for link in links]
    assert fields == [{"set", "expert", "q"}, {"set", "subject", "q"}, {"set", "subject", "expert"}]


def test_an_expert_without_checks_is_named_as_a_filter_too(log_in):
    away = PersonFactory(full_name="Nobody's Expert")
    response = log_in(PersonFactory(role="judge")).get("/desk/", {"expert": away.pk})

    assert ["Nobody's Expert" in text for text in texts_of(response, "#in-effect a")] == [True]


@pytest.mark.usefixtures("world")
def test_without_a_filter_nothing_is_said_of_one(log_in):
    client = log_in(PersonFactory(role="judge"))

    assert not texts_of(client.get("/desk/", {"set": "Alpha", "order": "due"}), "#in-effect")


def lines_of(asked):
    return DeskPage(asked).rows[:]


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("number", [None, *Number])
def test_a_list_read_page_by_page_is_the_list_read_at_once(order, number):
    asked = Asked(number=number, order=order)
    rows = DeskPage(asked).rows

    paged = [line.essay.pk for at in range(0, len(rows), 7) for line in rows[at : at + 7]]

    assert paged == list(essays_listed(asked).values_list("pk", flat=True))


@pytest.mark.usefixtures("world")
def test_the_end_of_a_list_is_read_from_its_end():
    rows = DeskPage(Asked()).rows

    with CaptureQueriesContext(connection) as asked:
        numbers_listed(Asked(), slice(len(rows) - 7, len(rows) + 43), of=len(rows), late=0)

    assert asked[0]["sql"].rstrip().endswith("LIMIT 7")


def test_the_latest_stand_first(world):
    by_hand = sorted(line.late[0].deadline_at for line in world if line.late)

    shown = lines_of(Asked())

    assert [line.late[0].deadline_at for line in shown if line.late] == by_hand
    assert all(line.late for line in shown[: len(by_hand)])


def test_after_the_late_ones_stands_what_is_next_in_urgency(world):
    quiet = [line for line in world if not line.late]

    shown = [line.essay.pk for line in lines_of(Asked()) if not line.late]

    assert shown == [line.essay.pk for line in sorted(quiet, key=urgency)]
    assert {urgency(line)[0] for line in quiet} == set(range(5))


def urgency(line):
    """Handed back, not assigned, in work by the next deadline, waiting for the third, settled."""
    state = 0 if line.is_returned else 1 + STATES.index(line.number)
    due = line.due_at.timestamp() if line.due_at else float("inf")
    return state, due, line.essay.essay_set.name, line.essay.number


@pytest.mark.parametrize("number", [None, *Number])
def test_the_pages_of_a_list_are_the_list(world, number):  # noqa: ARG001 - the rows
    rows = DeskPage(Asked(number=number)).rows
    places = range(0, len(rows), 10)

    pages = [rows[start : min(start + 10, len(rows))] for start in places]

    shown = [line.essay.pk for page in pages for line in page]
    assert shown == [line.essay.pk for line in rows[:]]


def test_by_deadline_the_next_one_stands_first(world):
    shown = [line.due_at for line in lines_of(Asked(order=Order.DUE))]

    known = [each for each in shown if each]
    assert known == sorted(line.due_at for line in world if line.due_at)
    assert shown[: len(known)] == known


def test_late_is_what_the_database_says(world, web_clock):  # noqa: ARG001 - the rows
    before = numbers_of(tallies_of(Asked()))
    web_clock(10 * 24 * 3600)

    assert numbers_of(tallies_of(Asked())) == before
    assert sum(bool(line.late) for line in lines_of(Asked())) == before[Number.LATE]
