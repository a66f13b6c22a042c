"""What somebody may do with a score run as it stands, and what is asked before what stays."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from scoring.access import (
    counted_otherwise,
    may_decide_run,
    may_order_runs,
    may_publish_boards,
    verdict_of_runs,
    why_run_stays,
    why_withheld,
)
from scoring.models import RunVerdict, ScoreRun, StandingBoard
from scoring.queries.published import published_before
from scoring.services.run_acts import why_outdated
from web.asking import Question, of_verdict

State, Proposal, Kind = ScoreRun.State, ScoreRun.Proposal, RunVerdict.Kind


def acts_of(user: User, run: ScoreRun) -> dict[str, Any]:
    """What somebody may do with a run, for its page."""
    board = StandingBoard.objects.filter(essay_set=run.essay_set_id).first()
    counts = board is not None and board.applied_id == run.pk
    said = {each.kind: each for each in run.verdicts.select_related("who")}
    is_ready = run.state == State.READY
    own = verdict_of_runs(user)
    in_turn = Kind.VERIFIED if Kind.CHECKED in said else Kind.CHECKED
    is_open = counts and Kind.RETURNED not in said
    is_frozen = board is not None and board.frozen_at is not None
    is_public = board is not None and board.public_id == run.pk
    is_returned = counts and not is_open
    is_fallback = board is not None and is_public and board.falls_back
    publishes = may_publish_boards(user)
    otherwise = counted_otherwise(run) if counts else ""
    stays = why_run_stays(board) if is_ready or counts else ""
    stays = stays or (why_outdated(run) if is_ready else "")
    held_back = bool(stays) and run.proposal == Proposal.APPLY
    return {
        "board": board,
        "counts": counts,
        "is_public": is_public,
        "fallback": _fallen_back(board, run, said) if board and is_fallback else "",
        "said": said.values(),
        "may_stop": may_order_runs(user) and run.state == State.COMPUTING,
        "may_propose": may_order_runs(user) and is_ready and not run.proposal,
        "stays": stays,
        "held_back": held_back,
        "may_decide": is_ready and may_decide_run(user, run) and not held_back,
        "may_withdraw": is_ready and run.proposed_by_id == user.pk,
        "may_decline": is_ready and run.proposed_by_id not in (None, user.pk),
        "verdict": own if own and is_open and own == in_turn and own not in said else None,
        "otherwise": otherwise,
        "may_publish": is_open and Kind.VERIFIED in said and publishes and not otherwise,
        "followed": counts and _is_followed(board, run),
        "withheld": why_withheld(run.essay_set_id) if counts or is_public else "",
        "may_freeze": is_public and not is_frozen and publishes,
        "may_go_on": (is_open or is_fallback) and is_frozen and publishes,
        "returned": is_returned,
    }


def asked_of_decision(run: ScoreRun, user: User, given: Mapping[str, Any]) -> Question | None:
    """Before what was proposed is done; ``given``: the proposal, and which run counted where it
    was read. ``None`` where there is nothing for this person to do.
    """
    acts = acts_of(user, run)
    if not acts["may_decide"] or run.proposal != given["proposal"]:
        return None
    applies = run.proposal == Proposal.APPLY
    other = [counted_otherwise(run)] if applies else []
    told = [_discarding(run)]
    if applies:
        told = _what_applying_does(run, acts["board"], is_held_back=any(other))
    asked = _("Apply run %d?") if applies else _("Discard run %d?")
    return Question(
        title=asked % run.pk,
        words=[_proposed(run), *filter(None, other), *told],
        button=_("Apply: these scores count") if applies else _("Discard"),
        back=_page(run),
        address=reverse("scoring:decide_run", args=[run.pk]),
        fields={"proposal": run.proposal, "against": given["against"] or ""},
        is_grave=not applies,
        warning=_("It stays: only another run, applied after this one, can count instead.")
        if applies
        else _("It stays: a run that is discarded never counts."),
    )


def asked_of_withdrawal(run: ScoreRun, user: User) -> Question | None:
    """Before somebody declines what somebody else has proposed of a run."""
    if run.state != State.READY or run.proposed_by_id in (None, user.pk):
        return None
    at = date_format(timezone.localtime(run.proposed_at), "SHORT_DATETIME_FORMAT")
    return Question(
        title=_("Decline the proposal of %s?") % run.proposed_by,
        words=[
            _proposed(run),
            _("It was proposed on %s. Then somebody may propose something else of the run.") % at,
            _("The history of the run tells that you declined it, and why."),
        ],
        button=_("Decline the proposal"),
        back=_page(run),
        address=reverse("scoring:withdraw_proposal", args=[run.pk]),
        fields={"whose": run.proposed_by_id},
        reason=_("Why it is declined"),
        must_say_why=True,
        is_grave=True,
    )


def asked_of_verdict(run: ScoreRun, user: User, kind: str) -> Question | None:
    """Before a judge or a member of the commission says something of a run that counts."""
    acts = acts_of(user, run)
    if acts["verdict"] is None or kind not in (acts["verdict"], Kind.RETURNED):
        return None
    titles = {
        Kind.CHECKED: _("Is run %d right?"),
        Kind.VERIFIED: _("Verify the results of run %d?"),
        Kind.RETURNED: _("Return run %d?"),
    }
    words = {
        Kind.CHECKED: _("The commission verifies the run next, then organisers publish its board."),
        Kind.VERIFIED: _("Organisers may publish the board of this run then."),
        Kind.RETURNED: _(
            "Nobody says anything of this run any more and nobody publishes it: another run is "
            "ordered and applied. Your reason stands on the page of the run."
        ),
    }
    buttons = {
        Kind.CHECKED: _("The run is checked"),
        Kind.VERIFIED: _("Verify the results"),
        Kind.RETURNED: _("Return the run"),
    }
    said, returns = Kind(kind), kind == Kind.RETURNED
    is_public = returns and acts["board"].public_id == run.pk
    taken = [_what_returning_does(run)] if is_public else []
    asked = Question(
        title=titles[said] % run.pk,
        words=[words[said], *taken],
        button=buttons[said],
        back=_page(run),
        address=reverse("scoring:run_verdict", args=[run.pk]),
        fields={"kind": kind},
    )
    return of_verdict(asked, why_returned=_("Why the run is returned") if returns else "")


def asked_of_publication(run: ScoreRun, user: User) -> Question | None:
    """Before everybody sees a run, or those for whom alone its board is."""
    acts = acts_of(user, run)
    if not acts["may_publish"]:
        return None
    withheld = acts["withheld"]
    words = (
        _("Ranks and scores of run %(n)s are the board of “%(name)s” from now on.")
        if withheld
        else _(
            "Everybody reads ranks and scores of run %(n)s on the board of “%(name)s” from now on."
        )
    )
    still = ""
    if acts["board"].frozen_at:
        still = _("The board is frozen: it stands still at this run then, until it may go on.")
    return Question(
        title=_("Publish the board?"),
        words=[words % {"n": run.pk, "name": run.essay_set}, *filter(None, [withheld, still])],
        button=_("Publish the board"),
        back=_page(run),
        address=reverse("scoring:publish_board", args=[run.pk]),
        warning=_(
            "What was published stays readable among the earlier boards, unless it is returned."
        ),
    )


def asked_of_freezing(run: ScoreRun, user: User) -> Question | None:
    """Before the public board stands still at a run: until when, and who reads why."""
    acts = acts_of(user, run)
    if not acts["may_freeze"]:
        return None
    still = _(
        "The board of “%(name)s” stands still at run %(n)s until organisers let it go on: runs "
        "applied meanwhile are not shown on it."
    )
    return Question(
        title=_("Freeze the public board?"),
        words=[
            still % {"name": run.essay_set, "n": run.pk},
            _("Whoever reads the board is told since when. Why stands in the history of the run."),
        ],
        button=_("Freeze the public board"),
        back=_page(run),
        address=reverse("scoring:freeze_board", args=[run.pk]),
        fields={"frozen": "1"},
        reason=_("Why the board is frozen"),
        must_say_why=True,
    )


def asked_of_going_on(run: ScoreRun, user: User) -> Question | None:
    """Before a frozen board goes on: which run everybody sees then, and who has checked it."""
    acts = acts_of(user, run)
    if not acts["may_go_on"]:
        return None
    board, said = acts["board"], {each.kind for each in acts["said"]}
    held_back = _held_back(board)
    is_behind = board.shows_by_going_on and not acts["fallback"] and not held_back
    is_unchecked = is_behind and Kind.VERIFIED not in said
    checked = _how_checked(said) % run.pk if is_behind else ""
    told = _what_going_on_does(board, run, acts["withheld"], is_behind=is_behind)
    told = [*told, "" if is_unchecked else checked, held_back]
    return Question(
        title=_("Let the public board go on?"),
        words=[each for each in told if each],
        button=_("Let the public board go on"),
        back=_page(run),
        address=reverse("scoring:freeze_board", args=[run.pk]),
        fields={"frozen": "0"},
        is_grave=is_unchecked,
        warning=checked if is_unchecked else "",
    )


def _held_back(board: StandingBoard) -> str:
    """Why a board that goes on does not show the run that counts: it should go by other rules."""
    counting = board.applied if board.shows_by_going_on else None
    return counted_otherwise(counting) if counting else ""


def _proposed(run: ScoreRun) -> str:
    return _("%(who)s proposed: %(what)s. %(reason)s") % {
        "who": run.proposed_by,
        "what": run.get_proposal_display(),
        "reason": run.reason,
    }


def _is_followed(board: StandingBoard | None, run: ScoreRun) -> bool:
    """Did the public board take this run by itself, when it was applied?"""
    if board is None or board.public_id != run.pk or run.decided_at is None:
        return False
    return board.published_at is not None and board.published_at < run.decided_at


def _what_returning_does(run: ScoreRun) -> str:
    """Of a run that is the public board."""
    last = published_before(run)
    if last is None:
        return _("Its board is taken off: there is none until another run is published.")
    told = _("Its board is taken off: the one of run %d, published before it, stands there again.")
    told %= last.run_id
    said = set(RunVerdict.objects.filter(run=last.run_id).values_list("kind", flat=True))
    return told if Kind.VERIFIED in said else f"{told} {_how_checked(said) % last.run_id}"


def _fallen_back(board: StandingBoard, run: ScoreRun, said: Container[str]) -> str:
    """Why everybody sees this run although another one counts, and how far it was checked."""
    told = _("Run %d was returned: this one is the public board until another takes its place.")
    told %= board.applied_id or 0
    return told if Kind.VERIFIED in said else f"{told} {_how_checked(said) % run.pk}"


def _what_applying_does(
    run: ScoreRun, board: StandingBoard | None, *, is_held_back: bool
) -> list[str]:
    names = {"n": run.pk, "name": run.essay_set}
    if board is None or board.applied_id is None:
        told = _("The scores of run %(n)s count for “%(name)s”: the first that do.") % names
    else:
        instead = _(
            "The scores of run %(n)s count for “%(name)s” instead of those of run %(other)s."
        )
        told = instead % {**names, "other": board.applied_id}
    if board is not None and board.follows_unless_frozen and is_held_back:
        return [told, _("The public board does not follow: it stays at run %d.") % board.public_id]
    if board is not None and board.follows:
        return [told, _("The public board shows them at once.")]
    if board is not None and board.follows_unless_frozen:
        still = _("The public board is frozen: it shows them once organisers let it go on.")
        return [told, still]
    return [told, _("The public board stays as it is until this run is verified and published.")]


def _what_going_on_does(
    board: StandingBoard, run: ScoreRun, withheld: str, *, is_behind: bool
) -> list[str]:
    if board.public_id is None:
        return [_("The board is not published: nobody sees anything new by this.")]
    if not board.follows_unless_frozen:
        stays = _("Of a final each run is published anew: the board stays at run %d.")
        return [stays % board.public_id]
    later = _("Every run that two people apply later is shown at once.")
    if not is_behind:
        stays = _("The board of “%(name)s” shows run %(n)s as before.")
        return [stays % {"name": board.essay_set, "n": board.public_id}, withheld, later]
    told = (
        _("The board of “%(name)s” is score run %(n)s of %(at)s from now on, not run %(other)s.")
        if withheld
        else _(
            "Everybody reads score run %(n)s of %(at)s on the board of “%(name)s” from now on, "
            "instead of run %(other)s."
        )
    )
    names = {"n": run.pk, "name": board.essay_set, "other": board.public_id}
    at = date_format(timezone.localtime(run.finished_at), "SHORT_DATETIME_FORMAT")
    return [told % {**names, "at": at}, withheld, later]


def _how_checked(said: Container[str]) -> str:
    """How far a run was checked, whose number has to be filled in."""
    if Kind.VERIFIED in said:
        return _("Judges have checked run %d and the commission has verified it.")
    if Kind.CHECKED in said:
        return _("Judges have checked run %d; the commission has not verified it.")
    return _("Nobody has checked run %d: neither judges nor the commission.")


def _discarding(run: ScoreRun) -> str:
    return _("Run %d is kept to be read, with its figures.") % run.pk


def _page(run: ScoreRun) -> str:
    return reverse("scoring:run", args=[run.pk])
