"""Organisers make a contest, describe it, give it dates and sets, announce it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from accounts.roles import Visit, open_to
from contest.access import ORGANISING, RUNNING, may_run_contests
from contest.forms import ContestForm, DataSetForm, PhaseForm
from contest.models import Contest, DataSet, Phase
from contest.pages.deciding import Moved, asked_of_dates, moved_applications, moved_phase
from contest.pages.running import RunningPage
from contest.pages.ways import ways_from_managing
from contest.services.contests import (
    announce_contest,
    describe_contest,
    make_contest,
    plan_phase,
    tried,
)
from contest.services.data_sets import add_data_set, drop_data_set, make_data_set
from contest.views.contest_doors import of_contest
from web.forms import sent_in, status_of, told_in
from web.refusals import Refused


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
def new_contest(request: Visit) -> HttpResponse:
    zone = request.POST.get("zone", "")
    with timezone.override(ZoneInfo(zone) if zone in available_timezones() else None):
        form = ContestForm(sent_in(request))
        if request.method == "POST" and form.is_valid():
            with told_in(form):
                made = make_contest(values=form.cleaned_data, actor=request.user)
                return redirect("contest:manage", slug=made.slug)
        context, status = {"form": form}, status_of(form)
        return render(request, "contest/running/describe.html", context, status=status)


@require_GET
@open_to(RUNNING)
@of_contest
def manage(request: Visit, contest: Contest) -> HttpResponse:
    return _managed(request, contest, sets=DataSetForm(), phases=_phase_forms(contest))


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
@of_contest
def describe(request: Visit, contest: Contest) -> HttpResponse:
    slug = contest.slug
    form = ContestForm(sent_in(request), instance=contest)
    if request.method == "POST" and form.is_valid():
        held = Contest.objects.get(slug=slug)
        moved = moved_applications(held, form.cleaned_data) if held.is_announced else []
        values = form.cleaned_data
        do = partial(describe_contest, contest=held, values=values, actor=request.user)
        done = _dated(request, form, held, moved, do)
        if done:
            return done
    context = {"form": form, "contest": contest, "slug": slug}
    return render(request, "contest/running/describe.html", context, status=status_of(form))


@require_POST
@open_to(ORGANISING)
@of_contest
def phase(request: Visit, contest: Contest) -> HttpResponse:
    kind = request.POST.get("kind", "")
    if kind not in Phase.Kind:
        raise Refused(_("Say when the phase starts and when it ends."))
    form = PhaseForm(request.POST, auto_id=f"{kind}-%s")
    if form.is_valid():
        said = {**form.cleaned_data, "kind": Phase.Kind(kind)}
        moved = moved_phase(contest, **said) if contest.is_announced else []
        do = partial(plan_phase, contest=contest, actor=request.user, **said)
        done = _dated(request, form, contest, moved, do)
        if done:
            return done
    phases = _phase_forms(contest, **{kind: form})
    return _managed(request, contest, sets=DataSetForm(), phases=phases)


@require_POST
@open_to(ORGANISING)
@of_contest
def add_set(request: Visit, contest: Contest) -> HttpResponse:
    form = DataSetForm(request.POST)
    if form.is_valid():
        with told_in(form):
            _add_set(request.user, contest, form.cleaned_data)
            return redirect("contest:manage", slug=contest.slug)
    return _managed(request, contest, sets=form, phases=_phase_forms(contest))


@require_POST
@open_to(ORGANISING)
@of_contest
def drop_set(request: Visit, contest: Contest, pk: int) -> HttpResponse:
    drop_data_set(data_set=get_object_or_404(contest.data_sets, pk=pk), actor=request.user)
    return redirect("contest:manage", slug=contest.slug)


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
@of_contest
def announce(request: Visit, contest: Contest) -> HttpResponse:
    if request.method == "POST":
        announce_contest(contest=contest, actor=request.user)
        messages.success(request, _("The contest is announced: everybody sees it now."))
        return redirect("contest:manage", slug=contest.slug)
    if contest.is_announced:
        return redirect("contest:manage", slug=contest.slug)
    context = {"page": RunningPage.of(contest), "contest": contest}
    return render(request, "contest/running/announce.html", context)


def _managed(
    request: Visit, contest: Contest, *, sets: DataSetForm, phases: list[PhaseForm]
) -> HttpResponse:
    context = {
        "page": RunningPage.of(contest),
        "contest": contest,
        "sets": sets,
        "phases": phases,
        "may_run": may_run_contests(request.user),
        "ways": ways_from_managing(request.user, contest),
    }
    status = status_of(sets, *phases)
    return render(request, "contest/running/manage.html", context, status=status)


def _dated(
    request: Visit,
    form: BaseForm,
    contest: Contest,
    moved: list[Moved],
    do: Callable[[], object],
) -> HttpResponse | None:
    """Do what the form says, or ask first where announced dates would move; ``None`` where it is
    refused: the form says why then.
    """
    asks = bool(moved) and "sure" not in request.POST
    with told_in(form), tried(undone=asks):
        do()
    if form.errors:
        return None
    if asks:
        asked = asked_of_dates(contest, moved, request.POST.dict(), request.path)
        return render(request, "question.html", {"asked": asked})
    return redirect("contest:manage", slug=form.cleaned_data.get("slug", contest.slug))


def _add_set(actor: User, contest: Contest, said: dict[str, Any]) -> None:
    role = DataSet.Role(said["role"])
    if said["name"]:
        make_data_set(contest=contest, role=role, name=said["name"], actor=actor)
    else:
        add_data_set(contest=contest, role=role, essay_set=said["essay_set"], actor=actor)


def _phase_forms(contest: Contest, **filled: PhaseForm) -> list[PhaseForm]:
    known = {each.kind: each for each in contest.phases.all()}
    closed = {each.kind for each in known.values() if each.closed_at}
    return [
        filled.get(kind)
        or PhaseForm(
            initial={"kind": kind, "starts_at": found.starts_at, "ends_at": found.ends_at}
            if (found := known.get(kind))
            else {"kind": kind},
            auto_id=f"{kind}-%s",
        )
        for kind in Phase.Kind
        if kind in filled or kind not in closed
    ]
