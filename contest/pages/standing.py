"""A session as its participant and the organisers see it at a moment."""

from __future__ import annotations

from typing import Any

from contest.core.moments import at, at_if_known, moment_of
from contest.core.session_rules import FileVerdict, Judgement, Verdict
from contest.models import ExchangeSession
from contest.queries.annulled import why_annulled
from contest.queries.judging import judged_now


def standing_of(session: ExchangeSession, moment: int) -> dict[str, Any]:
    """The session for programs, file by file; files that have not opened tell no text."""
    now = max(moment, moment_of(session.last_event_at))
    judged = judged_now(session, now)
    return {
        "id": session.pk,
        "participant": session.participant.username,
        "mode": session.mode,
        "door": session.door,
        "set": session.pool,
        "language": session.language,
        "final": session.final_id,
        "rehearsal": session.is_rehearsal,
        **_as_judged(judged),
        "opened_at": session.opened_at,
        "files": session.size,
        "stopped_because": session.stopped_because,
        "withdrawn": session.withdrawn,
        "now": at(now),
        "rules": session.rules,
        "verdicts": [_file(each, why_lost(judged, each)) for each in judged.files],
    }


def why_lost(judged: Judgement, each: FileVerdict) -> str | None:
    """Why a file is annulled, in words; ``None`` for one that is not."""
    if each.verdict is not Verdict.ANNULLED or each.reason is None:
        return None
    return why_annulled(
        each.reason.value,
        opens_at=at_if_known(each.opens_at),
        closed_at=at_if_known(judged.closed_at),
        state=judged.state.value,
        refused=[kind.value for kind in each.refused],
    )


def _as_judged(judged: Judgement) -> dict[str, Any]:
    return {
        "state": judged.state.value,
        "closed_at": at_if_known(judged.closed_at),
        "counted": sum(each.verdict is Verdict.COUNTED for each in judged.files),
        "annulled": judged.annulled,
        "solution": judged.solution.value if judged.solution else "",
    }


def _file(each: FileVerdict, why: str | None) -> dict[str, Any]:
    return {
        "file": each.file,
        "opens_at": at_if_known(each.opens_at),
        "due_at": at_if_known(each.due_at),
        "verdict": each.verdict.value,
        "reason": each.reason.value if each.reason else None,
        "message": why,
        "answer": each.answer,
        "sends": each.sends,
        "response": None if each.response is None else each.response / 1_000_000,
    }
