"""From pages of contests everybody is led where they may go, and nowhere else."""

from __future__ import annotations

import pytest
from django.test import Client

from contest.models import Membership
from tests.contest.contests import days, running, team_of, told
from tests.contest.data_world import taking_uploads
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

RUNNING = ["Parameters", "Protocols: qualification", "Protocols: finals"]
APPLYING = {"applications_from": days(-3), "applications_until": days(3)}


def ways(browser, address, selector=".ways a"):
    """What the links are called; each of them opens."""
    links = page_of(browser.get(address, headers={"accept-language": "en"})).find(selector)
    for each in links:
        assert browser.get(each["href"]).status_code == 200, each["href"]
    return [each.text for each in links]


def member_of(team):
    return Membership.objects.filter(team=team).first().person


def test_the_page_of_a_contest_of_essays_leads_everybody_where_they_may_go(log_in):
    contest = running()
    lynx = team_of(contest, "Lynx")
    people = {role: PersonFactory(role=role) for role in ("judge", "commission", "organiser")}
    people |= {role: PersonFactory(role=role) for role in ("expert", "coordinator", "participant")}

    found = {role: ways(log_in(each), "/contests/autumn/") for role, each in people.items()}

    assert found == {
        "judge": ["Teams", "Dates and sets", *RUNNING],
        "commission": ["Teams", "Dates and sets", *RUNNING],
        "organiser": ["Teams", "How it is run", *RUNNING, "Archives"],
        **{role: [] for role in ("expert", "coordinator", "participant")},
    }
    assert ways(Client(), "/contests/autumn/") == []
    assert ways(log_in(member_of(lynx)), "/contests/autumn/") == ["Your team"]


def test_a_contest_of_schemes_leads_to_uploads_and_their_board(log_in):
    contest = taking_uploads(shows_test_board=True)
    address = f"/contests/{contest.slug}/"
    member = log_in(member_of(team_of(contest, "Lynx")))
    organiser = log_in(PersonFactory(role="organiser"))

    assert ways(Client(), address) == ["Board of uploads"]
    assert ways(member, address) == ["Your team", "Uploads", "Board of uploads"]
    assert ways(organiser, address)[:3] == ["Uploads", "Board of uploads", "Teams"]
    assert ways(organiser, f"{address}manage/", "div.row-tools a")[6:8] == [
        "Uploads",
        "Key and quotas: qualification",
    ]


def test_who_has_no_team_applies_while_applications_run(log_in):
    contest = running(slug="spring")
    address, button = "/contests/spring/", "aside a.primary"
    member = log_in(member_of(team_of(contest, "Lynx")))
    assert ways(log_in(PersonFactory(role="participant")), address, button) == []

    type(contest).objects.update(**APPLYING)

    assert ways(Client(), address, button) == ["Apply with a team"]
    assert ways(log_in(PersonFactory(role="participant")), address, button) == ["Apply with a team"]
    assert ways(member, address, button) == []
    assert ways(log_in(PersonFactory(role="judge")), address, button) == []


def test_organisers_are_led_to_a_new_contest_and_from_managing_to_the_rest(log_in):
    running()
    organiser, judge = (log_in(PersonFactory(role=role)) for role in ("organiser", "judge"))

    assert ways(organiser, "/contests/", ".page-head a") == ["New contest"]
    assert ways(judge, "/contests/", ".page-head a") == []
    assert ways(Client(), "/contests/", ".page-head a") == []
    managing = "/contests/autumn/manage/"
    of_phases = ["Protocols: qualification", "Protocols: finals"]
    own = ["Announcements", "Common modules", "Archives"]
    rest = ["Page for everybody", "Teams", *own, *of_phases]
    assert ways(organiser, managing, "div.row-tools a") == rest
    assert ways(judge, managing, "div.row-tools a") == [*rest[:2], *of_phases]


def test_the_cabinet_leads_to_the_announcements(log_in):
    contest = running()
    lynx = team_of(contest, "Lynx")
    news = told(contest)
    member = log_in(member_of(lynx))

    address = "/contests/autumn/team/"
    links = page_of(member.get(address)).find("section[aria-labelledby=h-news] a")

    assert [each["href"] for each in links] == [
        "/contests/autumn/#news",
        f"/contests/autumn/announcements/{news.pk}/",
    ]
    assert all(member.get(each["href"]).status_code == 200 for each in links)


@pytest.mark.parametrize(
    ("page", "here"),
    [
        ("", "The contest"),
        ("parameters/", "Parameters"),
        ("finals/", "Finals"),
        ("solutions/", "Solutions"),
    ],
)
def test_the_row_of_the_pages_of_running_a_contest_names_the_page_one_is_on(log_in, page, here):
    running()
    prefix = "" if page == "parameters/" else "manage/"

    found = page_of(log_in(PersonFactory(role="organiser")).get(f"/contests/autumn/{prefix}{page}"))

    row = found.find(".page-head .tools .btn")
    told = {each.text: each.attributes.get("aria-current") for each in row}
    linked = [each.text for each in row if "href" in each.attributes]
    names = ["The contest", "Parameters", "Finals", "Solutions"]
    assert {name: told[name] for name in names} == {**dict.fromkeys(names), here: "page"}
    assert here not in linked
