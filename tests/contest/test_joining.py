"""Members of teams: invited, joining, leaving, leading; nothing leaks to who has left."""

from __future__ import annotations

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import ApiToken, AuditEntry, User
from accounts.services.tokens import user_of_token
from contest.models import Membership, TeamInvitation
from contest.services.annulling import exclude_team
from contest.services.teams import joining
from contest.services.teams.joining import MOST
from contest.services.teams.letters import Post
from review.services.letters import language_of
from review.services.terms import choose_language
from tests.contest.team_world import a_contest, a_person, a_team, add, letters, played
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

CABINET = "/contests/spring/team/"


@pytest.fixture
def team():
    return a_team(a_contest())


@pytest.fixture
def captain(team, log_in):
    return log_in(team.memberships.get().person)


def invite(browser, email="boris@example.org", name="Boris"):
    return browser.post(f"{CABINET}invite/", {"name": name, "email": email})


def names(team):
    return sorted(team.memberships.filter(left_at=None).values_list("person__full_name", flat=True))


def test_an_invited_person_joins_by_the_link_and_chooses_a_password(team, captain):
    invite(captain)
    assert names(team) == ["Alfa captain spring"]
    link = letters()["boris@example.org"]
    assert Client().get(link).status_code == 200
    assert names(team) == ["Alfa captain spring"]

    done = Client().post(link)

    boris = User.objects.get(email="boris@example.org")
    assert done["Location"].startswith("/invitation/")
    assert (boris.role, boris.has_usable_password()) == ("participant", False)
    assert names(team) == ["Alfa captain spring", "Boris"]
    assert "This link was used" in Client().post(link).content.decode()


def test_people_get_letters_in_the_language_they_read(captain):
    boris = a_person("Boris")
    choose_language(person=boris, language="en")
    russian = {"headers": {"accept-language": "ru"}}

    captain.post(f"{CABINET}invite/", {"name": "Boris", "email": boris.email}, **russian)
    captain.post(f"{CABINET}invite/", {"name": "Vera", "email": "vera@example.org"}, **russian)
    links = letters()
    Client(headers={"accept-language": "en"}).post(links["vera@example.org"])

    told = {each.to[0]: each.subject for each in mail.outbox}
    assert told == {
        boris.email: "You are invited to the team “Alfa”",
        "vera@example.org": "Вас приглашают в команду «Alfa»",
    }
    vera = User.objects.select_related("letter_terms").get(email="vera@example.org")
    assert language_of(vera) == "en"


def test_an_account_that_is_there_joins_only_by_the_link(team, captain):
    boris = a_person("Boris")
    invite(captain, boris.email)
    assert names(team) == ["Alfa captain spring"]

    done = Client().post(letters()[boris.email])

    assert done["Location"] == CABINET
    assert Membership.objects.filter(person=boris, team=team).count() == 1


def test_an_invitation_may_be_declined_and_taken_back(team, captain):
    invite(captain, "no@example.org")
    invite(captain, "gone@example.org")
    links = letters()
    gone = TeamInvitation.objects.get(email="gone@example.org")

    Client().post(links["no@example.org"], {"decline": "1"})
    captain.post(f"{CABINET}invitations/{gone.pk}/drop/")
    late = [Client().post(link) for link in links.values()]

    assert ["declined" in late[0].content.decode(), "taken back" in late[1].content.decode()] == [
        True,
        True,
    ]
    assert names(team) == ["Alfa captain spring"]


@pytest.mark.parametrize("role", ["expert", "judge", "coordinator"])
def test_who_checks_or_decides_joins_no_team(team, captain, role):
    PersonFactory(role=role, email="boris@example.org")
    invite(captain)

    assert Client().post(letters()["boris@example.org"]).status_code == 422
    assert names(team) == ["Alfa captain spring"]


def test_a_second_team_of_the_contest_is_refused_by_its_name(team, captain):
    boris = a_person("Boris")
    add(a_team(team.contest, "Beta"), boris)
    invite(captain, boris.email)

    link = letters()[boris.email]
    answer = Client().post(link)

    assert "Boris is in the team “Beta” of this contest" in answer.content.decode()
    back = page_of(answer).one("main").find(".row-tools a")[0]
    assert (back.text, link.endswith(back["href"])) == ("Back to the page", True)
    with pytest.raises(IntegrityError), transaction.atomic():
        add(team, boris)


def test_who_cannot_join_reads_why_before_pressing_and_may_decline(team, captain):
    boris = a_person("Boris")
    add(a_team(team.contest, "Beta"), boris)
    invite(captain, boris.email)
    link = letters()[boris.email]

    page = page_of(Client().get(link))
    told, buttons = page.one("main .notice").text, page.find("main button")
    Client().post(link, {"decline": "1"})

    assert told == "Boris is in the team “Beta” of this contest: one leaves it first."
    assert [each["name"] for each in buttons] == ["decline"]
    assert TeamInvitation.objects.get().declined_at


