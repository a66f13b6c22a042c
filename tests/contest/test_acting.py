"""Members act for their team: keys, sessions and pages are the team's, the signature is theirs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, AuditEntry
from accounts.services.people import set_active
from accounts.services.tokens import issue_token
from contest.models import DataSet, ExchangeSession
from contest.services.annulling import exclude_team, take_team_back
from contest.services.sessions.clock import moment_now
from contest.services.sessions.opening import Wish, open_session
from contest.services.sessions.refusals import SessionRefused
from tests.contest.team_world import a_contest, a_person, a_session, a_team, add, played
from tests.contest.world import SECOND, Door, Mode, final_at
from tests.contest.world import Client as Program
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def team():
    return a_team(a_contest())


@pytest.fixture
def anna(team):
    return team.memberships.get().person


def sessions(browser):
    page = page_of(browser.get("/exchange/").content.decode())
    return [each.text for each in page.find(".sessions tbody th a")]


def bar(browser):
    found = page_of(browser.get("/account/").content.decode()).find(".acting summary")
    return found[0].text.partition(":")[2].strip() if found else None


def test_the_only_team_is_acted_for_at_once(team, anna, log_in):
    mine = played(team)
    other = a_session(a_team(team.contest, "Beta"))
    browser = log_in(anna)

    assert sessions(browser) == [str(mine.pk)]
    assert browser.get(f"/exchange/{mine.pk}/").status_code == 200
    assert browser.get(f"/exchange/{other.pk}/").status_code == 404
    assert bar(browser) == "Alfa"


def test_every_member_sees_the_sessions_of_the_team(team, log_in):
    boris = a_person("Boris")
    add(team, boris)
    mine = a_session(team)

    assert sessions(log_in(boris)) == [str(mine.pk)]


def test_a_key_is_the_teams_and_the_entry_names_the_person(team, anna, log_in):
    log_in(anna).post("/account/", {"name": "cluster", "days": 90})

    key = ApiToken.objects.get()
    entry = AuditEntry.objects.get(action="token.issued")
    assert (key.user, entry.actor) == (team.account, anna)


def test_the_password_stays_the_persons(team, anna, log_in):
    anna.set_password("lake under the hill")
    anna.save()
    new = "hill above the lake"
    body = {"old_password": "lake under the hill", "new_password1": new, "new_password2": new}

    assert log_in(anna).post("/account/password/", body).status_code == 302

    anna.refresh_from_db()
    team.account.refresh_from_db()
    assert (anna.check_password(new), team.account.has_usable_password()) == (True, False)


def test_the_account_page_names_the_person_and_the_team(anna, log_in):
    page = page_of(log_in(anna).get("/account/").content.decode())

    assert page.one("h1").text == anna.full_name
    assert "You act for Alfa" in page.one(".page-head").text


def test_who_is_in_several_teams_chooses(team, anna, log_in):
    second = a_team(a_contest("autumn"), "Beta", captain=anna)
    mine, its = a_session(team), a_session(second)
    browser = log_in(anna)

    assert (sessions(browser), bar(browser)) == ([], "Myself")
    browser.post("/team/act/", {"team": team.pk})
    assert (sessions(browser), bar(browser)) == ([str(mine.pk)], "Alfa")
    browser.post("/team/act/", {"team": second.pk})
    assert sessions(browser) == [str(its.pk)]
    browser.post("/team/act/", {"team": 0})
    assert sessions(browser) == []


def test_the_cabinet_says_that_a_key_is_good_until_its_date(team, anna, log_in):
    issue_token(user=team.account, name="laptop")

    page = page_of(log_in(anna).get(f"/contests/{team.contest.slug}/team/"))

    (key,) = [each.text for each in page.find("li") if "laptop" in each.text]
    assert "good until" in key


def test_who_makes_a_key_for_none_of_the_own_teams_is_told_so(team, anna, log_in):
    a_team(a_contest("autumn"), "Beta", captain=anna)
    browser = log_in(anna)

    def told(visitor):
        return [each.text for each in page_of(visitor.get("/account/")).find(".notice.warn")]

    assert "its sessions count for none of your teams; what it uploads to a contest counts for" in (
        " ".join("".join(told(browser)).split())
    )
    browser.post("/team/act/", {"team": team.pk})
    assert told(browser) == told(log_in(PersonFactory(role="participant"))) == []


def test_of_several_teams_of_one_name_the_page_of_the_account_says_whose_keys_are_made(
    team, anna, log_in
):
    second = a_team(a_contest("autumn", name_ru="Осень", name_en="Autumn"), "Alfa", captain=anna)
    browser = log_in(anna)

    def told(number):
        browser.post("/team/act/", {"team": number})
        return " ".join(page_of(browser.get("/account/")).one("main").text.split())

    words = "Keys made here are of the team “Alfa”, contest “{}”: what a program does with them"
    assert words.format("Autumn") in told(second.pk)
    assert words.format(team.contest.name_en or team.contest.name_ru) in told(team.pk)
    assert "Keys made here" not in told(0)


def test_the_cabinet_says_of_a_session_which_essays_it_has(team, anna, log_in):
    a_session(team, pool=ExchangeSession.Pool.TEST)

    page = page_of(log_in(anna).get(f"/contests/{team.contest.slug}/team/"))

    assert "qualification, test essays" in " ".join(page.one("main").text.split())


@pytest.mark.parametrize("number", [None, "its"])
def test_a_final_opened_by_ones_own_key_names_the_team_that_is_admitted(team, anna, number):
    moment = moment_now()
    final = final_at(moment, team.account)
    wish = Wish(Mode.FINAL, final=final.pk if number else None)

    def refused(person, now=moment):
        with pytest.raises(SessionRefused) as caught:
            open_session(participant=person, wish=wish, door=Door.REST, moment=now)
        return caught.value

    told = refused(anna)
    assert (told.code, told.status, "“Alfa”" in str(told)) == ("not-the-team", 403, True)
    expected = "not-admitted" if number else "no-final"
    assert refused(PersonFactory(role="participant")).code == expected
    assert refused(anna, moment + 3600 * SECOND).code == expected


def test_nobody_acts_for_the_team_of_others(team, anna, log_in):
    other = a_team(team.contest, "Beta")
    a_session(other)
    browser = log_in(anna)

    assert browser.post("/team/act/", {"team": other.pk}).status_code == 404
    session = browser.session
    session["acting"] = other.pk
    session.save()
    assert sessions(browser) == []


def test_an_excluded_team_is_acted_for_no_more(team, anna, log_in):
    mine = a_session(team)
    browser = log_in(anna)
    assert sessions(browser) == [str(mine.pk)]

    team.excluded_at, team.excluded_because = timezone.now(), "Marked by hand"
    team.save()

    assert (sessions(browser), bar(browser)) == ([], None)
    assert "Marked by hand" in browser.get("/contests/spring/team/").content.decode()


def test_a_participant_without_a_team_works_as_before(log_in):
    alone = a_person("Dora")
    browser = log_in(alone)
    browser.post("/account/", {"name": "own", "days": 90})

    assert (ApiToken.objects.get().user, bar(browser)) == (alone, None)


@pytest.mark.parametrize("wrong", ["", "0", "accounts:people", "https://evil.example/", "/\\evil"])
def test_the_switch_leads_to_nothing_but_an_address_of_ours(team, anna, log_in, wrong):
    browser = log_in(anna)
    answers = [browser.post("/team/act/", {"team": team.pk, "next": to}) for to in (wrong, "/x/")]

    assert [answer["Location"] for answer in answers] == ["/team/", "/x/"]


def test_a_person_with_teams_asks_the_database_once_more_and_never_more(
    anna, log_in, django_assert_max_num_queries
):
    for number in range(5):
        a_team(a_contest(f"c{number}"), "Beta", captain=anna)
    browser = log_in(anna)
    browser.get("/team/")

    with django_assert_max_num_queries(4):
        browser.get("/team/")


def test_an_excluded_team_has_closed_doors_until_it_is_taken_back(team, anna, log_in):
    mine, own, browser = played(team), log_in(team.account), log_in(anna)
    actor, key = PersonFactory(role="organiser"), issue_token(user=team.account, name="cluster")
    said = {"contest": team.contest, "team": team, "actor": actor}
    assert by_key(key).status_code == 200

    exclude_team(**said, reason="Marked by hand", protocol="No. 5")

    mine.refresh_from_db()
    assert (mine.state, mine.stopped_because) == ("stopped", "Marked by hand")
    assert by_key(key).status_code == 401
    assert own.get("/exchange/").status_code == 302
    assert (bar(browser), sessions(browser)) == (None, [])
    cabinet = page_of(browser.get("/contests/spring/team/"))
    told = cabinet.one("section[aria-labelledby=h-sessions] li")
    assert ("Stopped: Marked by hand" in told.text, told.find("a")) == (True, [])
    with pytest.raises(SessionRefused):
        played(team)

    take_team_back(**said, reason="A mistake")

    team.account.refresh_from_db()
    assert (bar(browser), by_key(key).status_code) == ("Alfa", 401)
    assert by_key(issue_token(user=team.account, name="anew")).status_code == 200


def test_a_team_that_is_taken_back_before_a_final_opens_it_again(team, log_in):
    start = moment_now() + 300 * SECOND
    final = final_at(start, team.account)
    DataSet.objects.create(contest=team.contest, role="final", essay_set=final.essay_set)
    waits = Program(team.account, mode=Mode.FINAL)
    said = {"contest": team.contest, "team": team, "actor": PersonFactory(role="organiser")}
    browser = log_in(said["actor"])

    exclude_team(**said, reason="Marked by hand", protocol="No. 5")
    closed = (waits.row.is_open, waits.row.may_count)
    at_once = page_of(browser.get(f"/exchange/{waits.row.pk}/")).text
    take_team_back(**said, reason="A mistake")

    words = "It was ended before the start: it counts for nothing"
    later = page_of(browser.get(f"/exchange/{waits.row.pk}/")).text

    assert closed == (False, False)
    assert (f"{words}." in at_once, f"{words}, and the final may be" in later) == (True, True)
    entry = AuditEntry.objects.get(action="session.withdrawn", object_id=waits.row.pk)
    assert (entry.actor, entry.details["reason"]) == (said["actor"], "Marked by hand")
    assert Program(team.account, mode=Mode.FINAL, final=final.pk).row.state == "waiting"


def test_an_account_that_was_closed_before_stays_closed(team):
    actor = PersonFactory(role="organiser")
    said = {"contest": team.contest, "team": team, "actor": actor}
    set_active(person=team.account, active=False, actor=actor)

    exclude_team(**said, reason="Marked by hand", protocol="No. 5")
    take_team_back(**said, reason="A mistake")

    team.account.refresh_from_db()
    assert team.account.is_active is False


def by_key(key):
    return Client(headers={"authorization": f"Token {key}"}).get("/api/exchange/sessions/")


@pytest.mark.usefixtures("team")
def test_the_cabinet_leads_to_keys_sessions_reports_and_comparisons(anna, log_in):
    browser = log_in(anna)

    tools = page_of(browser.get("/contests/spring/team/")).find("main .tools a")

    led = {each.text: each["href"] for each in tools}
    assert led == {
        "Keys": "/account/",
        "Sessions": "/exchange/",
        "Reports": "/scores/",
        "Comparisons": "/scores/own/",
        "Training essays": "/training/",
    }
    assert [browser.get(each).status_code for each in led.values()] == [200] * 5
    stranger = log_in(a_person("Boris"))
    assert stranger.get("/contests/spring/team/").status_code == 404
