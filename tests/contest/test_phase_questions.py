"""Before a verdict of a phase is said, a page asks and tells what happens."""

from __future__ import annotations

import pytest

from contest.models import PhaseProtocol, PhaseVerdict
from contest.services.annulling import exclude_team
from tests.contest.phases import COURSE, applied, say
from tests.contest.running_world import announced, over, person, team_in
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    made = announced()
    team_in(made, "Lynx")
    over(made, "qualification")
    return made


def test_each_verdict_of_a_phase_is_asked_before_it_is_said(contest, log_in):
    over(contest, "finals")
    applied(contest)
    address = "/contests/spring/protocols/finals/"
    stays = "A verdict stays as it is said: it cannot be changed or taken back."

    for number, (kind, role) in enumerate(COURSE):
        browser = log_in(person(role))
        form = page_of(browser.get(address)).one(f'main form[action="{address}say/"]')
        offered = [each["value"] for each in form.find("button")]
        seen = form.one("input[name=seen]")["value"]
        asked = page_of(browser.get(f"{address}say/", {"kind": kind, "seen": seen})).one("main")
        assert offered == [kind, *(["returned"] if number else [])]
        assert stays in asked.text
        final = "the results are final: nothing is annulled" in asked.text
        opened = "experts’ markups of the final set open to all participants" in asked.text
        assert (final, opened) == (kind == "approved", kind == "approved")
        assert PhaseVerdict.objects.count() == number
        sent = {each["name"]: each["value"] for each in asked.find("form input")}
        assert browser.post(f"{address}say/", sent | {"reason": "So"}).status_code == 302

    assert [each.reason for each in PhaseVerdict.objects.all()] == ["So", "So", "So"]


def test_a_stale_verdict_leads_to_the_phase_and_not_to_its_question_again(contest, log_in):
    say(contest, "checked", "judge")
    address = "/contests/spring/protocols/qualification/"
    headers = {"referer": f"http://testserver{address}say/?kind=verified&seen="}

    answer = log_in(person("commission")).post(
        f"{address}say/", {"kind": "verified", "seen": ""}, headers=headers
    )

    assert answer.status_code == 409
    (back, _start) = page_of(answer).one("main").find(".row-tools a")
    assert (back.text, back["href"]) == ("Back to the page", address)


def test_of_results_that_changed_since_they_were_checked_the_page_offers_the_return_alone(
    contest, log_in
):
    say(contest, "checked", "judge")
    actor = person("organiser")
    excluded = {"team": contest.teams.get(), "reason": "By hand", "protocol": "No. 5"}
    address = "/contests/spring/protocols/qualification/"
    changed = "The results are other ones than those that were checked: return the protocol."
    browser = log_in(person("commission"))

    def told():
        panel = page_of(browser.get(address)).one("main")
        offered = [each["value"] for each in panel.find(f'form[action="{address}say/"] button')]
        return changed in panel.text, offered

    before = told()
    exclude_team(contest=contest, actor=actor, **excluded)

    assert (before, told()) == ((False, ["verified", "returned"]), (True, ["returned"]))


def test_whoever_returns_a_phase_has_to_say_why_and_nobody_is_asked_out_of_turn(contest, log_in):
    say(contest, "checked", "judge")
    address = "/contests/spring/protocols/qualification/"
    commission, organiser = log_in(person("commission")), log_in(person("organiser"))

    asked = page_of(commission.get(f"{address}say/", {"kind": "returned"})).one("main")
    away = [
        organiser.get(f"{address}say/", {"kind": "approved"}),
        commission.get(f"{address}say/", {"kind": "checked"}),
        commission.get(f"{address}say/", {"kind": "nothing"}),
    ]

    assert "required" in asked.one("textarea").attributes
    assert [each["Location"] for each in away] == [address] * 3
    assert log_in(person("participant")).get(f"{address}say/").status_code == 403


def test_judges_read_the_results_they_check_and_check_no_others(contest, log_in):
    address = "/contests/spring/protocols/qualification/"
    judge = log_in(person("judge"))
    page = page_of(judge.get(address))
    seen = {"kind": "checked", "seen": page.one("main input[name=seen]")["value"]}
    of_organiser = page_of(log_in(person("organiser")).get(address))
    team_in(contest, "Bear")

    late = judge.post(f"{address}say/", seen)
    none = judge.post(f"{address}say/", {"kind": "checked", "seen": ""})
    again = page_of(judge.get(address))
    seen["seen"] = again.one("main input[name=seen]")["value"]
    checked = judge.post(f"{address}say/", seen)

    told = "The results are other ones than those you saw. Look at them again."
    assert (late.status_code, told in page_of(late).text) == (409, True)
    assert (none.status_code, checked.status_code) == (409, 302)
    assert PhaseProtocol.objects.get().digest == seen["seen"]
    assert "Lynx" in page.text
    assert ("Bear" in page.text, "Bear" in again.text) == (False, True)
    assert "Lynx" in of_organiser.text
    assert page_of(judge.get(address)).find("#results-head") == []