@pytest.mark.parametrize(
    "again", ["boris@example.org", "BORIS@example.org", "alfa.captain.spring@example.org"]
)
def test_nobody_is_invited_twice(captain, again):
    invite(captain)

    assert invite(captain, again).status_code == 422
    assert TeamInvitation.objects.count() == 1


def test_a_team_is_no_crowd(team, captain):
    for number in range(MOST - 1):
        add(team, a_person(f"P{number}"))

    assert invite(captain).status_code == 422


@pytest.mark.parametrize("path", ["invite/", "members/{pk}/captain/", "members/{pk}/dismiss/"])
def test_only_the_captain_and_the_account_of_the_team_lead(team, log_in, path):
    boris = a_person("Boris")
    other = add(team, a_person("Clara"))
    add(team, boris)
    address = CABINET + path.format(pk=other.pk)
    body = {"name": "Dora", "email": "dora@example.org"}

    assert log_in(boris).post(address, body).status_code == 422
    assert log_in(team.account).post(address, body).status_code == 302


def test_a_captain_hands_over_before_leaving(team, captain):
    member = add(team, a_person("Boris"))

    assert captain.post(f"{CABINET}leave/").status_code == 422
    captain.post(f"{CABINET}members/{member.pk}/captain/")
    assert captain.post(f"{CABINET}leave/").status_code == 302

    assert list(
        team.memberships.filter(left_at=None).values_list("person__full_name", "is_captain")
    ) == [("Boris", True)]


def leaving(browser):
    forms = page_of(browser.get(CABINET)).find("main form")
    return [each for each in forms if each["action"] == f"{CABINET}leave/"]


def test_who_is_the_only_one_of_a_team_leaves_it_and_nobody_can_join_any_more(team, captain):
    invite(captain)
    link = letters()["boris@example.org"]
    assert len(leaving(captain)) == 1

    left = captain.post(f"{CABINET}leave/")

    assert (left.status_code, names(team)) == (302, [])
    assert "taken back" in Client().post(link).content.decode()
    assert not User.objects.filter(email="boris@example.org").exists()


def test_the_captain_of_others_reads_how_to_leave(team, captain):
    add(team, a_person("Boris"))

    assert leaving(captain) == []
    assert "make another member its captain first" in captain.get(CABINET).content.decode()


def test_the_captain_of_an_excluded_team_leaves_and_the_longest_member_leads(team, captain):
    add(team, a_person("Boris"))
    add(team, a_person("Clara"))
    why = {"reason": "Cheated", "protocol": "No. 5", "actor": PersonFactory(role="organiser")}
    exclude_team(contest=team.contest, team=team, **why)
    assert len(leaving(captain)) == 1

    captain.post(f"{CABINET}leave/")

    members = team.memberships.filter(left_at=None).order_by("pk")
    told = list(members.values_list("person__full_name", "is_captain"))
    assert told == [("Boris", True), ("Clara", False)]
    assert AuditEntry.objects.filter(action="captain.changed").count() == 1


def test_who_left_an_excluded_team_last_is_asked_back_with_it_and_leads_it(team, captain, log_in):
    organiser, person = PersonFactory(role="organiser"), team.memberships.get().person
    why = {"reason": "Cheated", "protocol": "No. 5", "actor": organiser}
    exclude_team(contest=team.contest, team=team, **why)
    captain.post(f"{CABINET}leave/")

    asked = log_in(organiser).get(f"/contests/spring/manage/teams/{team.pk}/exclude/")
    assert f"{person}, who left last of those who can come back, is asked" in asked.content.decode()
    back = f"/contests/spring/manage/teams/{team.pk}/take-back/"
    log_in(organiser).post(back, {"reason": "A mistake"})
    assert names(team) == []
    Client().post(letters()[person.email])

    present = team.memberships.get(left_at=None)
    assert (present.person, present.is_captain) == (person, True)
    invite(log_in(person))
    Client().post(letters()["boris@example.org"])
    told = team.memberships.filter(left_at=None).order_by("pk").values_list("is_captain", flat=True)
    assert list(told) == [True, False]


def test_who_let_the_letter_lie_is_asked_once_more(team, captain, log_in):
    organiser, person = PersonFactory(role="organiser"), team.memberships.get().person
    captain.post(f"{CABINET}leave/")
    browser, links = log_in(organiser), []
    for _turn in range(2):
        why = {"reason": "Cheated", "protocol": "No. 5", "actor": organiser}
        exclude_team(contest=team.contest, team=team, **why)
        back = f"/contests/spring/manage/teams/{team.pk}/take-back/"
        browser.post(back, {"reason": "A mistake"})
        links.append(letters()[person.email])

    assert "taken back" in Client().post(links[0]).content.decode()
    assert names(team) == []
    Client().post(links[1])
    assert names(team) == [person.full_name]


