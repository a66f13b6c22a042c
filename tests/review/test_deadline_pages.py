"""The pages of deadlines: what is open, another deadline, terms, the calendar, addresses."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models.functions import Now

from accounts.models import AuditEntry
from annotator.models import Assignment
from review.models.deadlines import CalendarDay, LetterTerms, SetTerms, TimeLimit, WorkTime
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.pages import page_of, texts_of
from tests.review.deadlines import DAY, HOUR, check, expert, now, set_with_terms

pytestmark = pytest.mark.django_db

FAR = "Name a day of the years 2000 to 2199."
TERMS = {"zone": "Europe/Moscow", "due_by": "days", "times": "0"}


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


def seen_on(page):
    """What of the terms a page showed, as its form says."""
    return page_of(page).one("input[name=seen]")["value"]


def test_open_checks_stand_by_their_deadlines_in_the_zone_of_their_set(log_in, coordinator):
    essay_set = set_with_terms(zone="Asia/Kamchatka")
    person = expert(username="anna", full_name="Анна Лебедева")
    coming = check(essay_set, person, left=DAY, essay={"number": "0002"})
    Assignment.objects.filter(pk=coming.pk).update(deadline_at="2100-03-01T12:30:00Z")
    check(essay_set, person, left=-DAY, essay={"number": "0001"})
    check(essay_set, person, left=-DAY, essay={"number": "0003"}, state="submitted")
    client = log_in(coordinator)

    page = client.get("/deadlines/")
    late = client.get(f"/deadlines/?late=1&set={essay_set.name}")

    assert texts_of(page, "tbody th a") == ["0001", "0002"]
    assert texts_of(page, "td.a-left")[1] == "2 Mar 2100, 00:30"
    assert texts_of(page, "thead .sub") == ["UTC+12"]  # once, not in each row
    assert texts_of(late, "tbody th a") == ["0001"]


def test_the_list_takes_as_many_queries_for_one_check_as_for_five(
    log_in, coordinator, django_assert_num_queries
):
    client = log_in(coordinator)
    for count in (1, 5):
        for _ in range(count):
            check(set_with_terms(), expert(username=f"e{now().timestamp()}"), left=DAY)
        client.get("/deadlines/")
        with django_assert_num_queries(8):
            client.get("/deadlines/")


def test_what_moves_deadlines_stands_above_the_list_it_is_about(log_in, coordinator):
    check(set_with_terms(), PersonFactory(), left=DAY)

    page = log_in(coordinator).get("/deadlines/").content.decode()

    assert page.index('id="extend"') < page.index("<tbody")


def test_chosen_checks_get_another_deadline(log_in, coordinator):
    essay_set = set_with_terms()
    checks = [check(essay_set, PersonFactory(), left=DAY) for _ in range(3)]
    day = now().date() + 30 * DAY
    chosen = {"checks": [each.pk for each in checks[:2]], "day": day.isoformat(), "at": "18:00"}

    response = log_in(coordinator).post(
        "/deadlines/extend/", {**chosen, "reason": "illness", "set": essay_set.name}, follow=True
    )

    assert texts_of(response, ".messages li") == ["2 checks have a new deadline."]
    assert response.redirect_chain == [(f"/deadlines/?set={essay_set.name}", 302)]
    moved = [Assignment.objects.get(pk=each.pk).deadline_at for each in checks]
    assert [moment > now() + 20 * DAY for moment in moved] == [True, True, False]
    assert AuditEntry.objects.filter(action="deadline.moved", actor=coordinator).count() == 2


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"checks": []}, "Choose the checks that get a new deadline."),
        ({"checks": ["x"]}, "Choose the checks that get a new deadline."),
        ({"checks": ["999999999"]}, "Choose the checks that get a new deadline."),
        ({"day": ""}, "Say either a new date or how many working days more."),
        ({"working_days": "3"}, "Say either a new date or how many working days more."),
        ({"reason": ""}, "Reason: This field is required."),
        ({"day": "9999-12-31"}, FAR),
    ],
)
def test_what_moves_no_deadline_says_why(log_in, coordinator, sent, said):
    made = check(set_with_terms(), PersonFactory(), left=DAY)
    day = (now().date() + 30 * DAY).isoformat()
    form = {"checks": [made.pk], "day": day, "reason": "illness", **sent}

    response = log_in(coordinator).post("/deadlines/extend/", form)

    assert said in response.content.decode()
    before = made.deadline_at
    made.refresh_from_db()
    assert (response.status_code, made.deadline_at) == (422, before)


def test_terms_and_limits_are_kept_and_written_down(log_in, coordinator):
    essay_set = EssayFactory().essay_set
    client = log_in(coordinator)
    address = f"/deadlines/sets/{essay_set.pk}/"
    assert "nobody is reminded before you save" in client.get(address).content.decode()
    form = {
        **TERMS,
        "due_by": "working",
        "working_days": "5",
        "due_time": "18:00",
        "before_hours": "24",
        "at_deadline": "on",
        "every_days": "2",
        "times": "3",
        "reassign_hours": "48",
        "minutes-eng": "45",
    }

    for _ in range(2):  # twice is once
        client.post(address, form)

    kept = SetTerms.objects.get()
    assert (kept.essay_set, kept.due_by, kept.working_days) == (essay_set, "working", 5)
    assert (kept.before_hours, kept.at_deadline, kept.every_days, kept.times) == (24, True, 2, 3)
    assert (kept.reassign_hours, kept.reassign_begun, str(kept.due_time)) == (48, False, "18:00:00")
    assert list(TimeLimit.objects.values_list("subject", "minutes")) == [("eng", 45)]
    assert AuditEntry.objects.filter(action="deadlines.terms", actor=coordinator).count() == 1


def test_of_two_who_change_the_terms_at_once_the_second_is_told(log_in, coordinator):
    essay_set = set_with_terms(before_hours=24)
    address = f"/deadlines/sets/{essay_set.pk}/"
    one, other = (log_in(each) for each in (coordinator, PersonFactory(role="organiser")))
    seen = {"seen": seen_on(one.get(address))}

    first = one.post(address, {**TERMS, **seen, "before_hours": "24", "minutes-eng": "45"})
    second = other.post(address, {**TERMS, **seen, "before_hours": "12"}, follow=True)

    assert (first.status_code, second.status_code) == (302, 409)
    assert "Somebody changed the terms of this set meanwhile." in texts_of(second, "#notice")[0]
    essay_set.terms.refresh_from_db()
    assert essay_set.terms.before_hours == 24
    assert list(TimeLimit.objects.values_list("subject", "minutes")) == [("eng", 45)]


def test_who_was_shown_terms_at_the_moment_they_were_changed_is_told_too(log_in, coordinator):
    essay_set = set_with_terms(before_hours=24)
    address, client = f"/deadlines/sets/{essay_set.pk}/", log_in(coordinator)

    def change(execute, sql, *how):
        found = execute(sql, *how)
        if sql.startswith("SELECT") and 'FROM "review_setterms"' in sql:
            SetTerms.objects.filter(before_hours=24).update(before_hours=48)
        return found

    with connection.execute_wrapper(change):
        page = client.get(address)
    answer = client.post(address, {**TERMS, "before_hours": "24", "seen": seen_on(page)})

    assert page_of(page).one("input[name=before_hours]")["value"] == "24"
    assert (answer.status_code, SetTerms.objects.get().before_hours) == (409, 48)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"zone": "Europe/Atlantis"}, "There is no such time zone."),
        ({"zone": "../etc/passwd"}, "There is no such time zone."),
        ({"due_by": "working"}, "Say how many working days."),
        ({"due_by": "date"}, "Say which date."),
        ({"due_by": "date", "due_on": "2026-02-27"}, "This date has passed already."),
        ({"due_by": "date", "due_on": "9999-12-31", "zone": "America/New_York"}, FAR),
        ({"times": "3"}, "Say both how often and how many times, or neither."),
    ],
)
def test_terms_that_say_nothing_are_refused(log_in, coordinator, sent, said):
    essay_set = EssayFactory().essay_set

    response = log_in(coordinator).post(f"/deadlines/sets/{essay_set.pk}/", {**TERMS, **sent})

    assert texts_of(response, ".help.bad") == [said]
    assert not SetTerms.objects.exists()


def test_a_new_date_is_past_by_the_clock_of_the_set(log_in, coordinator):
    here = now()
    sent = {**TERMS, "due_by": "date", "due_on": f"{here:%Y-%m-%d}", "due_time": f"{here:%H:%M}"}
    essay_set = EssayFactory().essay_set
    client, address = log_in(coordinator), f"/deadlines/sets/{essay_set.pk}/"

    east = client.post(address, {**sent, "zone": "Asia/Kamchatka"})
    west = client.post(address, {**sent, "zone": "America/New_York"})

    assert texts_of(east, ".help.bad") == ["This date has passed already."]
    assert west.status_code == 302


def test_beside_a_date_that_has_passed_since_other_terms_are_changed(log_in, coordinator):
    essay_set = set_with_terms(due_by="date", due_on=now().date() - 3 * DAY)
    client, address = log_in(coordinator), f"/deadlines/sets/{essay_set.pk}/"
    sent = {**TERMS, "due_by": "date", "due_on": str(essay_set.terms.due_on), "before_hours": "24"}
    sent["seen"] = seen_on(client.get(address))

    kept = client.post(address, sent)
    earlier = client.post(address, {**sent, "due_on": str(essay_set.terms.due_on - DAY)})

    essay_set.terms.refresh_from_db()
    assert (kept.status_code, essay_set.terms.before_hours) == (302, 24)
    assert texts_of(earlier, ".help.bad") == ["This date has passed already."]


def test_a_day_is_entered_anew_and_removed(log_in, coordinator):
    client = log_in(coordinator)
    client.post("/deadlines/calendar/", {"day": "2028-05-02", "works": "1", "note": "first"})
    client.post("/deadlines/calendar/", {"day": "2028-05-02", "works": "", "note": "moved"})
    page = client.get("/deadlines/calendar/?year=2028")

    assert list(CalendarDay.objects.values_list("works", "note")) == [(False, "moved")]
    assert "2 May Tuesday" in texts_of(page, "tbody th")
    assert texts_of(page, ".page-head p") == ["2028: 249 working days"]
    assert len(texts_of(page, "[data-guessed]")) == 1

    client.post(f"/deadlines/calendar/{CalendarDay.objects.get().pk}/drop/")
    page = client.get("/deadlines/calendar/?year=2028")
    assert texts_of(page, ".page-head p") == ["2028: 250 working days"]
    known = client.get("/deadlines/calendar/?year=2026")
    assert texts_of(known, "[data-guessed]") == []
    assert "day off moved from 3 Jan 2026" in texts_of(known, "td.a-state")
    actions = AuditEntry.objects.filter(action__startswith="calendar.").order_by("pk")
    assert [entry.action for entry in actions] == [
        "calendar.entered",
        "calendar.entered",
        "calendar.dropped",
    ]


def test_who_enters_a_day_anew_reads_how_it_was_entered_before(log_in, coordinator):
    one, other = (log_in(each) for each in (coordinator, PersonFactory(role="organiser")))
    off = {"day": "2028-05-02", "works": "", "note": "moved"}

    told = [
        texts_of(client.post("/deadlines/calendar/", form, follow=True), ".messages li")
        for client, form in ((one, off), (one, off), (other, {**off, "works": "1", "note": ""}))
    ]

    assert told == [
        ["The day is entered."],
        ["It was so already: nothing was changed."],
        ["The day is entered. Before, coordinators had entered it as: day off (moved)."],
    ]
    assert list(CalendarDay.objects.values_list("works", "note")) == [(True, "")]
    assert AuditEntry.objects.filter(action="calendar.entered").count() == 2


def test_a_day_that_somebody_else_removed_is_said_to_be_gone(log_in, coordinator):
    one, other = (log_in(each) for each in (coordinator, PersonFactory(role="organiser")))
    day = CalendarDay.objects.create(day="2028-05-02", works=True)
    address = f"/deadlines/calendar/{day.pk}/drop/"
    seen = {"referer": "http://testserver/deadlines/calendar/?year=2028"}

    answers = [each.post(address, headers=seen, follow=True) for each in (one, other)]

    assert [texts_of(each, ".messages li") for each in answers] == [
        ["The day is as the country’s calendar has it."],
        ["Somebody removed this day already."],
    ]
    assert answers[1].redirect_chain == [("/deadlines/calendar/?year=2028", 302)]
    assert AuditEntry.objects.filter(action="calendar.dropped").count() == 1


@pytest.mark.parametrize("year", ["", "abc", "0000", "99999", "9999", "²²²²"])
def test_any_year_may_be_asked_for(log_in, coordinator, year):
    assert log_in(coordinator).get(f"/deadlines/calendar/?year={year}").status_code == 200


def test_an_address_is_tried_again_on_demand(log_in, coordinator):
    mute = expert(username="mute", full_name="Mute Person")
    terms = LetterTerms.objects.create(
        person=mute, refused_address=mute.email, refused_because="550 no", refused_at=Now()
    )
    client = log_in(coordinator)
    assert texts_of(client.get("/deadlines/"), "td.reason") == ["550 no"]

    client.post(f"/deadlines/letters/{terms.pk}/again/")

    assert texts_of(client.get("/deadlines/"), "td.reason") == []


def test_the_queue_shows_what_presses(log_in):
    person = expert(username="anna")
    essay_set = set_with_terms()
    for number, left in (("late", -HOUR), ("soon", 2 * DAY), ("far", 9 * DAY)):
        check(essay_set, person, left=left, essay={"number": number})
    check(essay_set, PersonFactory(), left=-HOUR, essay={"number": "stranger"})

    shown = texts_of(log_in(person).get("/queue/"), "[data-pressing]")

    assert [words.split(" (")[0] for words in shown] == [
        "1 check is late. late",
        "1 check is due within three days. soon",
    ]


def test_an_expert_chooses_the_language_of_letters(log_in):
    person = expert(username="anna", email="anna@school.example")
    client = log_in(person)

    client.post("/deadlines/letters/language/", {"language": "en"})
    refused = client.post("/deadlines/letters/language/", {"language": "de"})

    assert (LetterTerms.objects.get().language, refused.status_code) == ("en", 422)
    page = client.get("/queue/")
    assert texts_of(page, "#letters-language option[selected]") == ["English"]
    assert "Reminders come to anna@school.example." in page.content.decode()


def test_the_desk_tells_of_a_check_past_its_limit(log_in, coordinator):
    made = AssignmentFactory(state="submitted", submitted_at=Now(), deadline_at=now() + DAY)
    record = submitted(made.essay, assignment=made)
    WorkTime.objects.create(markup=record, seconds=3120, limit_seconds=2700, is_past=True)

    page = log_in(coordinator).get(f"/desk/essays/{made.essay_id}/")

    assert texts_of(page, ".badge.warn") == ["52 of 45 min"]


def test_the_queue_tells_deadlines_in_the_time_zone_of_their_set(log_in):
    person = PersonFactory()
    far, without = set_with_terms(zone="Asia/Kamchatka"), EssaySetFactory()
    made = [check(essay_set, person, left=DAY) for essay_set in (far, without)]
    for each, at in zip(made, ("2026-03-01T12:30:00Z", "2026-03-01T12:31:00Z"), strict=True):
        Assignment.objects.filter(pk=each.pk).update(deadline_at=at)

    response = log_in(person).get("/queue/")

    assert texts_of(response, "td.a-left .sub") == [
        "2 Mar 2026, 00:30 UTC+12",
        "1 Mar 2026, 15:31 MSK",
    ]
    assert texts_of(response, "[data-zone]") == []


def test_the_one_time_zone_of_a_queue_is_named_once(log_in):
    person = PersonFactory()
    for at in ("2026-03-01T12:30:00Z", "2026-03-01T12:31:00Z"):
        made = check(set_with_terms(zone="Asia/Kamchatka"), person, left=DAY)
        Assignment.objects.filter(pk=made.pk).update(deadline_at=at)

    response = log_in(person).get("/queue/")

    assert texts_of(response, "td.a-left .sub") == ["2 Mar 2026, 00:30", "2 Mar 2026, 00:31"]
    assert texts_of(response, "[data-zone]") == ["time zone of the deadlines: UTC+12"]
