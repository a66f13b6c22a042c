"""Contests and teams for tests."""

from __future__ import annotations

import re
from datetime import timedelta

from django.core import mail
from django.utils import timezone

from accounts.models import User
from annotator.core.origins import OF_SESSION
from contest.models import (
    Application,
    Contest,
    DataSet,
    ExchangeSession,
    Membership,
    ParameterSet,
    Team,
)
from contest.services.sessions.clock import moment_now
from contest.services.teams.letters import send_team_letter
from jobs.models import Job
from scoring.models import RunEntry, ScoreRun, StandingBoard
from tests.contest.world import SECOND, Client, marked_set
from tests.factories import EssaySetFactory, PersonFactory, RuleSetFactory

WHOLE = {
    "name": "Alfa",
    "organisation": "Institute",
    "about": "Rules and a net",
    "captain": "Anna Ivanova",
    "email": "anna@example.org",
    "members": "",
    "agrees": "on",
}


def a_contest(slug="spring", **fields):
    """An announced contest that takes applications, with parameters in force and a test set."""
    now = timezone.now()
    fields = {
        "name_ru": f"Весна {slug}",
        "name_en": f"Spring {slug}",
        "subject": "eng",
        "announced_at": now - timedelta(days=2),
        "applications_from": now - timedelta(days=1),
        "applications_until": now + timedelta(days=9),
        **fields,
    }
    contest = Contest.objects.create(slug=slug, **fields)
    ParameterSet.objects.create(
        contest=contest,
        rules=RuleSetFactory(),
        star_to_qualify=60,
        annulled_to_qualify=0.05,
        in_force_at=now,
    )
    essay_set = EssaySetFactory(access="closed")
    DataSet.objects.create(contest=contest, role=DataSet.Role.TEST, essay_set=essay_set)
    return contest


def a_team(contest, name="Alfa", captain=None, application=True):
    """A team with its account, a captain and a whole application."""
    account = PersonFactory(
        username=f"team-{contest.slug}-{name}".lower(), full_name=name, role="participant"
    )
    account.set_unusable_password()
    account.save()
    team = Team.objects.create(contest=contest, name=name, account=account)
    captain = captain or a_person(f"{name} captain {contest.slug}")
    add(team, captain, is_captain=True)
    if application:
        Application.objects.create(
            contest=contest,
            name=name,
            about="Rules",
            email=captain.email,
            members=[{"name": captain.full_name, "email": captain.email}],
            agrees=True,
            token=f"{account.pk:064}",
            confirmed_at=timezone.now(),
            team=team,
        )
    return team


def a_person(name="Boris", **fields):
    email = f"{name.lower().replace(' ', '.')}@example.org"
    return PersonFactory(role="participant", full_name=name, **{"email": email, **fields})


def add(team, person, **fields):
    return Membership.objects.create(team=team, contest=team.contest, person=person, **fields)


def qualify(*teams, star=75.0, annulled=0, size=20):
    """An applied run over the test set in which these teams stand, by a session each."""
    essay_set = teams[0].contest.data_sets.get(role=DataSet.Role.TEST).essay_set
    run = ScoreRun.objects.create(
        essay_set=essay_set,
        rules=essay_set.rules,
        set_rules=essay_set.rules,
        code="0" * 64,
        state="ready",
    )
    StandingBoard.objects.update_or_create(essay_set=essay_set, defaults={"applied": run})
    for position, team in enumerate(teams, 1):
        session = a_session(team, annulled=annulled, size=size)
        RunEntry.objects.create(
            run=run,
            participant=team.account,
            origin=f"{OF_SESSION}{session.pk}",
            name=team.name,
            state="ranked",
            star=star,
            rank=position,
            position=position,
        )
    return run


def a_session(team, annulled=0, size=20, **fields):
    now = timezone.now()
    moments = dict.fromkeys(["opened_at", "closed_at", "last_event_at", "judged_until"], now)
    return ExchangeSession.objects.create(
        participant=team.account,
        door=ExchangeSession.Door.REST,
        rules={},
        seed=1,
        size=size,
        annulled=annulled,
        state=ExchangeSession.State.FINISHED,
        **{"mode": ExchangeSession.Mode.ALGORITHMIC, **moments, **fields},
    )


def played(team):
    """A session of a team's program that goes on, with its first file handed out."""
    marked_set(3)
    program = Client(person=team.account, moment=moment_now() - 60 * SECOND)
    program.next(0)
    return program.session


def letters():
    """Send what was promised; the links of all letters so far, by whom they went to."""
    for job in Job.objects.filter(kind="contest.send_team_letter", state=Job.State.QUEUED):
        send_team_letter(**job.args)
        job.delete()
    links = {}
    for each in mail.outbox:
        (links[each.to[0]],) = re.findall(r"http://127\.0\.0\.1:80(/\S+)", each.body)
    return links


def judges():
    """A judge, a member of the commission, an organiser."""
    return [PersonFactory(role=role) for role in ("judge", "commission", "organiser")]


def audit_of(entries):
    return [(each.action, each.actor_id) for each in entries]


def person_by(email):
    return User.objects.get(email=email)
