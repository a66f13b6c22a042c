"""The desk foretells the end of each set by what was done of it in the last seven days."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotator.models import Assignment
from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import texts_of
from tests.review.deadlines import DAY, now

pytestmark = pytest.mark.django_db


def told(client, query="", **more):
    return texts_of(client.get(f"/desk/{query}", **more), ".forecasts li")


def day(ahead):
    return date_format(localtime(now() + ahead * DAY), "j E")


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def sets():
    """Five done in two days, five left; ten done in five days, ten left; too few done."""
    made = {}
    for name, done, days in (("Alpha", 5, 2), ("Beta", 10, 5), ("Gamma", 4, 1)):
        made[name] = EssaySetFactory(name=name)
        expert, other = PersonFactory(), PersonFactory()
        for _ in range(done):
            essay = EssayFactory(essay_set=made[name])
            AssignmentFactory(essay=essay, expert=expert, state="submitted")
            AssignmentFactory(essay=essay, role="second", expert=other)
        found = Assignment.objects.filter(essay__essay_set=made[name], state="submitted")
        found.update(submitted_at=Now() - timedelta(days=days))
    return made


@pytest.mark.usefixtures("sets")
def test_forecasts_stand_above_the_list_and_three_of_many_are_unfolded(desk):
    for name in ("Delta", "Epsilon"):
        EssayFactory(essay_set=EssaySetFactory(name=name))

    page = desk.get("/desk/")

    words = page.content.decode()
    assert words.index('class="foretold"') < words.index('id="work"')
    assert len(told(desk)) == 5
    assert texts_of(page, ".foretold summary") == ["and 2 sets more"]
    assert [each.split(":")[0] for each in texts_of(page, "details .forecasts li")] == [
        "Epsilon",
        "Gamma",
    ]


@pytest.mark.usefixtures("sets")
def test_each_set_has_its_own_pace_and_end(desk):
    assert told(desk) == [
        f"Alpha: 5 checks are left, 2.5 a day are done; the end is on {day(2)}.",
        f"Beta: 10 checks are left, 2 a day are done; the end is on {day(5)}.",
        "Gamma: 4 checks are left; not enough data for a forecast.",
    ]


@pytest.mark.usefixtures("sets")
def test_of_a_chosen_set_it_alone_is_foretold_and_of_some_of_its_essays_nothing(desk):
    assert told(desk, "?set=Beta") == [
        f"Beta: 10 checks are left, 2 a day are done; the end is on {day(5)}."
    ]
    for narrow in ("subject=eng", "state=working", "q=0001", "state=late"):
        assert told(desk, f"?set=Beta&{narrow}") == []


def test_a_set_that_is_done_is_foretold_no_more(desk, sets):
    Assignment.objects.filter(essay__essay_set=sets["Alpha"]).update(state="submitted")

    assert [each.split(":")[0] for each in told(desk)] == ["Beta", "Gamma"]


@pytest.mark.usefixtures("sets")
def test_what_was_done_more_than_seven_days_ago_is_no_pace(desk):
    Assignment.objects.filter(state="submitted").update(submitted_at=Now() - timedelta(days=8))

    assert told(desk, "?set=Alpha") == ["Alpha: 5 checks are left; not enough data for a forecast."]


@pytest.mark.usefixtures("sets")
def test_the_clock_of_the_web_server_foretells_nothing(desk, web_clock):
    before = told(desk)
    web_clock(3 * 86400)

    assert told(desk) == before


@pytest.mark.usefixtures("sets")
def test_it_is_told_in_russian(desk):
    (line,) = told(desk, "?set=Alpha", headers={"Accept-Language": "ru"})

    assert line.startswith("Alpha: ")
    assert "5 проверок" in line


def test_many_sets_are_foretold_in_as_many_queries_as_one(desk):
    costs = []
    for count in (1, 12):
        for _ in range(count):
            AssignmentFactory(essay__essay_set=EssaySetFactory())
        desk.get("/desk/")
        with CaptureQueriesContext(connection) as asked:
            desk.get("/desk/")
        costs.append(len(asked))

    assert costs[0] == costs[1]


def test_a_stranger_reads_no_forecast(log_in):
    assert log_in(PersonFactory(role="expert")).get("/desk/").status_code == 403
