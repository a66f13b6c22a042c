"""Judges check, the commission verifies, organisers admit; who sees the pages (R 6.3, 8.1)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import DatabaseError
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEntry
from contest.access import waiting_teams
from contest.models import TeamVerdict
from contest.pages.waiting import waiting_for
from contest.queries.readiness import conclusion_of
from contest.services.teams.verdicts import Said, say_of_team, seen_of
from tests.contest.team_world import a_contest, a_person, a_team, judges, qualify
from tests.factories import PersonFactory
from tests.pages import page_of
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db

KINDS = ("checked", "verified", "admitted")


@pytest.fixture
def team():
    found = a_team(a_contest())
    qualify(found)
    return found


def say(team, actor, kind, reason="", seen=None):
    last = team.verdicts.order_by("-pk").values_list("pk", flat=True).first()
    seen = seen or seen_of(conclusion_of(team), last)
    said = Said(TeamVerdict.Kind(kind), seen, reason)
    return say_of_team(team=team, said=said, actor=actor)


def kinds(team):
    return list(team.verdicts.order_by("pk").values_list("kind", "round"))


def conditions(team):
    return {each.name.value: (each.is_met, each.value) for each in conclusion_of(team).conditions}


def test_three_people_admit_a_team_in_their_order(team):
    people = judges()
    for actor, kind in zip(people, KINDS, strict=True):
        say(team, actor, kind)

    team.refresh_from_db()
    assert kinds(team) == [(kind, 1) for kind in KINDS]
    assert team.admitted_at is not None
    entries = AuditEntry.objects.filter(action__startswith="team.").order_by("pk")
    assert [(each.action, each.actor) for each in entries] == [
        (f"team.{kind}", actor) for actor, kind in zip(people, KINDS, strict=True)
    ]


@pytest.mark.parametrize(
    ("who", "kind", "clause"),
    [(1, "verified", "8.1.1"), (2, "admitted", "8.1.1"), (0, "verified", "8.1.1")],
)
def test_nobody_is_before_the_judges(team, who, kind, clause):
    with pytest.raises(Refused, match=f"Clause {clause}"):
        say(team, judges()[who], kind)


def test_the_commission_comes_before_the_organisers(team):
    judge, _commission, organiser = judges()
    say(team, judge, "checked")

    with pytest.raises(Refused, match=r"Clause 8\.1\.2"):
        say(team, organiser, "admitted")
    with pytest.raises(Refused, match=r"Clause 8\.1\.2"):
        say(team, judge, "checked", "once more")


def test_one_person_never_gives_two_verdicts(team):
    judge, commission, organiser = judges()
    say(team, judge, "checked")
    judge.role = "commission"
    judge.save()
    with pytest.raises(Refused, match="nobody gives two verdicts"):
        say(team, judge, "verified")
    say(team, commission, "verified")
    commission.role = "administrator"
    commission.save()
    with pytest.raises(Refused, match="nobody gives two verdicts"):
        say(team, commission, "admitted")
    say(team, organiser, "admitted")

    with pytest.raises(Conflict, match="admitted already"):
        say(team, PersonFactory(role="organiser"), "admitted")


def test_the_database_itself_takes_no_second_verdict_of_a_person(team):
    (judge, *_) = judges()
    verdict = say(team, judge, "checked")

    with pytest.raises(IntegrityError), transaction.atomic():
        TeamVerdict.objects.create(team=team, kind="verified", who=judge, conclusion={})
    with pytest.raises(DatabaseError), transaction.atomic():
        TeamVerdict.objects.filter(pk=verdict.pk).update(reason="another")
    with pytest.raises(DatabaseError), transaction.atomic():
        TeamVerdict.objects.filter(pk=verdict.pk).delete()


def test_a_returned_team_begins_a_new_round(team):
    judge, commission, _organiser = judges()
    say(team, judge, "checked")
    with pytest.raises(Refused, match="Say why"):
        say(team, commission, "returned")
    say(team, commission, "returned", "Look at session 3")
    say(team, judge, "checked")

    assert kinds(team) == [("checked", 1), ("returned", 1), ("checked", 2)]


def test_a_form_that_is_sent_twice_is_one_verdict(team):
    (judge, *_) = judges()
    first = say(team, judge, "checked")

    assert say(team, judge, "checked", seen="what it showed then") == first


def test_what_changed_since_it_was_shown_is_a_conflict(team):
    judge, commission, _organiser = judges()
    seen = seen_of(conclusion_of(team), None)
    qualify(team, star=61)
    with pytest.raises(Conflict, match="changed meanwhile"):
        say(team, judge, "checked", seen=seen)
    say(team, judge, "checked")
    qualify(team, star=62)

    with pytest.raises(Conflict, match="since judges checked it"):
        say(team, commission, "verified")
    say(team, commission, "returned", "A new run")


def test_a_negative_conclusion_admits_nobody(team):
    judge, commission, organiser = judges()
    qualify(team, star=59.9)
    say(team, judge, "checked")
    say(team, commission, "verified")

    with pytest.raises(Refused, match=r"Clause 6\.3"):
        say(team, organiser, "admitted")


def test_what_is_not_known_yet_is_called_no_failure_and_admits_nobody(team, log_in):
    judge, commission, organiser = judges()
    fresh = a_team(team.contest, "Beta")
    teams = "/contests/spring/teams/"
    captain = fresh.memberships.get().person
    own = page_of(log_in(captain).get("/contests/spring/team/"))
    browser = log_in(judge)
    one = page_of(browser.get(f"{teams}{fresh.pk}/"))
    several = page_of(browser.get(f"{teams}verdict/", {"team": fresh.pk, "kind": "checked"}))
    listed = page_of(browser.get(teams)).find("tbody tr")[1]
    say(fresh, judge, "checked")
    say(fresh, commission, "verified")

    with pytest.raises(Refused, match=r"Clause 6\.3 .* nothing is concluded about “Beta” yet"):
        say(fresh, organiser, "admitted")

    concluded = [each.one("section[aria-labelledby=h-ready] header .badge") for each in (own, one)]
    concluded += [several.one("main .told .badge"), listed.find(".badge")[-1]]
    assert [each.text for each in concluded] == ["not concluded yet"] * 4
    for shown in (several.one("main .told"), listed):
        states = [each.text.rpartition(": ")[2] for each in shown.find(".sub")]
        assert states == ["not known yet"] * 2


def test_an_excluded_team_gets_no_verdict(team):
    (judge, *_) = judges()
    type(team).objects.update(excluded_at="2026-01-01T00:00Z", excluded_because="By hand")

    with pytest.raises(Refused, match=r"Clause 11\.6"):
        say(team, judge, "checked")


@pytest.mark.parametrize(
    ("star", "annulled", "found"),
    [
        (60, 1, {"form": (True, None), "annulled": (True, 0.05), "star": (True, 60)}),
        (59, 2, {"form": (True, None), "annulled": (False, 0.1), "star": (False, 59)}),
    ],
)
def test_the_conclusion_is_of_the_run_that_counts(team, star, annulled, found):
    qualify(team, star=star, annulled=annulled)

    assert conditions(team) == found


def test_a_team_that_did_not_run_has_passed_nothing():
    team = a_team(a_contest(), application=False)

    assert conditions(team) == {
        "form": (False, None),
        "annulled": (False, None),
        "star": (False, None),
    }


def test_an_entry_without_a_rank_passes_no_qualification(team):
    team.account.run_entries.update(state="few", rank=None)

    assert conditions(team)["star"] == (False, None)


def test_what_waits_for_whom(team):
    judge, commission, organiser = judges()
    other = a_team(team.contest, "Beta")
    qualify(team, other)

    assert waiting_teams(judge) == [team, other]
    say(team, judge, "checked")
    assert [waiting_teams(each) for each in (judge, commission, organiser)] == [[other], [team], []]
    assert waiting_teams(PersonFactory(role="coordinator")) == []


def test_a_team_waits_for_judges_once_something_is_concluded_about_it(team, log_in):
    (judge, *_) = judges()
    fresh, bare = a_team(team.contest, "Beta"), a_team(team.contest, "Gamma", application=False)
    browser = log_in(judge)

    def told():
        page = page_of(browser.get("/contests/spring/teams/"))
        (line,) = [each for each in waiting_for(judge).lines if "team" in each.words]
        head = page.one(".page-head p").text.partition(".")[2].strip()
        return line.words, head, len(page.find("tbody input"))

    before = told()
    qualify(team, fresh, star=59)

    assert [before, told()] == [
        ("2 teams of “Spring spring”", "2 teams wait for your word", 3),
        ("3 teams of “Spring spring”", "3 teams wait for your word", 3),
    ]
    assert waiting_teams(judge) == [team, fresh, bare]


@pytest.mark.usefixtures("team")
def test_what_waits_costs_the_same_however_many_contests_and_teams_there_are(
    django_assert_num_queries,
):
    (judge, *_) = judges()
    with CaptureQueriesContext(connection) as asked:
        waiting_teams(judge)
    for number in range(4):
        contest = a_contest(f"number-{number}")
        qualify(*(a_team(contest, name) for name in ("Beta", "Gamma")))

    with django_assert_num_queries(len(asked)):
        assert len(waiting_teams(judge)) == 9


def test_the_list_tells_what_each_waits_for_and_filters(team, log_in):
    judge, commission, _organiser = judges()
    a_team(team.contest, "Beta", application=False)
    say(team, judge, "checked")
    browser = log_in(commission)

    def rows(query=""):
        page = page_of(browser.get(f"/contests/spring/teams/{query}").content.decode())
        return [
            [each.one("a").text, *(one.text for one in each.find(".badge"))]
            for each in page.find("tbody tr")
        ]

    alfa = ["Alfa", "checked, waits for the commission", "positive"]
    beta = ["Beta", "waits for the judges", "negative"]
    assert rows() == [alfa, beta]
    assert (rows("?step=commission"), rows("?step=judges")) == ([alfa], [beta])
    assert (rows("?step=returned"), rows("?step=admitted")) == ([], [])


def test_a_judge_says_it_on_the_page_of_the_team(team, log_in):
    (judge, *_) = judges()
    browser, address = log_in(judge), f"/contests/spring/teams/{team.pk}/"
    page = browser.get(address).content.decode()
    (seen,) = re.findall(r'name="seen" value="(\w+)"', page)
    asked = page_of(browser.get(f"{address}say/", {"kind": "checked", "seen": seen})).one("main")
    assert asked.one("h1").text == "Is the conclusion about “Alfa” right?"
    assert "A verdict stays as it is said" in asked.text
    sent = {each["name"]: each["value"] for each in asked.find("form[method=post] input")}
    assert ({**sent, "csrfmiddlewaretoken": ""}, kinds(team)) == (
        {"csrfmiddlewaretoken": "", "kind": "checked", "seen": seen},
        [],
    )

    answer = browser.post(f"{address}say/", {"kind": "checked", "seen": seen, "reason": ""})

    assert (answer.status_code, kinds(team)) == (302, [("checked", 1)])
    after = browser.get(address).content.decode()
    assert ('name="seen"' in after, str(judge) in after) == (False, True)


def test_several_teams_are_checked_by_one_word_after_a_question(team, log_in):
    (judge, *_) = judges()
    beta, gone = a_team(team.contest, "Beta"), a_team(team.contest, "Gamma")
    foreign = a_team(a_contest("autumn"), "Delta")
    browser, address = log_in(judge), "/contests/spring/teams/verdict/"
    ticked = {"team": [team.pk, beta.pk, gone.pk, foreign.pk], "kind": "checked"}
    page = browser.get(address, ticked).content.decode()
    named = re.findall(r'name="team" value="(\d+:\w+)"', page)
    assert [int(each.partition(":")[0]) for each in named] == [team.pk, beta.pk, gone.pk]
    type(team).objects.filter(pk=gone.pk).update(
        excluded_at="2026-01-01T00:00Z", excluded_because="By hand"
    )
    named.append(f"{foreign.pk}:{named[0].partition(':')[2]}")

    answer = browser.post(address, {"team": named, "kind": "checked", "reason": ""}, follow=True)

    told = [
        each.text.strip() for each in page_of(answer.content.decode()).find(".messages .notice")
    ]
    assert told == [
        "Written down of 2 teams.",
        "Gamma: Clause 11.6 of the regulation: the team “Gamma” is excluded from the contest.",
    ]
    assert [kinds(each) for each in (team, beta, gone, foreign)] == [
        [("checked", 1)],
        [("checked", 1)],
        [],
        [],
    ]


def test_a_team_is_not_there_through_another_contest(team, log_in):
    a_contest("autumn")
    browser = log_in(judges()[0])

    assert browser.get(f"/contests/autumn/teams/{team.pk}/").status_code == 404
    assert browser.post(f"/contests/autumn/teams/{team.pk}/say/", {}).status_code == 404


@pytest.mark.parametrize("role", ["participant", "expert", "coordinator", None])
def test_strangers_see_no_team(team, log_in, role):
    browser = log_in(PersonFactory(role=role)) if role else Client()
    addresses = ["teams/", "teams/verdict/", f"teams/{team.pk}/", f"teams/{team.pk}/say/"]

    found = {browser.get(f"/contests/spring/{each}").status_code for each in addresses}

    assert found == {403 if role else 302}


def test_the_team_reads_what_was_said_in_its_cabinet(team, log_in):
    judge, commission, _organiser = judges()
    say(team, judge, "checked")
    say(team, commission, "returned", "Look at session 3")

    answer = log_in(team.memberships.get().person).get("/contests/spring/team/")
    page = answer.content.decode()

    assert ("Look at session 3" in page, "waits for the judges" in page) == (True, True)
    marked = [bool(each.find(".badge")) for each in page_of(answer).find(".told li")]
    assert marked[-2:] == [True, False]  # a return is no verdict on the conclusion


def test_the_cabinet_says_its_dates_in_the_contests_zone_and_names_it(log_in):
    until = datetime(2030, 1, 9, 18, 30, tzinfo=UTC)
    team = a_team(a_contest(zone="Asia/Omsk", applications_until=until))
    browser = log_in(team.memberships.get().person)

    page = page_of(browser.get("/contests/spring/team/", headers={"accept-language": "en"}))

    dates = page.one("section[aria-labelledby=h-dates]")
    (moment,) = [each for each in dates.find("time") if each["datetime"].startswith("2030")]
    assert moment["datetime"] == "2030-01-10T00:30:00+06:00"
    assert (moment.text, moment["data-zone"]) == ("10 Jan 2030, 00:30", "by your clock: %s")
    assert "Times are given in the zone UTC+6." in dates.text


def test_a_list_of_many_teams_costs_as_many_queries_as_one_of_few(team, log_in):
    browser = log_in(judges()[0])

    def queries():
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert browser.get("/contests/spring/teams/").status_code == 200
        return len(seen)

    queries()
    few = queries()
    for number in range(60):
        a_team(team.contest, f"Team {number}", captain=a_person(f"C{number}"))
    assert (queries(), few <= 24) == (few, True)
