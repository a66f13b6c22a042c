"""What of contests waits for somebody: proposals, results of phases, score runs (R 2.17, 8)."""

from __future__ import annotations

from enum import StrEnum

from django.db.models import Case, CharField, Exists, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Now

from accounts.models import User
from contest.models import (
    Consent,
    Contest,
    DataSet,
    ParameterSet,
    Phase,
    PhaseProtocol,
    PhaseVerdict,
)
from contest.queries.phase_contents import SETS_OF
from scoring.models import RunVerdict, ScoreRun, StandingBoard

Kind = PhaseVerdict.Kind


class Turn(StrEnum):
    """What a score run waits for."""

    DECIDE = "decide"
    SAY = "say"
    PUBLISH = "publish"


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


def runs_for(
    person: User, kind: RunVerdict.Kind | None, *, may_decide: bool, may_publish: bool
) -> QuerySet[ScoreRun]:
    """Runs of contests' sets that wait for somebody; ``turn`` says for what.

    ``kind``: the verdict the person's role has to say.
    """
    turns = [
        When(condition, then=Value(turn))
        for turn, condition in (
            (Turn.DECIDE, _proposed(person) if may_decide else None),
            (Turn.SAY, _unsaid(person, kind) if kind else None),
            (Turn.PUBLISH, _unseen() if may_publish else None),
        )
        if condition is not None
    ]
    if not turns:
        return ScoreRun.objects.none()
    of_contests = ScoreRun.objects.filter(essay_set__data_set__isnull=False)
    found = of_contests.annotate(turn=Case(*turns, output_field=CharField()))
    return found.filter(turn__isnull=False).select_related("essay_set").order_by("pk")


def _proposed(person: User) -> Q:
    """Somebody else has proposed to apply or to discard it, and it may be done."""
    is_proposed = Q(state=ScoreRun.State.READY, proposed_by__isnull=False)
    is_open = Q(essay_set__data_set__contest__final_at=None)
    return is_proposed & ~Q(proposed_by=person) & is_open & ~_stays()


def _stays() -> Q:
    """To be applied where another run counts and the results are approved: that one stays."""
    held = OuterRef("essay_set")
    on_it = Q(upload_terms__essay_set=held)
    for kind, role in SETS_OF.items():
        on_it |= Q(kind=kind, contest__data_sets__role=role, contest__data_sets__essay_set=held)
    is_approved = Exists(Phase.objects.filter(on_it, closed_at__isnull=False))
    counts = StandingBoard.objects.filter(essay_set=held, applied__isnull=False)
    return Q(Exists(counts), is_approved, proposal=ScoreRun.Proposal.APPLY)


def _unsaid(person: User, kind: RunVerdict.Kind) -> Q:
    """Applied, and this verdict is the next one.

    Once the results are final only where nobody saw its board yet: that of the finals.
    """
    said = RunVerdict.objects.filter(run=OuterRef("pk"))
    is_ending = Q(kind__in=[kind, RunVerdict.Kind.RETURNED]) | Q(who=person)
    is_next = Q(Exists(_applied()), ~Exists(said.filter(is_ending)))
    if kind == RunVerdict.Kind.VERIFIED:
        is_next &= Q(Exists(said.filter(kind=RunVerdict.Kind.CHECKED)))
    is_result = Q(essay_set__data_set__role=DataSet.Role.FINAL, published=None)
    return is_next & (Q(essay_set__data_set__contest__final_at=None) | is_result)


def _unseen() -> Q:
    """Verified, of a final set, counts, and nobody saw its board yet (R 8.2.5)."""
    said = RunVerdict.objects.filter(run=OuterRef("pk"))
    return Q(
        Exists(_applied()),
        Exists(said.filter(kind=RunVerdict.Kind.VERIFIED)),
        ~Exists(said.filter(kind=RunVerdict.Kind.RETURNED)),
        essay_set__data_set__role=DataSet.Role.FINAL,
        published=None,
    )


def _applied() -> QuerySet[StandingBoard]:
    return StandingBoard.objects.filter(applied=OuterRef("pk"))


def contests_run() -> QuerySet[Contest]:
    """Contests whose results are not final, the newest first."""
    return Contest.objects.filter(final_at=None).order_by("-pk")
