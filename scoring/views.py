from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import EVERYBODY, MANAGERS, STAFF, Role, Visit, open_to
from annotator.access import essays_seen_by, markups_seen_by, sets_measured_for
from annotator.forms import AssignForm, ReturnForm
from annotator.marking import draft_of, first_error
from annotator.models import Assignment, Essay, EssaySet, MarkupRecord
from annotator.queries import experts_free_for
from annotator.services.assignment import assign_expert, assign_two_experts, withdraw
from annotator.services.markup import state_criteria
from annotator.services.refusals import Refused
from annotator.services.reopening import reopen_check
from scoring.forms import StatedForm
from scoring.pages import desk_lines, matrix_of, points_of
from scoring.queries import essays_on_desk, own_scores, star_tables

PER_PAGE = 50


@require_GET
@open_to(STAFF)
def desk(request: Visit) -> HttpResponse:
    sets = EssaySet.objects.order_by("name")
    chosen = sets.filter(name=request.GET.get("set", "")[:80].replace("\0", "")).first()
    page = Paginator(essays_on_desk(chosen), PER_PAGE).get_page(request.GET.get("page"))
    context = {"lines": desk_lines(page), "page": page, "sets": sets, "chosen": chosen}
    return render(request, "scoring/desk.html", context)


@require_GET
@open_to(STAFF)
def checks(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_on_desk(None), pk=pk)
    (line,) = desk_lines([essay])
    markups = list(essay.markups.all())
    context = {
        "line": line,
        "essay": essay,
        "experts": experts_free_for(essay)[:100],
        "markups": sorted(markups, key=lambda item: (item.source != "expert", item.pk)),
        "decision": essay.third_checks.filter(round=essay.round).first(),
        "is_decided_anew": line.third_needed is not None and line.gap is None,
    }
    return render(request, "scoring/checks.html", context)


@require_POST
@open_to(MANAGERS)
def assign(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(Essay, pk=pk)
    if "role" not in request.POST:
        assign_two_experts(essay=essay, actor=request.user)
    else:
        form = AssignForm(request.POST)
        if not form.is_valid():
            raise Refused(_("Choose a check and an expert."))
        assign_expert(essay=essay, actor=request.user, **form.cleaned_data)
    messages.success(request, _("Essay %s: the experts are assigned.") % essay.number)
    return redirect("scoring:checks", pk=essay.pk)


@require_POST
@open_to(MANAGERS)
def take_away(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(Assignment, pk=pk)
    withdraw(assignment=assignment, actor=request.user)
    messages.success(request, _("The check was taken away; the draft is kept."))
    return redirect("scoring:checks", pk=assignment.essay_id)


@require_POST
@open_to(MANAGERS)
def reopen(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(Assignment, pk=pk)
    form = ReturnForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Say why the check is reopened."))
    reopen_check(assignment=assignment, actor=request.user, reason=form.cleaned_data["reason"])
    messages.success(request, _("The check is open again; its expert reads the reason."))
    return redirect("scoring:checks", pk=assignment.essay_id)


@require_GET
@open_to(EVERYBODY)
def scores(request: Visit) -> HttpResponse:
    sets = list(sets_measured_for(request.user))
    tables = list(zip(sets, star_tables(sets), strict=True))
    return render(request, "scoring/scores.html", {"tables": tables})


@require_GET
@open_to(frozenset({Role.PARTICIPANT}))
def own_figures(request: Visit) -> HttpResponse:
    page = Paginator(own_scores(request.user), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "scoring/own_figures.html", {"page": page})


@require_POST
@open_to(frozenset({Role.EXPERT}))
def state_points(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    form = StatedForm(request.POST, criteria=points_of(record).criteria)
    if not form.is_valid():
        raise Refused(first_error(form))
    version = form.cleaned_data["version"]
    state_criteria(record=record, version=version, stated=form.stated)
    record.refresh_from_db(fields=["saved_at"])
    return render(request, "scoring/stated.html", {"record": record})


@require_GET
@open_to(EVERYBODY)
def accuracy(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_seen_by(request.user), pk=pk)
    markups = markups_seen_by(request.user).filter(essay=essay, state=MarkupRecord.State.SUBMITTED)
    matrix = matrix_of(list(markups.order_by("-source", "pk")))
    return render(request, "scoring/accuracy.html", {"essay": essay, "matrix": matrix})
