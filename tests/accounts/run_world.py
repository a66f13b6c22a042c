"""Score runs in every state somebody can do something with."""

from __future__ import annotations

from typing import Any

from django.db.models.functions import Now

from accounts.models import User
from annotator.models import EssaySet, MarkupRecord
from scoring.models import RunVerdict, ScoreRun, StandingBoard
from tests.accounts.desk_world import SECRET, Objects
from tests.factories import EssaySetFactory, PersonFactory, submitted

APPLIED = {"state": ScoreRun.State.APPLIED, "proposal": ScoreRun.Proposal.APPLY}


def score_runs() -> Objects:
    """Each of a set of its own; ``vouched-run`` was checked and verified."""
    proposer, decider = PersonFactory(role="coordinator"), PersonFactory(role="organiser")
    both = {"proposed_by": proposer, "decided_by": decider}
    computing = run_of(state=ScoreRun.State.COMPUTING)
    ready = run_of(state=ScoreRun.State.READY)
    proposed = run_of(state=ScoreRun.State.READY, proposal="apply", proposed_by=proposer)
    applied, vouched = (run_of(**APPLIED, **both) for _ in range(2))
    for run in (applied, vouched):
        StandingBoard.objects.create(essay_set=run.essay_set, applied=run)
    public = run_of(**APPLIED, **both)
    StandingBoard.objects.create(
        essay_set=public.essay_set, applied=public, public=public, published_at=Now()
    )
    for kind, role in (("checked", User.Role.JUDGE), ("verified", User.Role.COMMISSION)):
        RunVerdict.objects.create(run=vouched, kind=kind, who=PersonFactory(role=role))
    return {
        "run-computing": {"pk": computing.pk},
        "run-ready": {"pk": ready.pk},
        "run-proposed": {"pk": proposed.pk},
        "run-applied": {"pk": applied.pk},
        "run-vouched": {"pk": vouched.pk},
        "run-public": {"pk": public.pk},
    }


def run_of(**fields: Any) -> ScoreRun:
    essay_set = EssaySetFactory(name=f"{SECRET} run {ScoreRun.objects.count()}")
    rules = essay_set.rules
    run: ScoreRun = ScoreRun.objects.create(
        essay_set=essay_set, rules=rules, set_rules=rules, code="", **fields
    )
    return run


def bodies_of_runs(marked: EssaySet) -> Objects:
    """What is posted about them; ``marked`` has an expert's markup, and gets an algorithm's."""
    submitted(marked.essays.earliest("pk"), source=MarkupRecord.Source.ALGORITHM)
    proposed = ScoreRun.objects.get(state=ScoreRun.State.READY, proposed_by__isnull=False)
    return {
        "scoring:runs": {"essay_set": marked.pk, "seed": 0},
        "scoring:propose_run": {"proposal": "apply", "reason": SECRET},
        "scoring:decide_run": {"proposal": "apply"},
        "scoring:withdraw_proposal": {"whose": proposed.proposed_by_id, "reason": SECRET},
        "scoring:run_verdict": {"kind": "checked"},
        "scoring:freeze_board": {"frozen": "1", "reason": SECRET},
    }
