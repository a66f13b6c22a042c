"""Another deadline for all checks of a list: a question that counts, then once and for all."""

from __future__ import annotations

from datetime import time

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.formats import date_format

from accounts.models import AuditEntry
from annotator.models import Assignment
from review.models.deadlines import Letter
from review.pages.extending import DueFilter, question_of
from review.services.extending import Extension, extend_deadlines
from tests.factories import PersonFactory
from tests.pages import page_of, texts_of
from tests.review.deadlines import DAY, check, expert, now, set_with_terms
from web.refusals import Conflict

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def wished(coordinator):  # noqa: ARG001 - the database's clock is read beside an account
    return {"day": (now().date() + 30 * DAY).isoformat(), "reason": "snow"}


def moved_of(checks):
    far = now() + 20 * DAY
    return [Assignment.objects.get(pk=each.pk).deadline_at > far for each in checks]


def test_all_of_the_list_is_counted_first_and_moved_then(log_in, coordinator, wished):
    essay_set, other = set_with_terms(), set_with_terms()
    anna, boris = expert(username="anna", full_name="Anna"), expert(username="boris")
    late = [check(essay_set, anna, left=-DAY) for _ in range(60)]
    others = [
        check(essay_set, anna, left=DAY),
        check(essay_set, boris, left=-DAY),
        check(other, anna, left=-DAY),
    ]
    client = log_in(coordinator)
    asked = {"set": essay_set.name, "expert": str(anna.pk), "late": "1"}

    question = client.get("/deadlines/extend/", {**asked, "all": "1", **wished})
    form = {
        **asked,
        "all": "1",
        "seen": page_of(question).one("input[name=seen]")["value"],
        **wished,
    }
    response = client.post("/deadlines/extend/", form, follow=True)

    assert texts_of(question, "p b") == ["60 open checks get another deadline."]
    assert texts_of(question, "#experts li") == ["Anna: 60"]
    assert texts_of(response, ".messages li") == ["60 checks have a new deadline."]
    assert set(moved_of(late)) == {True}
    assert set(moved_of(others)) == {False}
    assert Letter.objects.count() == 1


def test_the_question_names_the_dates_in_the_zone_of_each_set(log_in, coordinator):
    near = set_with_terms(zone="Asia/Tokyo", due_time=time(18))
    anna = expert()
    late, soon = check(near, anna, left=-DAY), check(near, anna, left=60 * DAY)
    day = now().date() + 30 * DAY
    wish = {"checks": [late.pk, soon.pk], "day": day.isoformat(), "reason": "snow"}

    client = log_in(coordinator)
    page = page_of(client.get("/deadlines/extend/", wish))

    told = page_of(client.get("/deadlines/")).one("form .help").text
    assert "without a time, to the hour its terms name, else to the end of the day" in told
    dates = [each.text for each in page.find("#dates li")]
    assert dates == [f"{date_format(day, 'SHORT_DATE_FORMAT')}, 18:00 (UTC+9): 2"]
    assert [each.text for each in page.find(".notice.warn")] == [
        "1 of them is due earlier then than it is now."
    ]


def test_working_days_become_dates_the_first_of_them_one_by_one(log_in, coordinator):
    essay_set = set_with_terms()
    anna = expert()
    made = [check(essay_set, anna, left=15 * days * DAY) for days in range(12)]
    wish = {"checks": [each.pk for each in made], "working_days": 3, "reason": "snow"}

    page = page_of(log_in(coordinator).get("/deadlines/extend/", wish))

    dates = [each.text for each in page.find("#dates li")]
    assert len(dates) == 11
    assert dates[-1].startswith("… 12 dates, the last one ")
    assert not page.find(".notice.warn")


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_date_that_has_passed_is_refused_at_the_question(log_in, coordinator, method):
    made = check(set_with_terms(), expert(), left=DAY)
    wish = {"checks": [made.pk], "day": (now().date() - DAY).isoformat(), "reason": "snow"}

    response = getattr(log_in(coordinator), method)("/deadlines/extend/", wish)

    assert response.status_code == 422
    said = f"Essay {made.essay.number}: the new deadline has passed already."
    assert said in page_of(response).text


def test_another_date_at_the_question_is_named_before_it_counts(log_in, coordinator, wished):
    made = check(set_with_terms(), expert(), left=DAY)
    client = log_in(coordinator)

    def form(page):
        names = ("seen", "promised")
        return {name: page_of(page).one(f"input[name={name}]")["value"] for name in names}

    chosen = {"checks": [made.pk], **wished}
    first = form(client.get("/deadlines/extend/", chosen))
    other = {**chosen, "day": (now().date() + 40 * DAY).isoformat()}
    asked = client.post("/deadlines/extend/", {**other, **first})
    assert (asked.status_code, moved_of([made])) == (200, [False])
    assert texts_of(asked, ".notice.warn") == [
        "These are the deadlines by what you have entered now. Press once more."
    ]
    done = client.post("/deadlines/extend/", {**other, **form(asked)})
    assert (done.status_code, moved_of([made])) == (302, [True])


@pytest.mark.parametrize("seen", ["", "0" * 32])
def test_what_is_not_as_it_was_looked_at_stays(log_in, coordinator, wished, seen):
    made = check(set_with_terms(), expert(), left=DAY)

    response = log_in(coordinator).post("/deadlines/extend/", {"all": "1", "seen": seen, **wished})

    assert (response.status_code, moved_of([made])) == (409, [False])


