"""Boards: those that are published, one of them, as files. Read without an account."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from annotator.models import EssaySet
from scoring.access import boards_seen_by, may_see_runs
from scoring.models import ScoreRun
from scoring.pages.board_words import still_since, taken_off, words_above
from scoring.pages.boards import BoardPage, board_page, shown_runs
from scoring.pages.run_standing import states_told
from scoring.queries.runs import ByPosition, entries_apart, ranked_entries
from web.files import csv_file, json_file, named
from web.forms import is_number_of_row
from web.paging import page_of


@require_safe
@login_not_required
def board(request: HttpRequest, pk: int) -> HttpResponse:
    run = asked(request, pk)
    if run is None:
        return _taken_off(request, pk)
    entries = page_of(request, ByPosition(run))
    apart = page_of(request, entries_apart(run), "apart")
    seen = boards_seen_by(request.user)
    shown = {
        "board": board_page(request.user, run, [*entries, *apart], seen=seen),
        "words": words_above(request.user, run),
        "page": entries,
        "apart": apart,
        "runs": _listed(request, seen.filter(essay_set=pk)),
    }
    return render(request, "scoring/board.html", shown)


def _listed(request: HttpRequest, runs: QuerySet[ScoreRun]) -> list[tuple[ScoreRun, str]]:
    """The runs of a set, for staff with what became of them."""
    is_staff = isinstance(request.user, User) and may_see_runs(request.user)
    listed = list(runs)
    told = states_told(listed) if is_staff and len(listed) > 1 else {}
    return [(run, told.get(run.pk, "")) for run in listed]


@require_safe
@login_not_required
def board_json(request: HttpRequest, pk: int) -> HttpResponse:
    board = _whole(request, pk)
    found = {**board.as_json(), "still_since": still_since(board.run)}
    return json_file(found, named(_("board"), pk, ending="json"))


@require_safe
@login_not_required
def board_csv(request: HttpRequest, pk: int) -> HttpResponse:
    rows = _whole(request, pk).as_table()
    return csv_file(request, rows, named(_("board"), pk, ending="csv"))


def _taken_off(request: HttpRequest, pk: int) -> HttpResponse:
    """Why there is no board, where everybody saw one before; 404 for a run that is asked for."""
    essay_set = get_object_or_404(EssaySet, pk=pk)
    told = [] if request.GET.get("run") else taken_off(request.user, [essay_set.pk])
    if not told:
        raise Http404
    shown = {"essay_set": essay_set, "words": told[0][1]}
    return render(request, "scoring/board_taken_off.html", shown)


def _whole(request: HttpRequest, pk: int) -> BoardPage:
    run = asked(request, pk)
    if run is None:
        raise Http404
    entries = [*ranked_entries(run), *entries_apart(run)]
    return board_page(request.user, run, entries, seen=boards_seen_by(request.user))


def asked(request: HttpRequest, pk: int) -> ScoreRun | None:
    """The run an address asks for, else the one that counts; none where nothing is to be seen."""
    seen = boards_seen_by(request.user)
    number = request.GET.get("run", "")
    if number:
        wanted = int(number) if is_number_of_row(number) else 0
        return seen.filter(essay_set=pk, pk=wanted).first()
    sets = EssaySet.objects.filter(pk=pk).values_list("pk", flat=True)
    return next(iter(shown_runs(seen, sets)), None)
