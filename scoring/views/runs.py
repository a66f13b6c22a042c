"""Score runs: all of them, what one would change, and its files."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.roles import MANAGERS, STAFF, Visit, open_to
from annotator.models import EssaySet
from scoring.access import may_order_runs
from scoring.core.board import decimals_of
from scoring.forms import RunForm
from scoring.models import ScoreRun
from scoring.pages.run_acts import acts_of
from scoring.pages.run_history import history_of_run
from scoring.pages.run_moves import LEFT_OUT, WHY, state_in
from scoring.pages.run_standing import states_told
from scoring.pages.set_apart import late_of_runs, why_apart
from scoring.queries.runs import (
    ByPosition,
    applied_run,
    around,
    entries_apart,
    finished_runs,
    other_intervals,
    parameters_of,
    progress_of,
    runs_listed,
)
from scoring.services.run_files import run_as_csv, run_as_lines
from scoring.services.run_moves import MOST_MOVES, moves_told
from scoring.services.run_ordering import order_run
from web.files import as_file, named
from web.forms import status_of
from web.paging import page_of
from web.refusals import about


@require_http_methods(["GET", "POST"])
@open_to(STAFF)
def runs(request: Visit) -> HttpResponse:
    if request.method == "POST":
        return _order(request)
    return _listed(request, RunForm())


@require_GET
@open_to(STAFF)
def run(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(runs_listed(), pk=pk)
    done, essays = progress_of(found)
    context = {"run": found, "done": done, "essays": essays, **acts_of(request.user, found)}
    context["left_out"] = [(LEFT_OUT[each["why"]], each["what"]) for each in found.left_out]
    context["history"] = history_of_run(found)
    if found.is_frozen:
        context |= _compared(request, found)
    template = "scoring/run.html#progress" if request.htmx else "scoring/run.html"
    return render(request, template, context)


@require_GET
@open_to(STAFF)
def run_lines(_request: Visit, pk: int) -> StreamingHttpResponse:
    found = _frozen_or_404(pk)
    answer = StreamingHttpResponse(run_as_lines(found), content_type="application/x-ndjson")
    return as_file(answer, named(_("run"), pk, ending="jsonl"))


@require_GET
@open_to(STAFF)
def run_csv(_request: Visit, pk: int) -> StreamingHttpResponse:
    found = _frozen_or_404(pk)
    answer = StreamingHttpResponse(run_as_csv(found), content_type="text/csv; charset=utf-8")
    return as_file(answer, named(_("run"), pk, ending="csv"))


@open_to(MANAGERS)
def _order(request: Visit) -> HttpResponse:
    form = RunForm(request.POST)
    if not form.is_valid():
        return _listed(request, form)
    with about(_computing(form.cleaned_data["essay_set"])):
        made = order_run(actor=request.user, **form.cleaned_data)
    return redirect("scoring:run", pk=made.pk)


def _computing(essay_set: EssaySet) -> str:
    """The page of the run of a set that is being computed; empty where none is."""
    run = ScoreRun.objects.filter(essay_set=essay_set, state=ScoreRun.State.COMPUTING).first()
    return reverse("scoring:run", args=[run.pk]) if run else ""


def _listed(request: Visit, form: RunForm) -> HttpResponse:
    page = page_of(request, runs_listed())
    told = states_told(page)
    context: dict[str, Any] = {"page": page, "rows": [(each, told[each.pk]) for each in page]}
    context["form"] = form if may_order_runs(request.user) else None
    return render(request, "scoring/runs.html", context, status=status_of(form))


def _frozen_or_404(pk: int) -> ScoreRun:
    return get_object_or_404(finished_runs(), pk=pk)


def _compared(request: Visit, found: ScoreRun) -> dict[str, Any]:
    """The board of a run, and beside the one that counts what differs."""
    before = applied_run(found)
    ranked = page_of(request, ByPosition(found), "ranks")
    apart = page_of(request, entries_apart(found), "apart")
    context: dict[str, Any] = {"ranked": ranked, "apart": apart}
    late = late_of_runs([found])[found.pk]
    context["rows"] = [(each, late.get(each)) for each in ranked]
    context["whys"] = [(each, why_apart(each), late.get(each)) for each in apart]
    beside = around({found: [*ranked]})[found.pk]
    context["tied"] = beside.tied
    stars = [each.star for each in ranked if each.star is not None]
    context["digits"] = decimals_of([*stars, *beside.stars])
    if before is None or before.pk == found.pk:
        return context
    told = moves_told(before, found)
    moved = page_of(request, told[:MOST_MOVES])
    context |= {"before": before, "page": moved}
    context["more_than"] = MOST_MOVES if len(told) > MOST_MOVES else None
    context["moves"] = [(each, state_in(each), [WHY[why] for why in each.why]) for each in moved]
    context["surer"] = other_intervals(before, found).count()
    context["same_rules"] = parameters_of(before.rules) == parameters_of(found.rules)
    context["same_code"] = before.code == found.code
    return context