def test_a_list_that_changed_meanwhile_is_asked_about_anew_with_what_was_entered(
    log_in, coordinator, wished
):
    essay_set = set_with_terms()
    anna = expert()
    stays, goes = (check(essay_set, anna, left=DAY) for _ in range(2))
    client = log_in(coordinator)
    asked = {"set": essay_set.name, "all": "1", **wished}

    def form(page):
        return {
            name: page_of(page).one(f"input[name={name}]")["value"] for name in (*asked, "seen")
        }

    looked = form(client.get("/deadlines/extend/", asked))
    Assignment.objects.filter(pk=goes.pk).update(state=Assignment.State.WITHDRAWN)
    again = client.post("/deadlines/extend/", looked)
    assert (again.status_code, moved_of([stays, goes])) == (409, [False, False])
    said = "Nothing was done: this is what would happen now."
    (warned,) = texts_of(again, "p.notice.warn")
    assert warned == f"The checks or their deadlines are others than you looked at. {said}"
    assert texts_of(again, "p b") == ["1 open check gets another deadline."]
    assert {name: form(again)[name] for name in asked} == asked

    done = client.post("/deadlines/extend/", form(again))
    assert (done.status_code, moved_of([stays, goes])) == (302, [True, False])


@pytest.mark.parametrize("meanwhile", [False, True])
def test_a_second_press_on_a_question_moves_nothing_once_more(log_in, coordinator, meanwhile):
    essay_set, anna = set_with_terms(), expert()
    made, gone = check(essay_set, anna, left=DAY), check(essay_set, anna, left=DAY)
    client = log_in(coordinator)
    asked = {"set": essay_set.name, "all": "1", "working_days": "3", "reason": "snow"}

    def form(page):
        named = ("seen", "promised", "key")
        return asked | {name: page_of(page).one(f"input[name={name}]")["value"] for name in named}

    question = client.get("/deadlines/extend/", asked)
    if meanwhile:
        Assignment.objects.filter(pk=gone.pk).update(state=Assignment.State.WITHDRAWN)
        question = client.post("/deadlines/extend/", form(question))
        assert question.status_code == 409
    presses = [client.post("/deadlines/extend/", form(question)) for _ in range(2)]
    moved = Assignment.objects.get(pk=made.pk).deadline_at

    assert [press.status_code for press in presses] == [302, 302]
    assert moved > made.deadline_at
    assert AuditEntry.objects.filter(action="deadline.moved", object_id=str(made.pk)).count() == 1
    said = texts_of(client.get("/deadlines/"), ".messages li")
    assert said[-1] == "The deadlines are moved already: nothing is moved twice."
    fresh = client.post("/deadlines/extend/", form(client.get("/deadlines/extend/", asked)))
    assert fresh.status_code == 302
    assert Assignment.objects.get(pk=made.pk).deadline_at > moved


@pytest.mark.parametrize("word", [{"set": "nowhere"}, {"expert": "999999"}, {"expert": "x"}])
def test_an_unknown_filter_is_said_and_moves_nothing(log_in, coordinator, wished, word):
    made = check(set_with_terms(), expert(), left=DAY)
    client = log_in(coordinator)

    page = client.get("/deadlines/", word)
    refused = client.get("/deadlines/extend/", {"all": "1", **word, **wished})

    (value,) = word.values()
    said = f"Nothing here is called {value}: the filter without it is shown."
    assert texts_of(page, ".notice.warn") == [said]
    assert (refused.status_code, moved_of([made])) == (422, [False])


@pytest.mark.parametrize("role", ["expert", "methodologist", "participant"])
def test_a_stranger_is_asked_nothing(log_in, wished, role):
    response = log_in(PersonFactory(role=role)).get("/deadlines/extend/", {"all": "1", **wished})

    assert response.status_code == 403


@pytest.mark.parametrize("wish", [{"days": 30}, {"working": 3}])
def test_many_checks_take_as_many_statements_as_few(coordinator, wish):
    counts = []
    for many in (2, 60):
        essay_set, person = set_with_terms(), expert(username=f"e{many}")
        numbers = [check(essay_set, person, left=-DAY).pk for _ in range(many)]
        until = now().date() + 30 * DAY if "days" in wish else None
        with CaptureQueriesContext(connection) as queries:
            extend_deadlines(
                checks=numbers,
                extension=Extension(until, None, wish.get("working")),
                actor=coordinator,
                reason="snow",
            )
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_of_two_at_one_moment_the_second_moves_nothing(coordinator):
    due = check(set_with_terms(), expert(), left=DAY)
    given = {"all": False, "checks": [due.pk]}
    said = {"extension": Extension(working_days=2), "actor": coordinator, "reason": "snow"}
    questions = [question_of(DueFilter(), given, said["extension"]) for _ in range(2)]

    def answer(question):
        return extend_deadlines(checks=[due.pk], foretold=question.foretold, **said)

    (moved,) = answer(questions[0])
    with pytest.raises(Conflict, match="has changed"):
        answer(questions[1])

    due.refresh_from_db()
    assert due.deadline_at == moved.deadline_at == questions[0].foretold[due.pk]
    assert AuditEntry.objects.filter(action="deadline.moved").count() == 1
