"""The finals and rehearsals of a contest: planned, cancelled, started anew."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.roles import Visit, open_to
from contest.access import ORGANISING, RUNNING, may_run_contests
from contest.forms import ContestFinalForm, ContestRestartForm, ReasonForm, with_acts
from contest.models import Contest
from contest.queries.running import finals_of
from contest.services.contest_finals import (
    WantedRestart,
    cancel_contest_final,
    plan_contest_final,
    restart_contest_final,
)
from contest.views.contest_doors import of_contest
from web.forms import told_in
from web.paging import page_of


@require_http_methods(["GET"])
@open_to(RUNNING)
@of_contest
def finals(request: Visit, contest: Contest) -> HttpResponse:
    return _page(request, contest, ContestFinalForm(None, contest=contest), 200)


@require_POST
@open_to(ORGANISING)
@of_contest
def plan(request: Visit, contest: Contest) -> HttpResponse:
    form = ContestFinalForm(request.POST, contest=contest)
    if form.is_valid():
        with told_in(form):
            made = plan_contest_final(contest=contest, wanted=form.wanted(), actor=request.user)
            messages.success(request, _("“%s” is planned, and everybody is told.") % made)
            return redirect("contest:contest_finals", slug=contest.slug)
    return _page(request, contest, form, 422)


@require_POST
@open_to(ORGANISING)
@of_contest
def cancel(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    final = get_object_or_404(finals_of(contest), pk=pk)
    form = ReasonForm.beside(final, request.POST)
    if form.is_valid():
        with told_in(form):
            said = form.cleaned_data
            cancel_contest_final(contest=contest, final=final, **said, actor=request.user)
            messages.success(request, _("“%s” is cancelled, and everybody is told.") % final)
            return redirect("contest:contest_finals", slug=contest.slug)
    return _page(request, contest, ContestFinalForm(None, contest=contest), 422, {pk: form})


@require_POST
@open_to(ORGANISING)
@of_contest
def restart(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    final = get_object_or_404(finals_of(contest), pk=pk)
    form = ContestRestartForm.beside(final, request.POST)
    if form.is_valid():
        with told_in(form):
            wanted = WantedRestart(**form.cleaned_data)
            restart_contest_final(contest=contest, final=final, wanted=wanted, actor=request.user)
            messages.success(request, _("“%s” starts anew, and everybody is told.") % final)
            return redirect("contest:contest_finals", slug=contest.slug)
    return _page(request, contest, ContestFinalForm(None, contest=contest), 422, {pk: form})


def _page(
    request: Visit,
    contest: Contest,
    form: ContestFinalForm,
    status: int,
    wrong: Mapping[int, ReasonForm] = MappingProxyType({}),
) -> HttpResponse:
    page = page_of(request, finals_of(contest))
    context = {
        "contest": contest,
        "form": form,
        "page": page,
        "lines": with_acts(page, ContestRestartForm, wrong),
        "may_run": contest.live and may_run_contests(request.user) and not contest.is_final,
    }
    return render(request, "contest/running/finals.html", context, status=status)
