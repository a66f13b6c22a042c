"""What of contests waits for somebody: proposals, results of phases, score runs (R 2.17, 8)."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now

from accounts.models import User
from contest.models import Consent, Contest, ParameterSet, Phase, PhaseProtocol, PhaseVerdict
from scoring.models import RunVerdict, ScoreRun, StandingBoard

Kind = PhaseVerdict.Kind


def proposals_for(person: User, body: Consent.Body) -> QuerySet[ParameterSet]:
    """Proposed parameters that a body has not spoken of; none of the person's own."""
    found = ParameterSet.objects.filter(
        contest__announced_at__isnull=False, in_force_at=None, rejected_at=None
    )
    found = found.exclude(proposed_by=person).exclude(consents__body=body)
    return found.exclude(consents__who=person).select_related("contest").order_by("pk")


def phases_for(person: User, kind: PhaseVerdict.Kind) -> QuerySet[Phase]:
    """Phases whose next verdict is of this kind, and of which the person has said nothing."""
    standing = PhaseProtocol.objects.filter(phase=OuterRef("pk"), voided_at=None)
    found = Phase.objects.filter(
        contest__announced_at__isnull=False, contest__final_at=None, closed_at=None
    ).select_related("contest")
    if kind == Kind.CHECKED:
        over = found.filter(~Exists(standing), ends_at__lte=Now())
        return over.order_by("ends_at", "pk")
    said = PhaseVerdict.objects.filter(protocol=OuterRef("pk"))
    standing = standing.filter(~Exists(said.filter(Q(kind=kind) | Q(who=person))))
    before = Kind.CHECKED if kind == Kind.VERIFIED else Kind.VERIFIED
    waiting = standing.filter(Exists(said.filter(kind=before)))
    return found.filter(Exists(waiting)).order_by("ends_at", "pk")


def runs_for(person: User, kind: RunVerdict.Kind) -> QuerySet[ScoreRun]:
    """Applied runs of contests' sets that wait for this verdict."""
    said = RunVerdict.objects.filter(run=OuterRef("pk"))
    applied = StandingBoard.objects.filter(applied=OuterRef("pk"))
    found = ScoreRun.objects.filter(
        Exists(applied),
        ~Exists(said.filter(Q(kind__in=[kind, RunVerdict.Kind.RETURNED]) | Q(who=person))),
        essay_set__data_set__contest__final_at=None,
        essay_set__data_set__isnull=False,
    )
    if kind == RunVerdict.Kind.VERIFIED:
        found = found.filter(Exists(said.filter(kind=RunVerdict.Kind.CHECKED)))
    return found.select_related("essay_set").order_by("pk")


def contests_run() -> QuerySet[Contest]:
    """Contests whose results are not final, the newest first."""
    return Contest.objects.filter(final_at=None).order_by("-pk")
