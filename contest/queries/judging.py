"""How a session stands now, as those see it who look at it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from django.db.models import Q

from annotator.core.origins import session_number
from contest.core.moments import moment_of
from contest.core.names_told import name_told
from contest.core.session_rules import FileVerdict, Judgement, Verdict
from contest.models import ExchangeSession
from contest.queries.decisions import (
    annulled_uploads_of,
    exclusions_of,
    reasons_of_annulments,
)
from contest.queries.logs import timeline_of
from contest.queries.run_moments import opens_files_until
from scoring.core.entries import Annulment

GRACE: Final = 5_000_000
"""Microseconds after which what fell due is settled: by then all that came in time is stored."""


def judged_now(session: ExchangeSession, moment: int) -> Judgement:
    """The session as of ``moment``; what fell due within the last seconds is not told yet, nor is
    the name of a file that is to open by the clock.

    No file is shown as annulled that an answer on its way may still save.
    """
    judged, opened = _judged(session, moment), opens_files_until(session, moment)
    files = tuple(
        replace(each, file=name_told(each.file, number, each.opens_at, opened))
        for number, each in enumerate(judged.files, 1)
    )
    return replace(judged, files=files)


def _judged(session: ExchangeSession, moment: int) -> Judgement:
    last = moment_of(session.last_event_at)
    timeline, reasons = timeline_of(session)
    settled = timeline.judgement(max(last, moment - GRACE), reasons)
    if settled.closed_at is not None:
        return settled
    now = timeline.judgement(max(last, moment), reasons)
    files = tuple(map(_not_yet, settled.files, now.files))
    annulled = sum(each.verdict is Verdict.ANNULLED for each in files)
    if now.closed_at is None:
        return replace(now, files=files, annulled=annulled, solution=settled.solution)
    return replace(settled, files=files, annulled=annulled)


def _not_yet(settled: FileVerdict, now: FileVerdict) -> FileVerdict:
    is_fresh = now.verdict is Verdict.ANNULLED and settled.verdict is not Verdict.ANNULLED
    return replace(now, verdict=Verdict.OPEN, reason=None) if is_fresh else now


def annulments_of(
    solutions: Iterable[tuple[int, str, int]],
) -> dict[tuple[int, str, int], Annulment]:
    """Which of these solutions do not stand, by authors, origins and sets (R 7.15.4, 9.5, 10.1).

    Those of a team that is excluded, those that organisers or the rule of 5 % annulled, those of a
    run that was cancelled or started anew.
    """
    asked = set(solutions)
    excluded = exclusions_of({author for author, _origin, _set in asked})
    found = {
        each: Annulment(0, 0, excluded[each[0]], is_excluded=True)
        for each in asked
        if each[0] in excluded
    }
    uploaded = annulled_uploads_of({number for _author, origin, number in asked if not origin})
    for author, origin, number in asked - found.keys():
        if not origin and (author, number) in uploaded:
            found[author, origin, number] = Annulment(0, 0, uploaded[author, number])
    named = (session_number(origin) for _author, origin, _set in asked)
    numbers = {each for each in named if each is not None}
    if not numbers:
        return found
    return _annulled_sessions(asked - found.keys(), numbers) | found


def _annulled_sessions(
    asked: Iterable[tuple[int, str, int]], numbers: Collection[int]
) -> dict[tuple[int, str, int], Annulment]:
    """Those of ``asked`` that are sessions among ``numbers`` which do not stand."""
    decided = reasons_of_annulments(numbers)
    is_void = Q(solution=ExchangeSession.Solution.ANNULLED) | Q(pk__in=list(decided))
    is_void |= Q(final__cancelled_at__isnull=False)
    told = ExchangeSession.objects.filter(is_void, pk__in=numbers).select_related("final")
    void = {
        (each.participant_id, each.origin): Annulment(each.annulled, each.size, _why(each, decided))
        for each in told
    }
    return {each: void[each[:2]] for each in asked if each[:2] in void}


def _why(session: ExchangeSession, decided: Mapping[int, str]) -> str:
    """In words why a solution does not stand; none where the rule of 5 % says it."""
    if session.solution == ExchangeSession.Solution.ANNULLED:
        return ""
    because = session.final.cancelled_because if session.final and session.is_of_void_run else ""
    return decided.get(session.pk, "") or because
