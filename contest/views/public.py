"""Contests for everybody, without an account: the front page, each contest, its board, its news."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.roles import Visit, open_to
from contest.access import ORGANISING, contests_seen_by, may_make_contests
from contest.forms import ModuleForm
from contest.models import Announcement
from contest.pages.announced import beginning
from contest.pages.documents import PUBLIC_DOCUMENTS, document_named
from contest.pages.lines import line_of
from contest.pages.public import (
    board_of,
    contest_page,
    contests_page,
    front_page,
    is_board_missing,
)
from contest.pages.specimen import SPECIMEN
from contest.services.announcing import release_module
from web.forms import sent_in, status_of, told_in


@require_safe
@login_not_required
def home(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(settings.START_PAGES.get(request.user.role, "contest:contests"))
    context = {"front": front_page(request), "specimen": SPECIMEN}
    return render(request, "contest/public/home.html", context)


@require_safe
@login_not_required
def contests(request: HttpRequest) -> HttpResponse:
    lines, page = contests_page(request)
    context = {"lines": lines, "page": page, "may_make": may_make_contests(request.user)}
    return render(request, "contest/public/contests.html", context)


@require_safe
@login_not_required
def contest(request: HttpRequest, slug: str) -> HttpResponse:
    line = line_of(contests_seen_by(request.user), slug)
    if line is None:
        raise Http404
    shown = contest_page(request, line)
    context = {"shown": shown, "contest": line.contest, "page": shown.news}
    return render(request, "contest/public/contest.html", context)


@require_safe
@login_not_required
def announcement(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    found = Announcement.objects.select_related("contest", "release")
    seen = found.filter(contest__in=contests_seen_by(request.user))
    told = get_object_or_404(seen, contest__slug=slug, pk=pk)
    context = {"announcement": told, "contest": told.contest}
    return render(request, "contest/public/announcement.html", context)


@require_safe
@login_not_required
def board(request: HttpRequest, slug: str) -> HttpResponse:
    shown = board_of(request, get_object_or_404(contests_seen_by(request.user), slug=slug))
    if is_board_missing(shown, request):
        raise Http404
    context = {"shown": shown, "contest": shown.contest, "board": shown.board, "page": shown.page}
    return render(request, "contest/public/board.html", context)


@require_safe
@login_not_required
def participating(request: HttpRequest) -> HttpResponse:
    return render(request, "contest/participating.html", {"begin": beginning(request)})


@require_safe
@login_not_required
def document(request: HttpRequest, name: str) -> HttpResponse:
    if name not in PUBLIC_DOCUMENTS:
        raise Http404
    context = {"document": document_named(name)}
    return render(request, "contest/public/document.html", context)


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
def modules(request: Visit, slug: str) -> HttpResponse:
    found = get_object_or_404(contests_seen_by(request.user), slug=slug)
    form = ModuleForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        with told_in(form):
            made = release_module(
                contest=found, module=form.module(), purpose=form.purpose(), actor=request.user
            )
            messages.success(request, _("“%s” is announced.") % made)
            return redirect("contest:contest", found.slug)
    releases = found.releases.select_related("announcement")
    context = {"contest": found, "form": form, "releases": releases}
    return render(request, "contest/modules.html", context, status=status_of(form))
