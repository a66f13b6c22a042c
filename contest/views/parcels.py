"""Archives of markups: sent by participants, and what became of their files."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import Role, Visit, open_to, person_of
from contest.access import (
    may_exchange,
    may_watch_sessions,
    parcels_of_person,
    parcels_seen_by,
    sets_taking_parcels_of,
)
from contest.forms import ParcelForm
from contest.queries.parcels import files_of
from contest.services.uploads.parcels import send_parcel
from contest.views.sessions import VISITORS
from web.forms import status_of
from web.paging import page_of
from web.refusals import Refused


@require_GET
@open_to(VISITORS)
def parcels(request: Visit) -> HttpResponse:
    return _listed(request, ParcelForm(sets=sets_taking_parcels_of(request.user)))


@require_POST
@open_to(frozenset({Role.PARTICIPANT}))
def send(request: Visit) -> HttpResponse:
    form = ParcelForm(request.POST, request.FILES, sets=sets_taking_parcels_of(request.user))
    if not form.is_valid():
        return _listed(request, form)
    file, essay_set = form.cleaned_data["file"], form.cleaned_data["essay_set"]
    try:
        parcel, _is_new = send_parcel(
            participant=request.user, essay_set=essay_set, name=file.name, stream=file
        )
    except Refused as refusal:
        form.add_error("file", str(refusal))
        return _listed(request, form)
    return redirect("contest:parcel", pk=parcel.pk)


@require_GET
@open_to(VISITORS)
def parcel(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(parcels_of_person(person_of(request)), pk=pk)
    context = {
        "parcel": found,
        "page": page_of(request, files_of(found)),
        "of_all": may_watch_sessions(request.user),
    }
    part = "#parcel" if request.htmx else ""
    return render(request, f"contest/parcel.html{part}", context)


def _listed(request: Visit, form: ParcelForm) -> HttpResponse:
    context = {
        "form": form if form.has_sets else None,
        "sends": may_exchange(request.user),
        "of_all": may_watch_sessions(request.user),
        "page": page_of(request, parcels_seen_by(request.user)),
    }
    return render(request, "contest/parcels.html", context, status=status_of(form))
