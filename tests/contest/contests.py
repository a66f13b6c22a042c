"""Contests for tests: announced, with phases, sets, teams; times are days from now."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

from django.utils import timezone

from contest.core.both import Both
from contest.models import Contest, DataSet, Membership, ParameterSet, Phase, Team
from contest.services.announcing import announce
from scoring.models import StandingBoard
from tests.factories import EssaySetFactory, PersonFactory, RuleSetFactory
from tests.scoring.test_board_page import entry, run_of

number = count()


def days(n):
    return timezone.now() + timedelta(days=n)


def contest_of(slug="autumn", announced=True, **fields):
    """A contest of English essays; ``announced=False``: only its organisers know it."""
    fields = {"name_ru": f"Конкурс {slug}", "name_en": f"Contest {slug}", **fields}
    return Contest.objects.create(
        slug=slug, subject="eng", announced_at=days(-30) if announced else None, **fields
    )


def phase(contest, kind, starts, ends, **fields):
    return Phase.objects.create(
        contest=contest, kind=kind, starts_at=days(starts), ends_at=days(ends), **fields
    )


def running(slug="autumn", **fields):
    """Its qualification is on; the finals are still more than ten days away."""
    found = contest_of(slug, applications_from=days(-20), applications_until=days(-10), **fields)
    phase(found, "qualification", -5, 5)
    phase(found, "finals", 20, 21)
    return found


def data_set(contest, role, **fields):
    access = {"training": "open", "test": "closed", "final": "final"}[role]
    essay_set = EssaySetFactory(access=access, **fields)
    return DataSet.objects.create(contest=contest, role=role, essay_set=essay_set)


def team_of(contest, name, members=1, **fields):
    """A team with its account and its members, who have addresses."""
    account = PersonFactory(role="participant", full_name=name)
    team = Team.objects.create(contest=contest, name=name, account=account, **fields)
    for _ in range(members):
        person = PersonFactory(role="participant", email=f"m{next(number)}@team.example")
        Membership.objects.create(team=team, contest=contest, person=person)
    return team


def parameters(contest, version=1, since=-30, rules=None, **fields):
    """A version of the parameters that is in force."""
    return ParameterSet.objects.create(
        contest=contest,
        version=version,
        rules=rules or RuleSetFactory(),
        in_force_at=days(since),
        **fields,
    )


def told(contest, title="News", body="", kind="news", actor=None):
    return announce(
        contest=contest,
        kind=kind,
        title=Both(ru=f"{title} по-русски", en=title),
        body=Both(ru=f"{body} по-русски", en=body),
        actor=actor,
    )


def board_of(essay_set, *names):
    """The published board of a set: these stand on it in this order."""
    run = run_of(essay_set, "applied")
    for rank, name in enumerate(names, 1):
        star = 80 - rank / 2
        entry(run, name, star=star, rank=rank, sure=(star - 1, star + 1, rank, rank), like=[])
    StandingBoard.objects.create(
        essay_set=essay_set, applied=run, public=run, published_at=days(-1)
    )
    return run
