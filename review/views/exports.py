"""Files in bulk: ordered, watched, taken."""

from __future__ import annotations

from uuid import UUID

from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.roles import MANAGERS, Role, Visit, open_to
from review.access import exports_seen_by
from review.forms.exports import ExportForm
from review.models import Export
from review.services.exporting import order_export, path_of
from web.files import as_file
from web.forms import sent_in, status_of
from web.paging import page_of
from web.refusals import Refused

TAKERS = MANAGERS | {Role.PARTICIPANT}


@require_http_methods(["GET", "POST"])
@open_to(TAKERS)
def exports(request: Visit) -> HttpResponse:
    form = ExportForm(sent_in(request), user=request.user, initial=request.GET.dict())
    if request.method == "POST" and form.is_valid():
        ordered = order_export(owner=request.user, **form.cleaned_data)
        return redirect("review:export", key=ordered.uuid)
    context = {"form": form, "page": page_of(request, exports_seen_by(request.user))}
    return render(request, "review/exports.html", context, status=status_of(form))


@require_GET
@open_to(TAKERS)
def export(request: Visit, key: UUID) -> HttpResponse:
    found = get_object_or_404(exports_seen_by(request.user), uuid=key)
    part = "#export" if request.headers.get("HX-Request") else ""
    return render(request, f"review/export.html{part}", {"export": found})


@require_GET
@open_to(TAKERS)
def export_file(request: Visit, key: UUID) -> HttpResponseBase:
    found = get_object_or_404(exports_seen_by(request.user), uuid=key)
    if found.state != Export.State.DONE:
        raise Refused(_("There is no file yet, or no more. Look at the export."))
    try:
        file = path_of(found).open("rb")
    except FileNotFoundError:
        raise Refused(_("The file is not on this server. Order it again.")) from None
    return as_file(FileResponse(file), found.file_name)
