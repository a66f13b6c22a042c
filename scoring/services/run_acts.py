"""What becomes of a score run: proposed by one person, done by another; then published.

Judges check an applied run, the commission verifies it, organisers publish it (R 8.1, 8.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import trail_of
from accounts.services.audit import audit
from annotator.models import EssaySet
from scoring.access import counted_otherwise, why_run_stays
from scoring.models import PublishedRun, RunVerdict, ScoreRun, StandingBoard
from scoring.queries.overtaken import essays_replaced_since, essays_withdrawn_from
from scoring.queries.published import published_before
from scoring.queries.runs import numbers_of
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

    Raises ``Refused`` without a reason, or for a run that is to be applied where the results are
    approved; ``Conflict`` where it is not ready or something else is proposed already.
    """
    if not reason.strip():
        raise Refused(_("Say why: who decides about the run reads it."))
    if proposal == Proposal.APPLY:
        _refuse_where_results_stay(StandingBoard.objects.filter(essay_set=run.essay_set_id).first())
    held = _ready(run)
    if held.proposed_by_id not in (None, actor.pk):
        raise Conflict(_("%s has proposed something already.") % held.proposed_by)
    if held.proposal not in ("", proposal):
        raise Conflict(_("You have proposed something else already: take that back first."))
    held.proposal, held.reason, held.proposed_by = proposal, reason.strip(), actor
    held.save(update_fields=["proposal", "reason", "proposed_by"])
    ScoreRun.objects.filter(pk=held.pk).update(proposed_at=Now())
    audit(actor=actor, action=f"run.{proposal}_proposed", target=held, reason=held.reason)
    return held


@transaction.atomic
def withdraw_proposal(*, run: ScoreRun, whose: int, reason: str = "", actor: User) -> None:
    """Take back what was proposed of a run; of somebody else's proposal it is said why.

    ``whose``: the number of who had proposed it where it was read. Raises ``Conflict`` where that
    is not proposed any more, ``Refused`` without a reason.
    """
    held = _ready(run)
    if held.proposed_by is None:
        raise Conflict(_("Nothing is proposed any more."))
    if held.proposed_by_id != whose:
        raise Conflict(_("%s has proposed something since. Look at it again.") % held.proposed_by)
    if whose != actor.pk and not reason.strip():
        raise Refused(_("Say why: who has proposed it reads it."))
    about = {"proposal": held.proposal, "proposed_by": held.proposed_by.username, "whose": whose}
    action = "run.proposal_withdrawn"
    audit(actor=actor, action=action, target=held, **about, reason=reason.strip())
    held.proposal, held.reason, held.proposed_by, held.proposed_at = "", "", None, None
    held.save(update_fields=["proposal", "reason", "proposed_by", "proposed_at"])


