"""Sessions: the list, one as it goes on, its log as a file, its end by the organisers."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import MANAGERS, STAFF, Role, Visit, open_to
from contest.access import (
    may_exchange,
    may_plan_finals,
    may_stop_sessions,
    may_watch_sessions,
    sessions_seen_by,
)
from contest.core.moments import at
from contest.forms import ReasonForm
from contest.pages.announced import announced_to, beginning
from contest.pages.logs import log_of
from contest.pages.now import SessionsNow
from contest.pages.sessions import SessionPage
from contest.queries.exchanged import sets_of
from contest.queries.sessions import latest_first
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import stop
from web.files import as_file, named
from web.paging import page_of
from web.refusals import Refused

VISITORS = STAFF | {Role.PARTICIPANT}


@require_GET
@open_to(VISITORS)
def sessions(request: Visit) -> HttpResponse:
    page = page_of(request, latest_first(sessions_seen_by(request.user)))
    context = {
        "page": page,
        "of_all": may_watch_sessions(request.user),
        "may_plan": may_plan_finals(request.user),
        **(_ahead(request) if may_exchange(request.user) else {}),
    }
    part = "#sessions" if request.htmx else ""
    return render(request, f"contest/sessions.html{part}", context)


@require_GET
@open_to(STAFF)
def now(request: Visit) -> HttpResponse:
    seen = SessionsNow.of(sessions_seen_by(request.user), at(moment_now()))
    context = {"seen": seen, "may_stop": may_stop_sessions(request.user)}
    part = "#now" if request.htmx else ""
    return render(request, f"contest/now.html{part}", context)


@require_GET
@open_to(VISITORS)
def session(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(sessions_seen_by(request.user), pk=pk)
    context = {
        "seen": SessionPage.of(found, moment_now()),
        "session": found,
        "may_stop": may_stop_sessions(request.user),
        "of_all": may_watch_sessions(request.user),
        "form": ReasonForm(),
        "reports": [] if found.is_open else sets_of(found),
    }
    part = "#live" if request.htmx else ""
    return render(request, f"contest/session.html{part}", context)


@require_GET
@open_to(VISITORS)
def log(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(sessions_seen_by(request.user), pk=pk)
    options = {"ensure_ascii": False, "indent": 1}
    answer = JsonResponse(log_of(found, moment_now()), json_dumps_params=options)
    return as_file(answer, named(_("session"), found.pk, ending="json"))


@require_POST
@open_to(MANAGERS)
def stop_session(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(sessions_seen_by(request.user), pk=pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Say why the session is stopped: its participant reads it."))
    reason = form.cleaned_data["reason"]
    stop(session_id=found.pk, reason=reason, actor=request.user, moment=moment_now())
    return redirect("contest:session", pk=found.pk)


def _ahead(request: Visit) -> dict[str, object]:
    return {
        "announced": announced_to(request.user, moment_now()),
        "begin": beginning(request),
    }
