"""Archives of a contest: taken by everybody, ordered and published by organisers."""

from __future__ import annotations

import base64

from django.contrib.auth.decorators import login_not_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.roles import Visit, open_to
from contest.access import ORGANISING, publications_open_to_all
from contest.forms import ArchiveForm
from contest.models import Contest, Publication
from contest.pages.deciding import asked_of_archive
from contest.queries.publishing import archives_of
from contest.services.publishing import order_publication, path_of, why_not_published
from web.files import as_file
from web.refusals import Refused


@require_safe
@login_not_required
def publication(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    found = publications_open_to_all().filter(contest__slug=slug, kind=kind).first()
    if found is None:
        raise Http404
    etag = f'"{found.checksum}"'
    response = get_conditional_response(request, etag=etag) or _file_of(found, f"{slug}-{kind}.zip")
    response["ETag"] = etag
    patch_cache_control(response, public=True, no_cache=True)
    return response


@require_http_methods(["GET", "POST"])
@open_to(ORGANISING)
def archives(request: Visit, slug: str) -> HttpResponse:
    contest = get_object_or_404(Contest, slug=slug)
    form = ArchiveForm(request.POST if request.method == "POST" else request.GET)
    if request.method == "GET" and form.is_valid():
        kind = Publication.Kind(form.cleaned_data["kind"])
        return render(request, "question.html", {"asked": asked_of_archive(contest, kind)})
    if request.method == "POST":
        if not form.is_valid():
            raise Refused(_("Choose which archive is to be published."))
        kind = Publication.Kind(form.cleaned_data["kind"])
        order_publication(contest=contest, kind=kind, actor=request.user)
        return redirect("contest:archives", slug=slug)
    shown = [(each, why_not_published(contest, each.kind)) for each in archives_of(contest)]
    is_busy = any(each.order and each.order.is_under_way for each, _why in shown)
    part = "#archives" if request.htmx else ""
    context = {"contest": contest, "archives": shown, "is_busy": is_busy}
    return render(request, f"contest/archives.html{part}", context)


def _file_of(found: Publication, name: str) -> HttpResponseBase:
    """The bytes, and what they must be by RFC 9530."""
    try:
        response = FileResponse(path_of(found).open("rb"), content_type="application/zip")
    except FileNotFoundError:
        raise Refused(_("The file is not on this server. Tell the organisers.")) from None
    digest = base64.b64encode(bytes.fromhex(found.checksum)).decode()
    response["Repr-Digest"] = f"sha-256=:{digest}:"
    return as_file(response, name)
