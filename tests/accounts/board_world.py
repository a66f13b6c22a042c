"""A board somebody stands on, and the report of what they sent."""

from __future__ import annotations

from django.db.models.functions import Now

from accounts.models import User
from annotator.models import EssaySet
from scoring.models import RunEntry, StandingBoard
from scoring.services.reporting import compute
from tests.accounts.run_world import APPLIED, Objects, run_of
from tests.factories import PersonFactory


def boards(participant: User, answered: EssaySet) -> Objects:
    """A published board on which the participant stands; ``answered``: the participant sent to."""
    compute(set_id=answered.pk, author_id=participant.pk, origin="")
    both = {
        "proposed_by": PersonFactory(role="organiser"),
        "decided_by": PersonFactory(role="judge"),
    }
    run = run_of(**APPLIED, **both, finished_at=Now())
    figures = {"star": 50.0, "rank": 1, "position": 1, "metrics": [None] * 6}
    RunEntry.objects.create(run=run, participant=participant, name="x", state="ranked", **figures)
    shown = {"applied": run, "public": run, "published_at": Now()}
    StandingBoard.objects.create(essay_set=run.essay_set, **shown)
    return {
        "board": {"pk": run.essay_set_id},
        "solution": {"pk": answered.pk, "author": participant.pk, "origin": "free"},
    }