OBSTACLES = {
    "another team": lambda person, contest: a_team(contest, "Beta", person, application=False),
    "expert": lambda person, _contest: User.objects.filter(pk=person.pk).update(role="expert"),
    "closed": lambda person, _contest: User.objects.filter(pk=person.pk).update(is_active=False),
    "no address": lambda person, _contest: User.objects.filter(pk=person.pk).update(email=""),
}


@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_in_place_of_who_cannot_come_back_whoever_left_before_is_asked(
    team, captain, log_in, obstacle
):
    organiser, person, boris = PersonFactory(role="organiser"), person_in(team), a_person("Boris")
    add(team, boris)
    why = {"reason": "Cheated", "protocol": "No. 5", "actor": organiser}
    exclude_team(contest=team.contest, team=team, **why)
    captain.post(f"{CABINET}leave/")
    log_in(boris).post(f"{CABINET}leave/")
    OBSTACLES[obstacle](boris, team.contest)

    asked = log_in(organiser).get(f"/contests/spring/manage/teams/{team.pk}/exclude/")
    back = f"/contests/spring/manage/teams/{team.pk}/take-back/"
    log_in(organiser).post(back, {"reason": "A mistake"})

    assert f"{person}, who left last of those who can come back" in asked.content.decode()
    links = letters()
    assert list(links) == [person.email]
    Client().post(links[person.email])
    assert names(team) == [person.full_name]


def test_whom_else_a_team_invited_stays_invited_when_it_is_taken_back(team, captain, log_in):
    organiser, person = PersonFactory(role="organiser"), person_in(team)
    captain.post(f"{CABINET}leave/")
    post = Post("http://127.0.0.1", "en")
    asked = {"name": "Clara", "email": "clara@example.org", "actor": team.account}
    joining.invite(team=team, post=post, **asked)
    why = {"reason": "Cheated", "protocol": "No. 5", "actor": organiser}
    exclude_team(contest=team.contest, team=team, **why)

    back = f"/contests/spring/manage/teams/{team.pk}/take-back/"
    log_in(organiser).post(back, {"reason": "A mistake"})

    still = joining.open_invitations(team).values_list("email", flat=True)
    assert list(still) == ["clara@example.org", person.email]


def person_in(team):
    return team.memberships.get().person


def test_a_team_somebody_is_in_is_taken_back_without_letters(team, log_in):
    organiser = PersonFactory(role="organiser")
    why = {"reason": "Cheated", "protocol": "No. 5", "actor": organiser}
    exclude_team(contest=team.contest, team=team, **why)

    back = f"/contests/spring/manage/teams/{team.pk}/take-back/"
    log_in(organiser).post(back, {"reason": "A mistake"})

    assert (TeamInvitation.objects.count(), letters()) == (0, {})


def test_who_left_sees_nothing_of_the_team_and_holds_no_key(team, log_in):
    boris = a_person("Boris")
    add(team, boris)
    browser = log_in(boris)
    session = played(team)
    made = browser.post("/account/", {"name": "cluster", "days": 90}).content.decode()
    token = made.split('class="secret"')[1].split(">")[1].split("<")[0].strip()
    assert user_of_token(token) == team.account
    assert browser.get(f"/exchange/{session.pk}/").status_code == 200

    browser.post(f"{CABINET}leave/")

    assert user_of_token(token) is None
    assert browser.get(f"/exchange/{session.pk}/").status_code == 404
    assert browser.get(CABINET).status_code == 404
    assert "Alfa" not in browser.get("/account/").content.decode()
    assert AuditEntry.objects.filter(action="member.left", actor=boris).count() == 1


def test_keys_others_made_stay_when_somebody_leaves(team, captain, log_in):
    boris = a_person("Boris")
    member = add(team, boris)
    captain.post("/account/", {"name": "of the captain", "days": 90})
    log_in(boris).post("/account/", {"name": "of Boris", "days": 90})

    captain.post(f"{CABINET}members/{member.pk}/dismiss/")

    good = ApiToken.objects.filter(user=team.account, revoked_at=None)
    assert [each.name for each in good] == ["of the captain"]


@pytest.mark.usefixtures("team")
def test_the_cabinet_of_a_team_is_not_there_for_others(log_in):
    other = a_team(a_contest("autumn"), "Beta")
    stranger = a_person("Stranger")

    assert log_in(other.memberships.get().person).get(CABINET).status_code == 404
    assert log_in(stranger).get(CABINET).status_code == 404
    assert log_in(PersonFactory(role="judge")).get(CABINET).status_code == 403
    assert Client().get(CABINET).status_code == 302


def test_an_invitation_of_another_team_is_not_taken_back(team, captain, log_in):
    invite(captain)
    other = a_team(team.contest, "Beta")
    number = TeamInvitation.objects.get().pk

    browser = log_in(other.memberships.get().person)
    assert browser.post(f"{CABINET}invitations/{number}/drop/").status_code == 404
