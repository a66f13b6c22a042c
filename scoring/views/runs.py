"""Score runs: all of them, what one would change, and its files."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from accounts.roles import MANAGERS, STAFF, Visit, open_to
from scoring.access import (
    may_decide_run,
    may_order_runs,
    may_publish_boards,
    verdict_of_runs,
)
from scoring.core.run_changes import Moved, Why
from scoring.forms import RunForm
from scoring.models import RunEntry, RunVerdict, ScoreRun, StandingBoard
from scoring.queries.runs import (
    ByPosition,
    applied_run,
    entries_apart,
    finished_runs,
    parameters_of,
    progress_of,
    runs_listed,
)
from scoring.services.run_files import run_as_csv, run_as_lines
from scoring.services.run_moves import MOST_MOVES, moves_told
from scoring.services.run_ordering import order_run
from web.files import as_file, named
from web.paging import page_of

WHY: Final = {
    Why.ENTRY: pgettext_lazy("why a score differs", "in one of the runs only"),
    Why.SOLUTION: pgettext_lazy("why a score differs", "another solution"),
    Why.STATE: pgettext_lazy("why a score differs", "ranked in one of the runs only"),
    Why.MARKUP: pgettext_lazy("why a score differs", "markups"),
    Why.RULE: pgettext_lazy("why a score differs", "the program"),
    Why.PARAMETER: pgettext_lazy("why a score differs", "parameters"),
    Why.OTHERS: pgettext_lazy("why a score differs", "others moved"),
}
LEFT_OUT: Final = {
    "no-expert": _("Essays no expert has marked"),
    "withdrawn": _("Essays of which a markup was withdrawn"),
    "undefined": _("Essays with an accuracy that is undefined"),
}


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
    context = {"run": found, "done": done, "essays": essays, **_acts(request.user, found)}
    context["left_out"] = [(LEFT_OUT[each["why"]], each["what"]) for each in found.left_out]
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
    made = order_run(actor=request.user, **form.cleaned_data)
    return redirect("scoring:run", pk=made.pk)


def _listed(request: Visit, form: RunForm) -> HttpResponse:
    context = {"page": page_of(request, runs_listed())}
    context["form"] = form if may_order_runs(request.user) else None
    return render(request, "scoring/runs.html", context, status=422 if form.errors else 200)


def _frozen_or_404(pk: int) -> ScoreRun:
    return get_object_or_404(finished_runs(), pk=pk)


def _acts(user: User, found: ScoreRun) -> dict[str, Any]:
    """What somebody may do with a run as it stands."""
    board = StandingBoard.objects.filter(essay_set=found.essay_set_id).first()
    counts = board is not None and board.applied_id == found.pk
    said = {each.kind: each for each in found.verdicts.select_related("who")}
    is_ready = found.state == ScoreRun.State.READY
    own = verdict_of_runs(user)
    in_turn = RunVerdict.Kind.VERIFIED if RunVerdict.Kind.CHECKED in said else "checked"
    is_open = counts and RunVerdict.Kind.RETURNED not in said
    verified = RunVerdict.Kind.VERIFIED in said
    return {
        "board": board,
        "counts": counts,
        "said": said.values(),
        "may_stop": may_order_runs(user) and found.state == ScoreRun.State.COMPUTING,
        "may_propose": may_order_runs(user) and is_ready and not found.proposal,
        "may_decide": is_ready and may_decide_run(user, found),
        "may_withdraw": is_ready and bool(found.proposal),
        "verdict": own if own and is_open and own == in_turn and own not in said else None,
        "may_publish": is_open and verified and may_publish_boards(user),
        "may_freeze": counts and may_publish_boards(user),
    }


def _compared(request: Visit, found: ScoreRun) -> dict[str, Any]:
    """The board of a run, and beside the one that counts what differs."""
    before = applied_run(found)
    context: dict[str, Any] = {"ranked": page_of(request, ByPosition(found), "ranks")}
    context["apart"] = page_of(request, entries_apart(found), "apart")
    if before is None or before.pk == found.pk:
        return context
    told = moves_told(before, found)
    moved = page_of(request, told[:MOST_MOVES])
    context |= {"before": before, "page": moved}
    context["more_than"] = MOST_MOVES if len(told) > MOST_MOVES else None
    context["moves"] = [(each, _state_in(each), [WHY[why] for why in each.why]) for each in moved]
    context["same_rules"] = parameters_of(before.rules) == parameters_of(found.rules)
    context["same_code"] = before.code == found.code
    return context


def _state_in(moved: Moved) -> str | None:
    """What the later run says of the participant's entry, in words."""
    return str(RunEntry.State(moved.after.state).label) if moved.after else None
