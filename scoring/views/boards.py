"""Boards: those that are published, one of them, as files. Read without an account."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from annotator.models import EssaySet
from scoring.access import boards_seen_by, may_see_runs
from scoring.models import ScoreRun
from scoring.pages.boards import BoardPage, board_page, shown_runs
from scoring.queries.runs import ByPosition, frozen_at, ranked_entries
from web.core.sheets import as_csv
from web.files import as_file, dialect_asked, named
from web.forms import is_number_of_row
from web.paging import page_of


@require_safe
@login_not_required
def board(request: HttpRequest, pk: int) -> HttpResponse:
    run = asked(request, pk)
    entries = page_of(request, ByPosition(run))
    seen = boards_seen_by(request.user)
    shown = {
        "board": board_page(request.user, run, list(entries), seen=seen),
        "frozen_at": frozen_at(run),
        "page": entries,
        "runs": seen.filter(essay_set=pk),
        "is_staff": isinstance(request.user, User) and may_see_runs(request.user),
    }
    return render(request, "scoring/board.html", shown)


@require_safe
@login_not_required
def board_json(request: HttpRequest, pk: int) -> HttpResponse:
    run = asked(request, pk)
    found = _whole(request, run).as_json()
    options = {"ensure_ascii": False, "indent": 1}
    return as_file(
        JsonResponse(found, json_dumps_params=options), named(_("board"), pk, ending="json")
    )


@require_safe
@login_not_required
def board_csv(request: HttpRequest, pk: int) -> HttpResponse:
    run = asked(request, pk)
    rows = _whole(request, run).as_table()
    response = HttpResponse(
        ["\ufeff", *as_csv(rows, dialect_asked(request))], content_type="text/csv; charset=utf-8"
    )
    return as_file(response, named(_("board"), pk, ending="csv"))


def _whole(request: HttpRequest, run: ScoreRun) -> BoardPage:
    seen = boards_seen_by(request.user)
    return board_page(request.user, run, list(ranked_entries(run)), seen=seen)


def asked(request: HttpRequest, pk: int) -> ScoreRun:
    """The run an address asks for, else the one that counts; 404 where nothing is to be seen."""
    seen = boards_seen_by(request.user)
    number = request.GET.get("run", "")
    if number:
        wanted = int(number) if is_number_of_row(number) else 0
        run = seen.filter(essay_set=pk, pk=wanted).first()
    else:
        sets = EssaySet.objects.filter(pk=pk).values_list("pk", flat=True)
        run = next(iter(shown_runs(seen, sets)), None)
    if run is None:
        raise Http404
    return run