@transaction.atomic
def decide_run(
    *, run: ScoreRun, proposal: ScoreRun.Proposal, against: int | None, actor: User
) -> ScoreRun:
    """Do what somebody else has proposed. ``against``: the run that was applied when it was read.

    Raises ``Conflict`` where something changed meanwhile, ``Refused`` for who proposed it, and
    where a markup was withdrawn since, the set goes by other rules or its results are approved.
    """
    board = _hold_board(run.essay_set_id)
    if proposal == Proposal.APPLY:
        _refuse_where_results_stay(board)  # who proposes holds the contest before the run, too
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

    Everybody sees of a run that is returned the one that was published before it, or no board.
    Raises ``Refused`` out of turn, without a reason, or for a return once the results of the set
    are approved; ``Conflict`` where it was said already.
    """
    board = _hold_board(run.essay_set_id)
    said = {each.kind: each.who_id for each in run.verdicts.all()}
    _refuse_unapplied(board, run)
    if kind in said or Kind.RETURNED in said:
        raise Conflict(_("This was said of the run already. Look at it again."))
    if kind == Kind.VERIFIED and Kind.CHECKED not in said:
        raise Refused(_("Judges check the run first."))
    if actor.pk in said.values():
        raise Refused(_("You have said something of this run already: somebody else goes on."))
    if kind == Kind.RETURNED:
        _refuse_where_results_stay(board)
        if not reason.strip():
            raise Refused(_("Say why the run is returned."))
    verdict = RunVerdict(run=run, kind=kind, who=actor, reason=reason.strip())
    verdict.save(force_insert=True)
    audit(actor=actor, action=f"run.{kind}", target=run, reason=verdict.reason)
    if kind == Kind.RETURNED and board.public_id == run.pk:
        _take_off(board, run, actor)
    return verdict


@transaction.atomic
def publish_board(*, essay_set: EssaySet, run: ScoreRun, actor: User) -> StandingBoard:
    """Everybody sees this run as the set's board; it was checked and verified (R 8.2.3 to 8.2.5).

    Raises ``Refused`` where the run is not applied, or a verdict of it or of the set is missing,
    ``Conflict`` where another run counts by now.
    """
    board = _hold_board(essay_set.pk)
    _refuse_unapplied(board, run)
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
def freeze_board(*, run: ScoreRun, frozen: bool, reason: str = "", actor: User) -> StandingBoard:
    """Let the public board of a run's set stand still at this run, or let it go on: then it shows
    the one that counts, unless that was returned or should go by other rules.

    Of a final each run is published by itself. Safe to repeat. Raises ``Conflict`` where everybody
    sees another run by now or somebody has frozen it for another reason, ``Refused`` where this one
    was returned, there is no public board, or it is not said why it is to stand still.
    """
    board = _hold_board(run.essay_set_id)
    falls_back, stands_still = board.falls_back, board.frozen_at is not None
    _refuse_other_than_public(board, run, frozen=frozen)
    if frozen == stands_still:
        _refuse_for_others(board, reason.strip(), actor)
        return board
    if frozen and not reason.strip():
        raise Refused(_("Say why the board is frozen: staff read it in the history of the run."))
    StandingBoard.objects.filter(pk=board.pk).update(frozen_at=Now() if frozen else None)
    board.refresh_from_db()
    counting = None if falls_back or not board.follows else board.applied
    if counting is not None and not counted_otherwise(counting):
        StandingBoard.objects.filter(pk=board.pk).update(public=counting)
        _note_public(counting.pk)
        board.refresh_from_db()
    action = "board.frozen" if frozen else "board.goes_on"
    audit(actor=actor, action=action, target=board, run=run.pk, reason=reason.strip())
    return board


def _refuse_other_than_public(board: StandingBoard, run: ScoreRun, *, frozen: bool) -> None:
    """Raise ``Refused`` or ``Conflict`` where a board neither stands still nor goes on at a run."""
    is_public, falls_back = board.public_id == run.pk, board.falls_back
    if run.was_returned:
        raise Refused(_("The run was returned: its board neither stands still nor goes on."))
    if not is_public and (frozen or not falls_back):
        _refuse_unapplied(board, run)
    if frozen and board.public_id is None:
        raise Refused(_("There is no public board of “%s” that could stand still.") % run.essay_set)
    if not is_public and (frozen or falls_back):
        message = _("Everybody sees run %d: look at that one.")
        raise Conflict(message % (board.public_id or 0))


def _refuse_for_others(board: StandingBoard, reason: str, actor: User) -> None:
    """Raise ``Conflict`` for another reason than why a board stands still: nobody would read it."""
    if board.frozen_at is None:
        return
    told = trail_of(board).filter(action="board.frozen").select_related("actor")
    last = told.order_by("-pk").first()
    if last is not None and (last.actor, last.details["reason"]) != (actor, reason):
        words = _("%(who)s has frozen the board already: %(reason)s")
        raise Conflict(words % {"who": last.actor, "reason": last.details["reason"]})


def _refuse_unapplied(board: StandingBoard, run: ScoreRun) -> None:
    if board.applied_id == run.pk:
        return
    if run.decided_at is None:
        raise Refused(_("The run is not applied: two people do that first."))
    raise Conflict(_("Another run counts for the set now. Look at that one."))


def _take_off(board: StandingBoard, run: ScoreRun, actor: User) -> None:
    """Everybody sees the run that was published before this one again, or no board."""
    last = published_before(run)
    StandingBoard.objects.filter(pk=board.pk).update(
        public=last and last.run_id,
        published_at=last and last.at,
        published_by=board.published_by_id if last else None,
    )
    instead = last.run_id if last else None
    audit(actor=actor, action="board.taken_off", target=board, run=run.pk, instead=instead)


def _refuse_where_results_stay(board: StandingBoard | None) -> None:
    if words := why_run_stays(board, holds=True):
        raise Refused(words)


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


def why_outdated(run: ScoreRun) -> str:
    """Why a run that is ready is not applied any more: the set goes by other rules since, an essay
    has a new version, or a markup was withdrawn or reopened. Empty where it may be.
    """
    rules = EssaySet.objects.select_related("rules").get(pk=run.essay_set_id).rules
    if rules.pk != run.set_rules_id:
        return _("The set goes by the rules “%s” since. Order another run.") % rules
    replaced = list(essays_replaced_since(run).values_list("number", flat=True))
    if replaced:
        words = _("New versions took the place of these essays since: %s. Order another run.")
        return words % _some_of(replaced)
    gone = essays_withdrawn_from(run)
    if not gone:
        return ""
    numbers = numbers_of(run)
    named = sorted(numbers[each] for each in gone)
    return _("Markups were withdrawn since, of the essays %s. Order another run.") % _some_of(named)


def _some_of(numbers: Sequence[str]) -> str:
    return ", ".join(numbers[:NAMED]) + (" …" if len(numbers) > NAMED else "")


def _refuse_outdated(run: ScoreRun) -> None:
    if words := why_outdated(run):
        raise Refused(words)


def _apply(board: StandingBoard, run: ScoreRun) -> None:
    is_shown = board.follows and not counted_otherwise(run)
    changes = {"applied": run, "public": run} if is_shown else {"applied": run}
    if is_shown:
        _note_public(run.pk)
    StandingBoard.objects.filter(pk=board.pk).update(**changes)
    run_applied.send(sender=ScoreRun, run_id=run.pk)
