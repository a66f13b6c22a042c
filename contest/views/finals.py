"""Finals and rehearsals: planned, cancelled, started anew."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.roles import Visit, open_to
from contest.access import ORGANISING
from contest.forms import FinalForm, ReasonForm, RestartForm
from contest.models import Final
from contest.queries.sessions import finals_planned
from contest.services.contest_finals import refuse_set_of_contest
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import cancel_final, plan_final, restart_final
from web.paging import page_of
from web.refusals import Refused


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
def finals(request: Visit) -> HttpResponse:
    form = FinalForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        admitted = form.cleaned_data["admitted"]
        refuse_set_of_contest(form.cleaned_data["essay_set"])
        plan_final(planned=form.planned(), admitted=admitted, actor=request.user)
        return redirect("contest:finals")
    context = {"form": form, "page": page_of(request, finals_planned()), "restart": RestartForm()}
    return render(request, "contest/finals.html", context, status=422 if form.errors else 200)


@require_POST
@open_to(ORGANISING)
def cancel(request: Visit, pk: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.select_related("essay_set"), pk=pk)
    refuse_set_of_contest(final.essay_set)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Say why: everybody who is admitted reads it."))
    reason = form.cleaned_data["reason"]
    cancel_final(final=final, reason=reason, actor=request.user, moment=moment_now())
    return redirect("contest:finals")


@require_POST
@open_to(ORGANISING)
def restart(request: Visit, pk: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.select_related("essay_set"), pk=pk)
    refuse_set_of_contest(final.essay_set)
    form = RestartForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Say why, and when the new run starts."))
    restart_final(final=final, actor=request.user, moment=moment_now(), **form.cleaned_data)
    return redirect("contest:finals")
