from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import EVERYBODY, Role, Visit, open_to
from annotator.access import essays_seen_by, markups_seen_by, sets_measured_for
from annotator.models import MarkupRecord
from annotator.services.drafts import state_criteria
from annotator.views.marking import answer, draft_of, first_error, is_behind, with_head
from scoring.access import has_own_figures
from scoring.forms import StatedForm
from scoring.pages.figures import matrix_of, points_of, shown_points
from scoring.pages.tables import score_tables
from scoring.queries.tables import own_scores
from web.paging import page_of
from web.refusals import Refused


@require_GET
@open_to(EVERYBODY)
def scores(request: Visit) -> HttpResponse:
    archived = "archived" in request.GET
    page = page_of(request, sets_measured_for(request.user, archived=archived))
    tables = score_tables(request.user, list(page))
    shown = {"tables": tables, "page": page, "has_own_figures": has_own_figures(request.user)}
    return render(request, "scoring/scores.html", {**shown, "archived": archived})


@require_GET
@open_to(frozenset({Role.PARTICIPANT}))
def own_figures(request: Visit) -> HttpResponse:
    page = page_of(request, own_scores(request.user))
    for each in page:
        each.reference.alias = each.alias
    return render(request, "scoring/own_figures.html", {"page": page})


@require_POST
@open_to(frozenset({Role.EXPERT}))
def state_points(request: Visit, pk: int) -> HttpResponseBase:
    record = draft_of(request, pk)
    points = points_of(record, record.to_core())
    form = StatedForm(request.POST, criteria=points.criteria, stored=record.stated)
    if form.errors.keys() & {"version", "uid"}:
        raise Refused(first_error(form))
    if not form.is_valid():
        refused = shown_points(record, points, editable=True, swap=True, refused=form)
        return render(request, "scoring/stated.html", refused, status=422)
    behind = is_behind(request, record)
    step = {name: form.cleaned_data[name] for name in ("version", "uid")}
    state_criteria(record=record, stated=form.stated, **step)
    if behind:
        return answer(request, record, None, said="")

    def parts() -> HttpResponse:
        after = points_of(record, points.markup)
        shown = shown_points(record, after, editable=True, swap=True)
        return render(request, "scoring/stated.html", shown)

    return with_head(request, record, parts)


@require_GET
@open_to(EVERYBODY)
def accuracy(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_seen_by(request.user), pk=pk)
    markups = markups_seen_by(request.user).filter(essay=essay, state=MarkupRecord.State.SUBMITTED)
    matrix = matrix_of(list(markups.order_by("-source", "pk")))
    return render(request, "scoring/accuracy.html", {"essay": essay, "matrix": matrix})
