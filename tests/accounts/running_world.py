"""A contest as its staff sees it: announced, with a set, a final, a team, a protocol."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from annotator.models import EssaySet
from contest.core.moments import at
from contest.models import Contest, ExchangeSession, Final, Team
from contest.services.sessions.clock import moment_now
from tests.accounts.desk_world import SECRET, Objects
from tests.factories import EssaySetFactory, PersonFactory


def run_contests() -> Objects:
    now = timezone.now()
    contest = Contest.objects.create(slug="world", name_ru="World", subject="eng", announced_at=now)
    held = EssaySetFactory(name=f"{SECRET} contest set", access=EssaySet.Access.FINAL)
    data_set = contest.data_sets.create(role="final", essay_set=held)
    span = {"starts_at": now - timedelta(days=9), "ends_at": now - timedelta(days=1)}
    phase = contest.phases.create(kind="qualification", **span)
    protocol = phase.protocols.create(content='{"teams":[],"boards":[]}', digest="0" * 64)
    protocol.verdicts.create(kind="checked", who=PersonFactory(role="judge"))
    parameters = contest.parameter_sets.create(rules=held.rules, in_force_at=now)
    account = PersonFactory(role="participant", full_name=f"{SECRET} team")
    team = Team.objects.create(contest=contest, name=f"{SECRET} team", account=account)
    start = at(moment_now()) + timedelta(days=40)
    final = Final.objects.create(
        name=f"{SECRET} of contest", essay_set=held, rules={}, starts_at=start, seed=1
    )
    session = ExchangeSession.objects.create(
        participant=account,
        mode=ExchangeSession.Mode.ALGORITHMIC,
        door=ExchangeSession.Door.REST,
        rules={},
        seed=1,
        size=1,
        state=ExchangeSession.State.FINISHED,
        **dict.fromkeys(["opened_at", "closed_at", "last_event_at", "judged_until"], now),
    )
    slug = {"slug": contest.slug}
    of_phase = {**slug, "kind": "qualification"}
    return {
        "contest-set": {**slug, "pk": data_set.pk},
        "contest-final": {**slug, "pk": final.pk},
        "contest-session": {**slug, "pk": session.pk},
        "contest-team": {**slug, "pk": team.pk},
        "contest-version": {**slug, "version": parameters.version},
        "contest-phase": of_phase,
        "contest-protocol": {**of_phase, "pk": protocol.pk},
    }
