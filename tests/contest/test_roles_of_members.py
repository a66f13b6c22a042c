"""Whoever checks or decides is in no team, and whose account is closed holds no key of one."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services.tokens import issue_token, owners_of_tokens, user_of_token
from annotator.models import Assignment, Essay
from contest.models import DataSet
from contest.services.data_sets import add_data_set
from contest.services.teams.joining import leave
from tests.contest.team_world import a_contest, a_person, a_team, add, letters
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def team():
    return a_team(a_contest())


@pytest.fixture
def boris(team):
    boris = a_person("Boris")
    add(team, boris)
    return boris


def secret_in(page):
    return page.content.decode().split('class="secret"')[1].split(">")[1].split("<")[0].strip()


def key_made_by(person, log_in):
    return secret_in(log_in(person).post("/account/", {"name": "cluster", "days": 90}))


def by_the_people_page(person, role, log_in):
    body = {"username": person.username, "full_name": person.full_name, "role": role}
    return log_in(PersonFactory(role="coordinator")).post(f"/people/{person.pk}/", body)


def by_the_administration(person, role, log_in):
    body = {"username": person.username, "email": person.email, "role": role, "is_active": "on"}
    body |= {"specialisms-TOTAL_FORMS": 0, "specialisms-INITIAL_FORMS": 0}
    browser = log_in(PersonFactory(role="administrator"))
    return browser.post(f"/admin/accounts/user/{person.pk}/change/", body)


WAYS = [by_the_people_page, by_the_administration]


@pytest.mark.parametrize("change", WAYS)
def test_who_is_in_a_team_gets_no_other_role_and_it_is_said_why(change, boris, log_in):
    answer = change(boris, "expert", log_in)

    boris.refresh_from_db()
    assert boris.role == "participant"
    assert "in the team “Alfa” of the contest “Spring spring”" in answer.content.decode()


@pytest.mark.parametrize("change", WAYS)
def test_the_account_of_a_team_keeps_its_role(change, team, log_in):
    answer = change(team.account, "expert", log_in)

    team.account.refresh_from_db()
    assert team.account.role == "participant"
    assert "account of the team “Alfa”" in answer.content.decode()


@pytest.mark.parametrize("change", WAYS)
def test_a_member_who_was_made_an_expert_before_this_was_refused_becomes_a_participant_again(
    change, boris, log_in
):
    User.objects.filter(pk=boris.pk).update(role="expert")
    boris.refresh_from_db()

    change(boris, "participant", log_in)

    boris.refresh_from_db()
    assert boris.role == "participant"


def test_who_has_left_may_check(boris, team, log_in):
    leave(team=team, person=boris, actor=boris)

    by_the_people_page(boris, "expert", log_in)

    boris.refresh_from_db()
    assert boris.role == "expert"


@pytest.mark.parametrize("change", WAYS)
def test_who_checks_after_the_contest_of_the_team_holds_no_key_of_it(change, boris, team, log_in):
    token = key_made_by(boris, log_in)
    team.contest.final_at = timezone.now()
    team.contest.save()

    change(boris, "expert", log_in)

    boris.refresh_from_db()
    assert (boris.role, user_of_token(token)) == ("expert", None)


def test_whose_account_is_closed_holds_no_key_of_the_team(boris, team, log_in):
    others = key_made_by(team.memberships.get(is_captain=True).person, log_in)
    token = key_made_by(boris, log_in)
    assert user_of_token(token) == team.account

    log_in(PersonFactory(role="organiser")).post(f"/people/{boris.pk}/activity/", {})

    assert (user_of_token(token), user_of_token(others)) == (None, team.account)


def test_another_name_of_a_member_leaves_the_keys(boris, team, log_in):
    token = key_made_by(boris, log_in)
    boris.full_name = "Boris the Second"

    by_the_people_page(boris, "participant", log_in)

    assert user_of_token(token) == team.account


def test_who_has_left_since_the_page_was_asked_for_gets_no_key_of_the_team(boris, team):
    leave(team=team, person=boris, actor=boris)

    with pytest.raises(PermissionDenied):
        issue_token(user=team.account, name="cluster", member=boris)


def of_the_test_set(contest):
    return EssayFactory(essay_set=contest.data_sets.get(role=DataSet.Role.TEST).essay_set)


def a_check(essay, expert):
    return AssignmentFactory(essay=essay, expert=expert)


def a_markup(essay, expert):
    return submitted(essay, fragment(0, 4), author=expert)


def test_a_key_whose_maker_has_a_published_password_opens_nothing_and_lists_say_so(
    boris, team, log_in, settings
):
    captain = team.memberships.get(is_captain=True).person
    token, good = key_made_by(boris, log_in), key_made_by(captain, log_in)
    boris.password_is_published = True
    boris.save()

    settings.LOCAL = False

    assert (user_of_token(token), user_of_token(good)) == (None, team.account)
    assert owners_of_tokens([token, good])[0] == {good: team.account}
    browser = log_in(captain)
    for address in ("/account/", "/contests/spring/team/"):
        assert browser.get(address).content.decode().count("opens nothing") == 1


@pytest.mark.parametrize("had", [a_check, a_markup])
def test_who_was_given_checks_of_a_contest_joins_none_of_its_teams(had, team, log_in):
    person = PersonFactory(role="expert", email="boris@example.org")
    had(of_the_test_set(team.contest), person)
    person.role = "participant"
    person.save()
    captain = log_in(team.memberships.get().person)
    captain.post("/contests/spring/team/invite/", {"name": "Boris", "email": person.email})
    link = letters()[person.email]

    shown, answer = Client().get(link), Client().post(link)

    for page in (shown, answer):
        assert "has checked essays of this contest" in page.content.decode()
    assert not team.memberships.filter(person=person).exists()


def test_checks_taken_away_unopened_and_of_other_contests_keep_nobody_out(team, log_in):
    person = PersonFactory(role="expert", email="boris@example.org")
    a_markup(EssayFactory(essay_set=EssaySetFactory()), person)
    taken = a_check(of_the_test_set(team.contest), person)
    Assignment.objects.filter(pk=taken.pk).update(state="withdrawn")
    person.role = "participant"
    person.save()
    captain = log_in(team.memberships.get().person)
    captain.post("/contests/spring/team/invite/", {"name": "Boris", "email": person.email})

    Client().post(letters()[person.email])

    assert team.memberships.filter(person=person).exists()


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": "expert"}])
def test_a_key_somebody_made_for_a_team_opens_nothing_whenever_the_own_account_was_closed(
    change, boris, team, log_in
):
    token = key_made_by(boris, log_in)
    others = key_made_by(team.memberships.get(is_captain=True).person, log_in)

    User.objects.filter(pk=boris.pk).update(**change)  # as it was done before keys ended with it

    assert (user_of_token(token), user_of_token(others)) == (None, team.account)
    assert owners_of_tokens([token, others])[0] == {others: team.account}


@pytest.mark.parametrize("had", [a_check, a_markup])
def test_a_set_that_a_member_has_checked_becomes_no_test_set_of_the_contest(had, boris, team):
    checked, training = EssaySetFactory(access="closed"), EssaySetFactory(access="open")
    organiser = PersonFactory(role="organiser")
    User.objects.filter(pk=boris.pk).update(role="expert")
    for each in (checked, training):
        had(EssayFactory(essay_set=each), boris)
    User.objects.filter(pk=boris.pk).update(role="participant")

    def add_as(role, essay_set):
        wanted = {"role": DataSet.Role(role), "essay_set": essay_set}
        return add_data_set(contest=team.contest, actor=organiser, **wanted)

    with pytest.raises(Refused, match="Boris of the team “Alfa” has checked essays of the set"):
        add_as("test", checked)
    add_as("training", training)
    leave(team=team, person=boris, actor=boris)
    add_as("test", checked)

    assert team.contest.data_sets.count() == 3


@pytest.mark.parametrize("role", ["test", "final"])
def test_nor_does_one_that_a_member_could_read_as_a_judge(role, boris, team, log_in):
    new, former = (EssaySetFactory(access={"test": "closed"}.get(role, role)) for _ in range(2))
    EssayFactory(essay_set=former)
    leave(team=team, person=boris, actor=boris)
    for each in ("judge", "participant"):
        by_the_people_page_of("administrator", boris, each, log_in)
    add(team, boris)
    EssayFactory(essay_set=new)
    wanted = {"role": DataSet.Role(role), "contest": team.contest}

    with pytest.raises(Refused, match="or could read it by another role"):
        add_data_set(**wanted, essay_set=former, actor=PersonFactory(role="organiser"))
    add_data_set(**wanted, essay_set=new, actor=PersonFactory(role="organiser"))


def of_role(role, team, log_in):
    """Somebody whom an administrator made a participant of this role."""
    of_the_test_set(team.contest)
    person = PersonFactory(role="participant", email="boris@example.org")
    for each in (role, "participant"):
        by_the_people_page_of("administrator", person, each, log_in)
    captain = log_in(team.memberships.get().person)
    captain.post("/contests/spring/team/invite/", {"name": "Boris", "email": person.email})
    return person


def by_the_people_page_of(keeper, person, role, log_in):
    body = {"username": person.username, "full_name": "Boris", "email": person.email, "role": role}
    return log_in(PersonFactory(role=keeper)).post(f"/people/{person.pk}/", body)


def by_the_administration_of(_keeper, person, role, log_in):
    return by_the_administration(person, role, log_in)


@pytest.mark.parametrize("role", ["judge", "commission", "coordinator", "organiser"])
def test_who_could_read_all_markups_of_a_contest_joins_none_of_its_teams(role, team, log_in):
    person = of_role(role, team, log_in)
    link = letters()[person.email]

    shown, answer = Client().get(link), Client().post(link)

    for page in (shown, answer):
        assert "could read what experts marked in this contest" in page.content.decode()
    assert not team.memberships.filter(person=person).exists()


@pytest.mark.parametrize("way", [by_the_people_page_of, by_the_administration_of])
def test_nor_does_an_administrator_of_the_first_hour_of_whom_nothing_is_written(way, team, log_in):
    of_the_test_set(team.contest)
    person = PersonFactory(role="administrator", email="boris@example.org")
    way("administrator", person, "participant", log_in)
    captain = log_in(team.memberships.get().person)
    captain.post("/contests/spring/team/invite/", {"name": "Boris", "email": person.email})

    answer = Client().post(letters()[person.email])

    assert "could read what experts marked in this contest" in answer.content.decode()
    assert not team.memberships.filter(person=person).exists()


def test_who_decided_before_the_essays_of_a_contest_came_in_may_join(team, log_in):
    person = of_role("judge", team, log_in)
    Essay.objects.update(imported_at=timezone.now())

    Client().post(letters()[person.email])

    assert team.memberships.filter(person=person).exists()
