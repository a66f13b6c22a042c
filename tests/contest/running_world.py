"""A contest with its sets, dates and people, as organisers have made it."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from annotator.models import EssaySet
from contest.core.both import Both
from contest.models import Contest, DataSet, Phase, Team
from contest.services.contests import announce_contest, make_contest, plan_phase
from contest.services.data_sets import add_data_set
from contest.services.parameters import Wanted, propose_parameters
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, RuleSetFactory

DAY = timedelta(days=1)
WHY = Both("Решение комитета", "A decision of the committee")
VALUES = {
    "name_ru": "Конкурс",
    "name_en": "The contest",
    "summary_ru": "О чём он",
    "summary_en": "What it is about",
    "task_ru": "Что сделать",
    "task_en": "What to do",
    "subject": "eng",
    "contact": "we@example.org",
}
ACCESS = {"training": "open", "test": "closed", "final": "final"}


def person(role, **fields):
    return PersonFactory(role=role, **fields)


def now():
    return timezone.now().replace(microsecond=0)


def prepared(slug="spring", **values):
    """A contest that lacks nothing; the qualification ends in 20 days, finals are in 30."""
    actor = person("organiser")
    dates = {"applications_from": now(), "applications_until": now() + 5 * DAY}
    contest = make_contest(values={**VALUES, **dates, "slug": slug, **values}, actor=actor)
    for role, access in ACCESS.items():
        held = EssaySetFactory(access=EssaySet.Access(access), name=f"{slug} {role}")
        for _number in range(3 if role == "final" else 1):
            EssayFactory(essay_set=held)
        add_data_set(contest=contest, role=DataSet.Role(role), essay_set=held, actor=actor)
    qualification = (now() + DAY, now() + 20 * DAY)
    finals = (now() + 30 * DAY, now() + 40 * DAY)
    for kind, (start, end) in zip(Phase.Kind, (qualification, finals), strict=True):
        plan_phase(contest=contest, kind=kind, starts_at=start, ends_at=end, actor=actor)
    propose_parameters(contest=contest, wanted=wanted(), actor=actor)
    return contest


def wanted(rules=None, star=50.0, annulled=0.05, reason=WHY, **session):
    rules = rules or RuleSetFactory()
    return Wanted(rules=rules, session=session, star=star, annulled=annulled, reason=reason)


def announced(slug="spring", **values):
    contest = prepared(slug, **values)
    announce_contest(contest=contest, actor=contest.made_by)
    contest.refresh_from_db()
    return contest


def team_in(contest, name="Lynx", *, admitted=True):
    account = person("participant", full_name=name)
    at = now() if admitted else None
    return Team.objects.create(contest=contest, name=name, account=account, admitted_at=at)


def fresh(contest):
    return Contest.objects.get(pk=contest.pk)


def over(contest, kind):
    """The phase is over, as if it had been earlier."""
    past = {"starts_at": now() - 20 * DAY, "ends_at": now() - DAY}
    contest.phases.filter(kind=kind).update(**past)
    return contest.phases.get(kind=kind)
