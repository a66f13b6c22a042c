"""Who leads a team whose captain's account is closed, and what becomes of one nobody leads."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from contest.models import Contest
from contest.pages.waiting import waiting_for
from contest.services.annulling import exclude_team
from contest.services.teams.joining import hand_over, leave
from contest.services.teams.letters import GOOD_FOR
from tests.contest.team_world import a_contest, a_person, a_team, add, letters
from tests.factories import PersonFactory
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db

CABINET = "/contests/spring/team/"


@pytest.fixture
def team():
    return a_team(a_contest())


@pytest.fixture
def organiser():
    return PersonFactory(role="organiser")


def close(person, *, is_open=False):
    User.objects.filter(pk=person.pk).update(is_active=is_open)
    person.refresh_from_db()
    return person


def captain_of(team):
    return team.memberships.get(is_captain=True).person


def invites(browser, email="dora@example.org"):
    return browser.post(f"{CABINET}invite/", {"name": "Dora", "email": email}).status_code


def members(page):
    """The members a page shows, each with its badges."""
    lines = page_of(page).find("[aria-labelledby=h-members] li")
    return [line.text for line in lines]


def told(person):
    found = waiting_for(person)
    return [(each.words, each.address) for each in found.lines] if found else []


def test_who_is_in_it_for_longest_leads_while_the_account_of_the_captain_is_closed(team, log_in):
    captain, boris, clara = captain_of(team), a_person("Boris"), a_person("Clara")
    add(team, boris)
    add(team, clara)
    assert invites(log_in(boris)) == 422

    close(captain)

    assert [invites(log_in(each)) for each in (boris, clara)] == [302, 422]
    shown = members(log_in(boris).get(CABINET))
    assert "the account is closed" in shown[0]
    assert "captain" in shown[1].replace("captain spring", "")
    close(captain, is_open=True)
    assert invites(log_in(captain), "eva@example.org") == 302
    assert invites(log_in(boris), "fred@example.org") == 422


def test_who_leads_in_place_of_a_captain_may_take_that_one_out(team, log_in):
    captain, boris = close(captain_of(team)), a_person("Boris")
    add(team, boris)
    own = team.memberships.get(person=captain)

    log_in(boris).post(f"{CABINET}members/{own.pk}/dismiss/")

    present = team.memberships.filter(left_at=None).values_list("person", "is_captain")
    assert list(present) == [(boris.pk, True)]


def test_a_closed_account_leads_nobody(team):
    captain, boris = captain_of(team), a_person("Boris")
    add(team, boris)
    close(boris)

    with pytest.raises(Refused, match="The account of Boris is closed"):
        hand_over(team=team, person=boris, actor=captain)
    leave(team=team, person=captain, actor=captain)

    present = team.memberships.filter(left_at=None).values_list("person", "is_captain")
    assert list(present) == [(boris.pk, False)]


def test_organisers_read_of_a_team_nobody_leads_and_ask_somebody_into_it(team, organiser, log_in):
    assert told(organiser) == []
    captain = close(captain_of(team))
    address = f"/contests/spring/teams/{team.pk}/"
    words = "Nobody leads the team “Alfa” of “Spring spring”: ask somebody into it"

    assert told(organiser) == [(words, address)]
    of_others = [told(PersonFactory(role=role)) for role in ("judge", "commission", "coordinator")]
    assert (words, address) not in [line for lines in of_others for line in lines]
    browser = log_in(organiser)
    page = browser.get(address)
    assert "open the account of a member again" in page.content.decode()
    assert f"/people/{captain.pk}/" in [
        each["href"] for each in page_of(page).find("[aria-labelledby=h-members] a")
    ]
    body = {"name": "Dora", "email": "dora@example.org"}
    assert browser.post(f"{address}ask/", body).status_code == 302

    assert told(organiser) == []
    Client().post(letters()["dora@example.org"])
    dora = User.objects.get(email="dora@example.org")
    assert invites(log_in(dora), "eva@example.org") == 302
    late = browser.post(f"{address}ask/", body)
    assert late.status_code == 422
    assert "Dora leads the team, and invites others." in late.content.decode()


def test_a_second_press_keeps_the_link_of_the_first_letter(team, organiser, log_in):
    close(captain_of(team))
    address = f"/contests/spring/teams/{team.pk}/ask/"
    body = {"name": "Dora", "email": "dora@example.org"}

    answers = [log_in(organiser).post(address, body) for _ in range(2)]

    assert [each.status_code for each in answers] == [302, 422]
    assert "dora@example.org is invited already." in answers[1].content.decode()
    Client().post(letters()["dora@example.org"])
    assert team.memberships.filter(person__email="dora@example.org", left_at=None).exists()


def test_who_let_the_letter_lie_is_asked_anew(team, organiser, log_in):
    close(captain_of(team))
    address = f"/contests/spring/teams/{team.pk}/ask/"
    body = {"name": "Dora", "email": "dora@example.org"}
    log_in(organiser).post(address, body)
    team.invitations.update(made_at=timezone.now() - GOOD_FOR)
    assert len(told(organiser)) == 1

    assert log_in(organiser).post(address, body).status_code == 302

    assert [each.is_open for each in team.invitations.order_by("pk")] == [False, True]
    assert told(organiser) == []


def test_whoever_left_last_is_named_to_be_asked_back(team, organiser, log_in):
    captain = captain_of(team)
    leave(team=team, person=captain, actor=captain)

    page = page_of(log_in(organiser).get(f"/contests/spring/teams/{team.pk}/"))

    fields = {each["name"]: each.attributes.get("value") for each in page.find("main form input")}
    assert (fields["name"], fields["email"]) == (captain.full_name, captain.email)


def test_a_person_has_a_name_and_no_title_in_russian(team, log_in):
    page = log_in(captain_of(team)).get(CABINET, headers={"accept-language": "ru"})

    asked = page_of(page).find(f'form[action="{CABINET}invite/"] label')
    assert [each.text for each in asked] == ["Имя", "Электронная почта"]


def test_organisers_hear_at_once_who_cannot_join(team, organiser, log_in):
    PersonFactory(role="expert", email="dora@example.org")
    captain = close(captain_of(team))
    browser = log_in(organiser)

    answers = [
        browser.post(f"/contests/spring/teams/{team.pk}/ask/", {"name": "Dora", "email": email})
        for email in ("dora@example.org", captain.email)
    ]

    assert [each.status_code for each in answers] == [422, 422]
    assert all("cannot be in a team" in each.content.decode() for each in answers)
    assert letters() == {}


def test_a_team_that_is_excluded_or_closed_waits_for_nobody(team, organiser):
    other = a_team(team.contest, "Beta")
    close(captain_of(team))
    close(captain_of(other))
    assert len(told(organiser)) == 2
    why = {"reason": "Cheated", "protocol": "No. 5", "actor": organiser}

    exclude_team(contest=team.contest, team=team, **why)
    close(other.account)

    assert told(organiser) == []


def test_teams_of_a_contest_wait_for_somebody_to_lead_them_once_it_is_announced(team, organiser):
    close(captain_of(team))
    found = Contest.objects.filter(pk=team.contest_id)
    announced_at = found.get().announced_at

    found.update(announced_at=None)
    before = told(organiser)
    found.update(announced_at=announced_at)

    assert (before, len(told(organiser))) == ([], 1)


def test_a_team_whose_own_account_signs_in_is_led_by_it(team, organiser, log_in):
    close(captain_of(team))
    address = f"/contests/spring/teams/{team.pk}/"
    asks = f'form[action="{address}ask/"]'
    before = (len(told(organiser)), len(page_of(log_in(organiser).get(address)).find(asks)))

    team.account.set_password("a long one of its own")
    team.account.save()

    after = (len(told(organiser)), len(page_of(log_in(organiser).get(address)).find(asks)))
    assert (before, after) == ((1, 1), (0, 0))
    assert invites(log_in(team.account)) == 302


def test_what_is_told_costs_the_same_however_many_teams_it_is_of(
    organiser, django_assert_num_queries
):
    contest = a_contest()
    close(captain_of(a_team(contest)))
    with django_assert_num_queries(COST):
        assert len(told(organiser)) == 1
    for name in ("Beta", "Gamma", "Delta"):
        close(captain_of(a_team(contest, name)))
    with django_assert_num_queries(COST):
        assert len(told(organiser)) == 4


COST = 6


def test_nobody_but_organisers_asks_into_a_team(team, log_in):
    captain = close(captain_of(team))
    address = f"/contests/spring/teams/{team.pk}/ask/"
    body = {"name": "Dora", "email": "dora@example.org"}
    others = [PersonFactory(role=role) for role in ("judge", "commission", "expert", "coordinator")]

    answers = [log_in(each).post(address, body).status_code for each in [*others, a_person("Eva")]]

    assert answers == [403] * 5
    assert Client().post(address, body)["Location"].startswith("/login/")
    assert (captain.is_active, letters()) == (False, {})
