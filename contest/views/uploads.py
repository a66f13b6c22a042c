"""Uploads of predictions: the terms, sending, what came of them, the board."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_GET,
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.roles import EVERYBODY, Visit, open_to, person_of
from contest.access import (
    ORGANISING,
    finals_of_uploads,
    may_publish_data,
    may_watch_sessions,
    uploads_seen_by,
)
from contest.core.moments import at
from contest.forms import UploadForm, UploadTermsForm
from contest.models import Contest, Phase, Team, Upload, UploadTerms
from contest.pages.upload_boards import BoardsOfUploads
from contest.queries.solutions_of_teams import with_annulments
from contest.queries.teams import team_of
from contest.queries.uploads import terms_of
from contest.services.publication_files import texts_of
from contest.services.sessions.clock import moment_now
from contest.services.uploads.quotas import left_of, today_in
from contest.services.uploads.terms import refuse_no_uploads, set_upload_terms
from contest.services.uploads.uploading import Sent, send_upload, why_nothing_now
from web.files import as_file, csv_file, json_file, named, zipped
from web.forms import sent_with_files, status_of, told_in
from web.paging import page_of
from web.refusals import Refused
from web.zones import told_at


@require_GET
@open_to(EVERYBODY)
def uploads(request: Visit, slug: str) -> HttpResponse:
    contest, team = _of_visitor(request, slug)
    day = today_in(contest)
    context: dict[str, Any] = {
        "contest": contest,
        "team": team,
        "terms": [(each, left_of(each, team, day) if team else None) for each in terms_of(contest)],
        "given": set(_given_to(team).values_list("pk", flat=True)),
        "page": page_of(request, with_annulments(uploads_seen_by(person_of(request), contest))),
        "of_all": may_watch_sessions(request.user),
        "phases": contest.phases.all() if may_publish_data(request.user) else [],
        "form": UploadForm(contest=contest) if team else None,
        "why_not": why_nothing_now(contest, team) if team else "",
        "now": at(moment_now()),
    }
    waiting = Upload.State.WAITING
    context["is_busy"] = any(each.state == waiting for each in context["page"])
    part = "#sent" if request.htmx else ""
    return render(request, f"contest/uploads.html{part}", context)


@require_POST
@open_to(EVERYBODY)
def send(request: Visit, slug: str) -> HttpResponse:
    contest, _team = _of_visitor(request, slug)
    form = UploadForm(request.POST, request.FILES, contest=contest)
    if not form.is_valid():
        raise Refused(_("Choose the file you want to upload."))
    file = form.cleaned_data["file"]
    sent = Sent(file.name, file.read(), form.cleaned_data["scheme"])
    upload, is_new = send_upload(contest=contest, user=person_of(request), sent=sent)
    if not is_new:
        messages.info(request, _told_before(upload, contest))
    return redirect("contest:uploads", slug=slug)


@require_safe
@open_to(EVERYBODY)
def texts(request: Visit, slug: str, kind: str) -> HttpResponse:
    _contest, team = _of_visitor(request, slug)
    given = _given_to(team).select_related("essay_set")
    found = get_object_or_404(given, phase__contest__slug=slug, phase__kind=kind)
    content = zipped(texts_of(found.essay_set))
    return as_file(HttpResponse(content, content_type="application/zip"), f"{slug}-{kind}.zip")


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
def terms(request: Visit, slug: str, kind: str) -> HttpResponse:
    phases = Phase.objects.select_related("contest")
    phase = get_object_or_404(phases, contest__slug=slug, kind=kind)
    present = UploadTerms.objects.filter(phase=phase).first()
    refuse_no_uploads(phase.contest)
    form = UploadTermsForm(phase, present, *sent_with_files(request))
    if form.is_bound and form.is_valid():
        with told_in(form):
            set_upload_terms(phase=phase, terms=form.terms(), actor=request.user)
            return redirect("contest:uploads", slug=slug)
    context = {"phase": phase, "contest": phase.contest, "present": present, "form": form}
    return render(request, "contest/upload_terms.html", context, status=status_of(form))


@require_safe
@login_not_required
def board(request: HttpRequest, slug: str) -> HttpResponse:
    seen = _boards_seen(request, slug)
    shown = {"contest": seen.contest, "boards": seen.boards}
    return render(request, "contest/upload_board.html", shown)


@require_safe
@login_not_required
def board_json(request: HttpRequest, slug: str) -> HttpResponse:
    told = _boards_seen(request, slug).as_json()
    return json_file(told, named(_("board"), slug, ending="json"))


@require_safe
@login_not_required
def board_csv(request: HttpRequest, slug: str) -> HttpResponse:
    rows = _boards_seen(request, slug).as_table()
    return csv_file(request, rows, named(_("board"), slug, ending="csv"))


def _boards_seen(request: HttpRequest, slug: str) -> BoardsOfUploads:
    """The boards of a contest; 404 for whoever may read none of them."""
    seen = BoardsOfUploads.seen_by(request.user, get_object_or_404(Contest, slug=slug))
    if not seen.boards:
        raise Http404
    return seen


def _told_before(upload: Upload, contest: Contest) -> str:
    words = _("This was sent already on %(moment)s as “%(name)s”: it counts once. %(outcome)s.")
    outcome = str(upload.get_state_display()).capitalize()
    if upload.public is not None:
        outcome += "; " + _("public part: %s") % floatformat(upload.public, 4)
    moment = told_at(upload.sent_at, contest.zone)
    return words % {"moment": moment, "name": upload.name, "outcome": outcome}


def _given_to(team: Team | None) -> QuerySet[UploadTerms]:
    """The terms whose texts a team is given."""
    return finals_of_uploads(team.account) if team else UploadTerms.objects.none()


def _of_visitor(request: Visit, slug: str) -> tuple[Contest, Team | None]:
    """The contest with the visitor's team in it; 404 for whoever has nothing to do with it, and
    where nothing is ever uploaded.
    """
    contest = get_object_or_404(Contest, slug=slug)
    team = team_of(person_of(request), contest)
    is_known = team is not None or may_watch_sessions(request.user)
    if not is_known or not contest.takes_uploads:
        raise Http404
    return contest, team
