"""What becomes of a score run: proposed by one person, done by another; then published.

Judges check an applied run, the commission verifies it, organisers publish it (R 8.1, 8.2).
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit
from annotator.models import EssaySet
from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard
from scoring.queries.runs import numbers_of, withdrawn_from
from scoring.services.run_ordering import hold_run
from scoring.signals import publication_asked, run_applied
from web.refusals import Conflict, Refused

State, Proposal, Kind = ScoreRun.State, ScoreRun.Proposal, RunVerdict.Kind
ACTIONS: Final = {Proposal.APPLY: "run.applied", Proposal.DISCARD: "run.discarded"}
NAMED: Final = 5
"""So many essays are named in a refusal."""


@transaction.atomic
def propose_run(
    *, run: ScoreRun, proposal: ScoreRun.Proposal, reason: str, actor: User
) -> ScoreRun:
    """Propose that a run be applied or discarded; somebody else does it.

    Raises ``Refused`` without a reason, ``Conflict`` where it is not ready or something else is
    proposed by another person.
    """
    if not reason.strip():
        raise Refused(_("Say why: who decides about the run reads it."))
    held = _ready(run)
    if held.proposed_by_id not in (None, actor.pk):
        raise Conflict(_("%s has proposed something already.") % held.proposed_by)
    held.proposal, held.reason, held.proposed_by = proposal, reason.strip(), actor
    held.save(update_fields=["proposal", "reason", "proposed_by"])
    ScoreRun.objects.filter(pk=held.pk).update(proposed_at=Now())
    audit(actor=actor, action=f"run.{proposal}_proposed", target=held, reason=held.reason)
    return held


@transaction.atomic
def withdraw_proposal(*, run: ScoreRun, actor: User) -> None:
    """Take back what was proposed of a run, or decline what somebody else has proposed."""
    held = _ready(run)
    if not held.proposal:
        raise Conflict(_("Nothing is proposed any more."))
    audit(actor=actor, action="run.proposal_withdrawn", target=held, proposal=held.proposal)
    held.proposal, held.reason, held.proposed_by, held.proposed_at = "", "", None, None
    held.save(update_fields=["proposal", "reason", "proposed_by", "proposed_at"])


@transaction.atomic
def decide_run(
    *, run: ScoreRun, proposal: ScoreRun.Proposal, against: int | None, actor: User
) -> ScoreRun:
    """Do what somebody else has proposed. ``against``: the run that was applied when it was read.

    Raises ``Conflict`` where something changed meanwhile, ``Refused`` for who proposed it, and
    where a markup was withdrawn since or the set goes by other rules.
    """
    board = _hold_board(run.essay_set_id)
    held = _ready(run)
    if held.proposal != proposal or held.proposed_by is None:
        raise Conflict(_("This is not proposed any more. Look at the run again."))
    if held.proposed_by_id == actor.pk:
        raise Refused(_("Who proposed it does not decide about it: somebody else does."))
    if proposal == Proposal.APPLY:
        if board.applied_id != against:
            raise Conflict(_("Another run was applied meanwhile. Look at the differences again."))
        _refuse_outdated(held)
    applies = proposal == Proposal.APPLY
    ScoreRun.objects.filter(pk=held.pk).update(
        state=State.APPLIED if applies else State.DISCARDED, decided_by=actor, decided_at=Now()
    )
    about = {"proposed_by": held.proposed_by.username, "reason": held.reason}
    audit(actor=actor, action=ACTIONS[proposal], target=held, **about)
    if applies:
        _apply(board, held)
    held.refresh_from_db()
    return held


@transaction.atomic
def give_verdict(*, run: ScoreRun, kind: RunVerdict.Kind, reason: str, actor: User) -> RunVerdict:
    """Judges check an applied run, then the commission verifies it; either may return it.

    Raises ``Refused`` out of turn or without a reason, ``Conflict`` where it was said already.
    """
    board = _hold_board(run.essay_set_id)
    said = {each.kind: each.who_id for each in run.verdicts.all()}
    if board.applied_id != run.pk:
        raise Conflict(_("Another run counts for the set now. Look at that one."))
    if kind in said or Kind.RETURNED in said:
        raise Conflict(_("This was said of the run already. Look at it again."))
    if kind == Kind.VERIFIED and Kind.CHECKED not in said:
        raise Refused(_("Judges check the run first."))
    if actor.pk in said.values():
        raise Refused(_("You have said something of this run already: somebody else goes on."))
    if kind == Kind.RETURNED and not reason.strip():
        raise Refused(_("Say why the run is returned."))
    verdict = RunVerdict(run=run, kind=kind, who=actor, reason=reason.strip())
    verdict.save(force_insert=True)
    audit(actor=actor, action=f"run.{kind}", target=run, reason=verdict.reason)
    return verdict


@transaction.atomic
def publish_board(*, essay_set: EssaySet, run: ScoreRun, actor: User) -> StandingBoard:
    """Everybody sees this run as the set's board; it was checked and verified (R 8.2.3 to 8.2.5).

    Raises ``Refused`` where a verdict of the run or of the set is missing, ``Conflict`` where
    another run counts by now.
    """
    board = _hold_board(essay_set.pk)
    if board.applied_id != run.pk:
        raise Conflict(_("Another run counts for the set now. Look at that one."))
    said = set(run.verdicts.values_list("kind", flat=True))
    if Kind.RETURNED in said:
        raise Refused(_("The run was returned: it is not published."))
    if not {Kind.CHECKED, Kind.VERIFIED} <= said:
        raise Refused(_("Judges check the run and the commission verifies it first."))
    _refuse_where_review_does(board.essay_set)
    board.public, board.published_by = run, actor
    _note_public(run.pk)
    StandingBoard.objects.filter(pk=board.pk).update(
        public=run, published_by=actor, published_at=Now()
    )
    audit(actor=actor, action="board.published", target=board, run=run.pk, digest=run.digest)
    board.refresh_from_db()
    return board


@transaction.atomic
def freeze_board(*, essay_set: EssaySet, frozen: bool, actor: User) -> StandingBoard:
    """Let the public board stand still, or let it go on: then it shows what is applied.

    Of a final each run is published by itself. Safe to repeat.
    """
    board = _hold_board(essay_set.pk)
    if frozen == (board.frozen_at is not None):
        return board
    StandingBoard.objects.filter(pk=board.pk).update(frozen_at=Now() if frozen else None)
    board.refresh_from_db()
    if board.follows and board.applied_id is not None:
        StandingBoard.objects.filter(pk=board.pk).update(public=board.applied_id)
        _note_public(board.applied_id)
        board.refresh_from_db()
    audit(actor=actor, action="board.frozen" if frozen else "board.goes_on", target=board)
    return board


def _refuse_where_review_does(essay_set: EssaySet) -> None:
    """Raises ``Refused`` with what stands against it: a returned set, one that is not approved."""
    answers = publication_asked.send(sender=EssaySet, set_id=essay_set.pk)
    for words in (answer for _receiver, answer in answers if answer):
        raise Refused(words)


def _note_public(run_id: int) -> None:
    """Everybody sees this run from now on, and finds it among the earlier boards later."""
    PublishedRun.objects.bulk_create([PublishedRun(run_id=run_id)], ignore_conflicts=True)


def _ready(run: ScoreRun) -> ScoreRun:
    held = hold_run(run.pk)
    if held.state != State.READY:
        raise Conflict(_("The run is not waiting for a decision. Look at it again."))
    return held


def _hold_board(set_id: int) -> StandingBoard:
    """The board of a set, held to the end of the transaction; made where it is missing."""
    StandingBoard.objects.bulk_create([StandingBoard(essay_set_id=set_id)], ignore_conflicts=True)
    boards = StandingBoard.objects.select_for_update(of=("self",), no_key=True)
    return boards.select_related("essay_set").get(essay_set=set_id)


def _refuse_outdated(run: ScoreRun) -> None:
    rules = EssaySet.objects.select_related("rules").get(pk=run.essay_set_id).rules
    if rules.pk != run.set_rules_id:
        message = _("The set goes by the rules “%s” since. Order another run.")
        raise Refused(message % rules)
    numbers = numbers_of(run)
    gone = sorted(
        {numbers[each] for each in withdrawn_from(run).values_list("essay_id", flat=True)}
    )
    if gone:
        named = ", ".join(gone[:NAMED]) + (" …" if len(gone) > NAMED else "")
        message = _("Markups were withdrawn since, of the essays %s. Order another run.")
        raise Refused(message % named)


def _apply(board: StandingBoard, run: ScoreRun) -> None:
    changes = {"applied": run, "public": run} if board.follows else {"applied": run}
    if board.follows:
        _note_public(run.pk)
    StandingBoard.objects.filter(pk=board.pk).update(**changes)
    run_applied.send(sender=ScoreRun, run_id=run.pk)
