"""Phases of a contest with their verdicts, for tests."""

from __future__ import annotations

from django.urls import reverse

from annotator.models import MarkupRecord
from contest.models import PhaseVerdict
from contest.pages.waiting import waiting_for
from contest.services.phase_protocols import results_now, say_of_phase
from scoring.models import ScoreRun, StandingBoard
from tests.contest.running_world import DAY, now, person
from tests.factories import submitted

COURSE = (("checked", "judge"), ("verified", "commission"), ("approved", "organiser"))


def phase(contest, kind="qualification"):
    return contest.phases.select_related("contest").get(kind=kind)


def say(contest, kind, role, *, of="qualification", reason="", seen=None, actor=None):
    found = phase(contest, of)
    standing = found.protocols.filter(voided_at=None).first()
    digest = standing.digest if standing else ""
    if standing is None and kind == "checked":
        digest = results_now(found)[1]
    return say_of_phase(
        phase=found,
        kind=PhaseVerdict.Kind(kind),
        seen=digest if seen is None else seen,
        reason=reason,
        actor=actor or person(role),
    )


def waits_for_judges(contest, of="finals"):
    """Do the results of a phase stand among what waits for a judge?"""
    found = waiting_for(person("judge"))
    address = reverse("contest:phase_protocol", args=[contest.slug, of])
    return found is not None and address in [each.address for each in found.lines]


def counted(essay_set, rules):
    """A run that counts for a set, by these rules."""
    run = ScoreRun.objects.create(
        essay_set=essay_set,
        rules=rules,
        set_rules=essay_set.rules,
        code="x",
        state="applied",
        proposal="apply",
        proposed_by=person("judge"),
        decided_by=person("commission"),
        digest="f" * 64,
    )
    StandingBoard.objects.update_or_create(essay_set=essay_set, defaults={"applied": run})
    return run


def applied(contest):
    """One that counts for the final set, with an entry."""
    held = contest.data_sets.get(role="final").essay_set
    run = counted(held, held.rules)
    team = contest.teams.get(name="Lynx")
    run.entries.create(
        participant=team.account, name="login", state="ranked", rank=1, star=61.234567, counted=3
    )
    return run


def checked_by_two(essay_set):
    """Two experts have checked each essay of a set, the day before."""
    for essay in essay_set.essays.all():
        submitted(essay)
        submitted(essay)
    checks = MarkupRecord.objects.filter(essay__essay_set=essay_set)
    checks.update(submitted_at=now() - DAY)
