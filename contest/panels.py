"""What this app shows on the pages of the apps below: the session a report is of, what a set is to
its contest.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from accounts import panels as accounts
from accounts.roles import Visit
from annotator import panels as marking
from annotator.models import Essay, EssaySet
from contest.models import DataSet
from contest.pages.waiting import waiting_for
from contest.queries.exchanged import session_named
from contest.queries.running import finals_begin
from contest.queries.sealing import sealed, to_plan
from contest.services.correcting import CORRECTED, NOTICE, refuse_answered, refuse_correction
from review import panels as review
from review.access import may_assign
from scoring import panels as scoring
from web.refusals import Refused


@scoring.REPORT_TOOLS.fill("contest/to_session.html")
def session_of_report(
    _request: HttpRequest, *, author_id: int, origin: str
) -> dict[str, Any] | None:
    session = session_named(origin, author_id)
    return {"session": session} if session else None


@review.WAITING.fill("contest/waiting.html")
def what_waits(request: Visit) -> dict[str, Any] | None:
    """Of contests: proposals, results and runs somebody has a say in; organisers' contests."""
    found = waiting_for(request.user)
    return {"waiting": found} if found else None


@accounts.ACTING.fill("contest/teams/acting.html")
def for_whom(request: HttpRequest) -> dict[str, Any] | None:
    acts = getattr(request, "acts", None)
    return {"acts": acts} if acts and acts.choices else None


@accounts.KEYS.fill("contest/teams/own_keys.html")
def whose_keys(request: HttpRequest) -> dict[str, Any] | None:
    """For somebody with teams: the one acted for, and its contest, or that it is none of them."""
    acts = getattr(request, "acts", None)
    return {"team": acts.chosen} if acts and acts.choices else None


@review.DESK_NEWS.fill("contest/finals_over.html")
def finals_over(request: Visit) -> dict[str, Any] | None:
    """For coordinators: finals are over, and their sets wait to be planned."""
    sets = to_plan() if may_assign(request.user) else []
    return {"sets": sets} if sets else None


@marking.SET_SIDE.fill("contest/set_of_contest.html", order=-1)
def contest_of_set(_request: HttpRequest, *, essay_set: EssaySet) -> dict[str, Any] | None:
    """Which contest a set is of, whether it is sealed, and what opens its markups."""
    found = DataSet.objects.select_related("contest").filter(essay_set=essay_set).first()
    if found is None:
        return None
    is_final = found.role == DataSet.Role.FINAL
    is_sealed = is_final and found.pk in {each.pk for each in sealed()}
    waits = is_final and not found.contest.is_final
    return {"data_set": found, "is_sealed": is_sealed, "waits_for_results": waits}


@marking.BEFORE_CORRECTING.fill("contest/correction.html")
def why_nothing_is_corrected(_request: HttpRequest, *, essay: Essay) -> dict[str, Any] | None:
    """Why what is said of an essay stays as it is."""
    try:
        refuse_correction(essay_ids=[essay.pk])
    except Refused as refused:
        return {"refusal": str(refused)}
    return None


@marking.BEFORE_REPLACING.fill("contest/correction.html")
def correction_is_announced(_request: HttpRequest, *, essay: Essay) -> dict[str, Any] | None:
    """Why the text stays as it is; else, of training and test sets of a contest that is announced,
    that everybody reads the reason, and until when.
    """
    try:
        refuse_correction(essay_ids=[essay.pk])
        refuse_answered(essay_ids=[essay.pk])
    except Refused as refused:
        return {"refusal": str(refused)}
    sets = DataSet.objects.select_related("contest").exclude(contest__announced_at=None)
    found = sets.filter(role__in=CORRECTED, essay_set=essay.essay_set_id).first()
    if found is None:
        return None
    begin = finals_begin(found.contest)
    return {"contest": found.contest, "until": begin and begin - NOTICE}
