"""What a participant reads of finals ahead, and of how a program begins."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.utils import timezone

from config.bootstrap import ROOT
from contest.core.moments import at, moment_of
from contest.models import SessionEvent
from contest.pages.announced import announced_to
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort
from contest.services.sessions.finals import cancel_final
from contest.services.sessions.refusals import SENTENCES
from tests.contest.world import SECOND, Client, Mode, final_at, team
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

COST = 9
MARKER = '"python -m razbor.markers.rules"'
START = 1_800_000_000 * SECOND


def stages(person, after):
    """How the finals stand for a person, so many seconds after the start."""
    return [each.stage.value for each in announced_to(person, START + round(after * SECOND))]


def test_a_final_goes_from_ahead_to_missed():
    person = team()
    final_at(START, person)

    seen = [stages(person, after) for after in (-601, -600, -0.5, 0, 120, 121, 86_400)]
    assert seen == [["ahead"], ["opens"], ["opens"], ["began"], ["began"], ["missed"], []]


def test_a_final_that_may_be_opened_at_any_time_is_missed_once_its_last_file_is_over(log_in):
    person, began = team(), moment_now() - 30 * SECOND
    final_at(START, person, window=None)
    final_at(began, team_mate := team(), window=None)

    seen = [stages(person, after) for after in (0, 180, 181, 86_400)]
    assert seen == [["began"], ["began"], ["missed"], []]
    line = page_of(log_in(team_mate).get("/exchange/")).find(".announced li p")[0].text
    last = timezone.localtime(at(began + 180 * SECOND))
    assert line.split()[-1] == f"{last:%H:%M:%S}."


def test_its_own_session_is_shown_as_long_as_it_is_open_and_a_withdrawn_one_not():
    person = team()
    final_at(START, person)
    withdrawn = Client(person, mode=Mode.FINAL, moment=START - 500 * SECOND)
    abort(session_id=withdrawn.session.pk, moment=START - 400 * SECOND)
    assert stages(person, -300) == ["opens"]

    client = Client(person, mode=Mode.FINAL, moment=START - 300 * SECOND)
    (shown,) = announced_to(person, START)
    assert (shown.stage, shown.session) == ("held", client.session)
    abort(session_id=client.session.pk, moment=START + 1)
    assert stages(person, 2) == []


def test_who_is_not_admitted_reads_that_and_of_what_is_cancelled_nothing():
    person, stranger = team(), team()
    final = final_at(START, person, essays=2)

    (shown,) = announced_to(stranger, START - 700 * SECOND)
    assert (shown.stage, shown.size, shown.subjects) == ("not-admitted", 2, ("English",))
    assert stages(stranger, 121) == []
    cancel_final(final=final, reason="A flood", actor=None, moment=START)
    assert (stages(person, -1), stages(stranger, -1)) == (["cancelled"], [])


def test_the_page_names_the_final_its_start_and_the_way_to_begin(log_in, settings):
    settings.GATEWAY_URL = "https://exchange.example/"
    person = team()
    final = final_at(moment_now() + 3 * 86_400 * SECOND + 30 * SECOND, person)
    browser = log_in(person)

    page = page_of(browser.get("/exchange/"))
    line = " ".join(page.find(".announced li")[0].text.split())
    assert f"Final {final.name.split()[1]} final, number {final.pk}; English; 3 files" in line
    assert "you are admitted It starts in 3 d. A program can open it from" in line
    first = page.find(".announced time")[0]
    assert datetime.fromisoformat(first["datetime"]) == final.starts_at
    told = [each.text for each in page.find(".beginning code")]
    assert told == [
        f"razbor exchange --url http://testserver --mode technical --marker {MARKER}",
        "http://testserver/api/exchange/",
        "https://exchange.example/pku",
    ]
    assert any("htmx" in each["src"] for each in page.find("script"))
    client = Client(person, mode=Mode.FINAL, moment=moment_of(final.starts_at))
    link = page_of(browser.get("/exchange/")).find(".announced li a")[0]
    assert link["href"] == f"/exchange/{client.session.pk}/"


def test_staff_reads_no_announcements(log_in):
    final_at(moment_now() + 60 * SECOND, team())

    seen = page_of(log_in(PersonFactory(role="judge")).get("/exchange/"))
    assert (seen.find(".announced"), seen.find(".beginning")) == ([], [])


def test_everybody_reads_how_to_take_part_with_the_addresses_of_this_site(log_in, client, settings):
    settings.GATEWAY_URL = "https://exchange.example/"
    stranger = client.get("/documents/participating/")

    page = page_of(stranger)
    assert stranger.headers["Content-Type"] == "text/html; charset=utf-8"
    codes = [each.text for each in page.find(".participating code")]
    assert f"razbor exchange --url http://testserver --mode technical --marker {MARKER}" in codes[2]
    assert "https://exchange.example/pku" in codes
    assert not {"razbor.example", "`", "](", "## "} & set(codes)
    assert "razbor.example" not in stranger.content.decode()
    in_russian = client.get("/documents/participating/", headers={"accept-language": "ru"})
    assert page_of(in_russian).one("h1").text == "От учётной записи до завершённой сессии"
    seen = page_of(log_in(team()).get("/exchange/"))
    assert "/documents/participating/" in [each["href"] for each in seen.find(".beginning a")]


def test_the_page_costs_the_same_however_many_finals_are_ahead(log_in, django_assert_num_queries):
    person = team()
    browser = log_in(person)
    final_at(moment_now() + 60 * SECOND, person)
    browser.get("/exchange/")
    with django_assert_num_queries(COST):
        browser.get("/exchange/")
    for number in range(1, 4):
        final_at(moment_now() + number * 3600 * SECOND, person, team())
    with django_assert_num_queries(COST):
        browser.get("/exchange/")


OF_OTHERS = {"too-late", "already-open", "ended", "no-session", "nothing-left", "repeated"}
"""Why an event has no effect that is no send, or why it was not stored."""


def test_guide_and_page_say_what_to_do_about_whatever_a_program_is_told(client):
    guide = (ROOT / "docs" / "participating.md").read_text("utf-8")
    of_sends = set(SessionEvent.Reason.values) - OF_OTHERS
    page = page_of(client.get("/documents/participating/"))

    assert {*SENTENCES, *of_sends} - set(re.findall(r"`([a-z-]+)`", guide)) == set()
    assert of_sends - {each.text for each in page.find(".participating td code")} == set()
