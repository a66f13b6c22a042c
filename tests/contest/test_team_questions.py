"""Before a verdict of teams a page asks, names them, and says what is not concluded yet."""

from __future__ import annotations

import pytest

from tests.contest.team_world import a_contest, a_team, judges, qualify
from tests.contest.test_team_verdicts import say
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def team():
    found = a_team(a_contest())
    qualify(found)
    return found


@pytest.mark.parametrize(("who", "kind"), [(0, "checked"), (1, "verified")])
def test_teams_without_a_positive_conclusion_are_named_before_a_verdict(team, log_in, who, kind):
    judge, *_ = people = judges()
    beta = a_team(team.contest, "Beta")
    gamma = a_team(team.contest, "Gamma", application=False)
    teams = [team, beta, gamma]
    for each in teams if who else ():
        say(each, judge, "checked")
    browser, address = log_in(people[who]), "/contests/spring/teams/"

    several = page_of(
        browser.get(f"{address}verdict/", {"team": [each.pk for each in teams], "kind": kind})
    )
    one = page_of(browser.get(f"{address}{beta.pk}/say/", {"kind": kind}))

    def named(page):
        words = [each.text for each in page.find("main form p")]
        return [each.partition(". Clause 6.3")[0] for each in words if "Clause 6.3" in each]

    unknown = "Nothing is concluded yet about: Beta"
    assert named(several) == [unknown, "The conclusion is negative about: Gamma"]
    assert named(one) == [unknown]


def test_a_question_about_no_team_says_that_none_is_ticked(team, log_in):
    browser, address = log_in(judges()[0]), "/contests/spring/teams/verdict/"
    foreign = a_team(a_contest("autumn"), "Delta")

    def told(**given):
        page = page_of(browser.get(address, {"kind": "checked", **given}, follow=True))
        return [each.text.strip() for each in page.find(".messages .notice")]

    assert told() == ["Tick the teams first: the question is about those."]
    assert told(team=foreign.pk) == ["No ticked team waits for your word."]
    assert page_of(browser.get(address, {"kind": "checked", "team": team.pk})).one("h1").text == (
        "Is the conclusion about “Alfa” right?"
    )


def test_what_is_refused_of_a_verdict_leads_to_the_page_that_tells_how_it_stands(team, log_in):
    address = f"/contests/spring/teams/{team.pk}/"
    asked = f"{address}say/?kind=checked&seen=old"
    browser = log_in(judges()[0])

    def back_from(path, **said):
        answer = browser.post(path, said, headers={"referer": f"http://testserver{asked}"})
        ways = page_of(answer).one("main").find(".row-tools a")
        return answer.status_code, ways[0].text, ways[0]["href"]

    stale = back_from(f"{address}say/", kind="checked", seen="old")
    broken = back_from(f"{address}say/", kind="nonsense")
    several = back_from("/contests/spring/teams/verdict/", kind="checked")

    assert stale == (409, "Back to the page", address)
    assert broken == (422, "Back to the page", address)
    assert several == (422, "Back to the page", "/contests/spring/teams/")


@pytest.mark.parametrize("kind", ["verified", "nothing", ""])
def test_nobody_is_asked_what_is_not_theirs_to_say_of_a_team(team, log_in, kind):
    address = f"/contests/spring/teams/{team.pk}/"

    answer = log_in(judges()[0]).get(f"{address}say/", {"kind": kind})

    assert (answer.status_code, answer["Location"]) == (302, address)
