"""Finals and rehearsals: planned, cancelled, started anew."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.roles import Visit, open_to
from contest.access import ORGANISING
from contest.forms import FinalForm, ReasonForm, RestartForm, with_acts
from contest.models import Final
from contest.queries.sessions import finals_planned
from contest.services.contest_finals import refuse_set_of_contest
from contest.services.sessions.clock import moment_now
from contest.services.sessions.finals import cancel_final, plan_final, restart_final
from web.forms import sent_in, status_of, told_in
from web.paging import page_of


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
def finals(request: Visit) -> HttpResponse:
    form = FinalForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        with told_in(form):
            admitted = form.cleaned_data["admitted"]
            refuse_set_of_contest(form.cleaned_data["essay_set"])
            plan_final(planned=form.planned(), admitted=admitted, actor=request.user)
            return redirect("contest:finals")
    return _page(request, form, {})


@require_POST
@open_to(ORGANISING)
def cancel(request: Visit, pk: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.select_related("essay_set"), pk=pk)
    refuse_set_of_contest(final.essay_set)
    form = ReasonForm.beside(final, request.POST)
    if form.is_valid():
        with told_in(form):
            said = form.cleaned_data
            cancel_final(final=final, actor=request.user, moment=moment_now(), **said)
            return redirect("contest:finals")
    return _page(request, FinalForm(), {pk: form})


@require_POST
@open_to(ORGANISING)
def restart(request: Visit, pk: int) -> HttpResponse:
    final = get_object_or_404(Final.objects.select_related("essay_set"), pk=pk)
    refuse_set_of_contest(final.essay_set)
    form = RestartForm.beside(final, request.POST)
    if form.is_valid():
        with told_in(form):
            said = form.cleaned_data
            restart_final(final=final, actor=request.user, moment=moment_now(), **said)
            return redirect("contest:finals")
    return _page(request, FinalForm(), {pk: form})


def _page(request: Visit, form: FinalForm, wrong: Mapping[int, ReasonForm]) -> HttpResponse:
    page = page_of(request, finals_planned())
    context = {"form": form, "page": page, "lines": with_acts(page, RestartForm, wrong)}
    status = status_of(form, *wrong.values())
    return render(request, "contest/finals.html", context, status=status)
