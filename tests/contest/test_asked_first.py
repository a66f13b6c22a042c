"""What everybody learns of at once is asked about first: dates, archives, consents, approvals."""

from __future__ import annotations

import pytest

from contest.models import Announcement, Consent, Phase, PublicationOrder
from contest.queries.parameters import parameters_in_force
from contest.services.parameters import propose_parameters
from tests.contest.running_world import DAY, announced, now, person, wanted
from tests.pages import page_of

pytestmark = pytest.mark.django_db

CONTEST = "/contests/spring/"


@pytest.fixture
def contest():
    return announced()


def question(answer):
    """What a page asks: its title, its paragraphs, its warning, what a yes would send and where."""
    page = page_of(answer).one("main")
    form = page.one("form[method=post]")
    fields = {each["name"]: each["value"] for each in form.find("input")}
    fields.pop("csrfmiddlewaretoken", None)
    words = [each.text for each in form.find("p")]
    warned = [each.text.strip() for each in form.find(".notice.warn")]
    return page.one("h1").text, words, warned, form["action"], fields


def typed(moment):
    return moment.strftime("%Y-%m-%dT%H:%M")


def dates_of(kind):
    return Phase.objects.values_list("starts_at", "ends_at").get(kind=kind)


@pytest.mark.usefixtures("contest")
def test_moved_dates_of_a_phase_are_told_before_everybody_is(log_in):
    organiser, told = log_in(person("organiser")), Announcement.objects.count()
    before = dates_of("finals")
    start, end = (each + 5 * DAY for each in before)
    body = {"kind": "finals", "starts_at": typed(start), "ends_at": typed(end)}

    address = f"{CONTEST}manage/phase/"
    title, words, warned, action, fields = question(organiser.post(address, body))

    assert title == "Move the dates of “The contest”?"
    assert (words[0].startswith("finals: "), " → " in words[0]) == (True, True)
    assert words[1:] == ["It is announced on the site and by letters to the participants at once."]
    assert warned == ["The announcement stays: another move is announced as another one."]
    assert (action, fields) == (address, {**body, "sure": "1"})
    assert (dates_of("finals"), Announcement.objects.count()) == (before, told)
    assert organiser.post(action, fields).status_code == 302
    assert dates_of("finals") != before
    assert Announcement.objects.count() == told + 1
    stranger = log_in(person("participant"))
    assert stranger.post(address, body).status_code == 403


@pytest.mark.usefixtures("contest")
def test_dates_that_would_be_refused_are_refused_before_a_question(log_in):
    start = now() + DAY
    body = {"kind": "finals", "starts_at": typed(start), "ends_at": typed(start + DAY)}

    answer = log_in(person("organiser")).post(f"{CONTEST}manage/phase/", body)

    assert (answer.status_code, "Clause 7.5" in answer.content.decode()) == (422, True)


def test_moved_dates_of_applications_are_asked_about(contest, log_in):
    organiser, told = log_in(person("organiser")), Announcement.objects.count()
    until = contest.applications_until
    body = {
        "applications_from": typed(contest.applications_from),
        "applications_until": typed(until + DAY),
        "contact": "we@example.org",
        "slug": "elsewhere",
    }

    address = f"{CONTEST}manage/describe/"
    answer = organiser.post(address, body)
    title, words, _warned, action, fields = question(answer)

    assert title == "Move the dates of “The contest”?"
    assert [each.partition(":")[0] for each in words[:-1]][-1] == "applications until"
    back = page_of(answer).one("main a")["href"]  # the typed address is nobody's
    assert (back, organiser.get(back).status_code) == (f"{CONTEST}manage/", 200)
    contest.refresh_from_db()
    assert (contest.applications_until, Announcement.objects.count()) == (until, told)
    assert organiser.post(action, fields).status_code == 302
    assert Announcement.objects.count() == told + 1


@pytest.mark.usefixtures("contest")
def test_an_archive_is_made_and_published_after_a_question(log_in):
    organiser, address = log_in(person("organiser")), f"{CONTEST}data/"

    title, words, warned, action, fields = question(organiser.get(address, {"kind": "training"}))

    assert (title.startswith("Make and publish: "), len(words), len(warned)) == (True, 1, 1)
    assert "everybody takes it under CC BY 4.0" in words[0]
    assert (action, fields, PublicationOrder.objects.count()) == (address, {"kind": "training"}, 0)
    assert organiser.post(action, fields).status_code == 302
    assert PublicationOrder.objects.count() == 1
    assert log_in(person("judge")).get(address, {"kind": "training"}).status_code == 403


@pytest.mark.parametrize("agrees", ["1", "0"])
def test_a_consent_is_asked_about_with_what_changes(contest, log_in, agrees):
    rules = parameters_in_force(contest).rules
    asked = wanted(rules=rules, limit=90)
    made = propose_parameters(contest=contest, wanted=asked, actor=person("organiser"))
    judge, address = log_in(person("judge")), f"{CONTEST}parameters/{made.version}/consent/"

    title, words, warned, action, fields = question(judge.get(address, {"agrees": agrees}))

    verb = "Agree to" if agrees == "1" else "Reject"
    assert title == f"{verb} version 2 of the parameters of “The contest”?"
    assert [each.rpartition(": ")[2] for each in words[:-1]] == ["60 → 90."]
    assert warned == ["A verdict stays as it is said: it cannot be changed or taken back."]
    assert (action, fields, Consent.objects.count()) == (address, {"agrees": agrees}, 0)
    judge.post(action, {**fields, "reason": "So"})
    assert Consent.objects.get().agrees == (agrees == "1")
    assert judge.get(address, {"agrees": agrees})["Location"] == f"{CONTEST}parameters/"
    assert log_in(person("participant")).get(address, {"agrees": "1"}).status_code == 403
