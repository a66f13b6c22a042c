from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import MANAGERS, Visit, open_to
from annotator.access import imports_seen_by
from annotator.forms.imports import ImportForm
from annotator.models import EssaySet
from annotator.models.imports import EssayImport, ImportedFile
from annotator.queries.imports import (
    REMARKED,
    authors_of,
    essays_like_others,
    files_of,
    files_remarked_on,
    outcomes_of,
    surprising_in,
    third_checks_called_by,
)
from annotator.services.imports.staging import (
    MOST_WAITING,
    Displaced,
    NothingTaken,
    confirm_import,
    drop_preview,
    resume_import,
    stage_import,
    take_in,
)
from annotator.services.imports.staging import leave_out as leave_essays_out
from annotator.services.imports.undoing import UndoneAlready, traces_of, undo_import
from web.forms import sent_in
from web.paging import page_of
from web.refusals import Refused

LATEST: Final = 5
NAMED: Final = 5
"""So many files are named of those a preview was made of."""
State = EssayImport.State
BEGUN: Final = [State.RUNNING, State.BROKEN, State.DONE, State.UNDONE]
ALREADY: Final = {
    State.RUNNING: gettext_lazy("The import is under way already."),
    State.DONE: gettext_lazy("The import is carried out already."),
}
"""What a second press is told, by what the first one began."""
LISTED: Final = [State.PREVIEW, *BEGUN]


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def import_page(request: Visit) -> HttpResponse:
    named = request.GET.get("set", "")[:80].replace("\0", "")
    asked = {"essay_set": EssaySet.objects.filter(name=named).first()}
    form = ImportForm(sent_in(request), initial=asked)
    uploads = [(file.name or "", file) for file in request.FILES.getlist("files")]
    refused: list[ImportedFile] = []
    if form.is_bound and form.is_valid() and uploads:
        try:
            staged = stage_import(uploads=uploads, options=form.options(request.user))
        except NothingTaken as nothing:
            refused = nothing.files
        else:
            _tell_displaced(request, staged.displaced)
            return redirect("annotator:imported", pk=staged.batch.pk)
    latest = imports_seen_by(request.user).filter(state__in=LISTED)[:LATEST]
    context = {"form": form, "lacks_files": form.is_bound and not uploads, "latest": latest}
    context |= {"refused": refused}
    status = 422 if form.is_bound else 200
    return render(request, "annotator/import.html", context, status=status)


def _tell_displaced(request: Visit, displaced: list[Displaced]) -> None:
    """Name the previews that wait no more because of those that came later."""
    sentence = _(
        "At most %(most)d previews wait for your word. The oldest one has expired, nothing of it "
        "was imported: %(files)s, for the set %(set)s."
    )
    for each in displaced:
        files = ", ".join(each.files[:NAMED]) + ("…" if len(each.files) > NAMED else "")
        fields = {"most": MOST_WAITING, "files": files, "set": each.batch.set_name}
        messages.warning(request, sentence % fields)


@require_GET
@open_to(MANAGERS)
def imports(request: Visit) -> HttpResponse:
    listed = imports_seen_by(request.user).filter(state__in=LISTED)
    return render(request, "annotator/imports.html", {"page": page_of(request, listed)})


@require_GET
@open_to(MANAGERS)
def imported(request: Visit, pk: int) -> HttpResponse:
    batch = get_object_or_404(imports_seen_by(request.user), pk=pk)
    chosen = request.GET.get("outcome", "")
    outcome = chosen if chosen == REMARKED or chosen in ImportedFile.Outcome else ""
    page = page_of(request, files_of(batch, outcome))
    context = {"batch": batch, "page": page, "chosen": outcome, "outcomes": outcomes_of(batch)}
    context |= {"authors": authors_of(batch), "surprises": surprising_in(batch).count()}
    context["remarked"] = files_remarked_on(batch).count()
    context["called"] = third_checks_called_by(batch).count() if batch.begun_at else 0
    context["alike"] = essays_like_others(batch) if batch.state == State.PREVIEW else []
    context["is_kept"] = batch.uploads.exists()
    part = "#import" if request.headers.get("HX-Request") else ""
    return render(request, f"annotator/imported.html{part}", context)


@require_POST
@open_to(MANAGERS)
def confirm(request: Visit, pk: int) -> HttpResponse:
    batch = get_object_or_404(imports_seen_by(request.user), pk=pk, actor=request.user)
    return _carried_out(request, batch, confirm_import)


@require_POST
@open_to(MANAGERS)
def leave_out(request: Visit, pk: int) -> HttpResponse:
    batch = get_object_or_404(imports_seen_by(request.user), pk=pk, actor=request.user)
    number = request.POST.get("number", "")
    if "back" in request.POST:
        take_in(batch=batch, number=number, actor=request.user)
    else:
        numbers = [number] if number else essays_like_others(batch)
        leave_essays_out(batch=batch, numbers=numbers, actor=request.user)
    kept = {name: request.POST[name] for name in ("outcome", "page") if request.POST.get(name)}
    return redirect(f"{reverse('annotator:imported', args=[batch.pk])}?{urlencode(kept)}")


@require_POST
@open_to(MANAGERS)
def drop(request: Visit, pk: int) -> HttpResponse:
    batch = get_object_or_404(imports_seen_by(request.user), pk=pk, actor=request.user)
    if drop_preview(batch=batch):
        messages.success(request, _("Nothing was imported; the files are forgotten."))
        return redirect("annotator:import")
    batch.refresh_from_db()
    if batch.state == State.RUNNING:
        messages.error(request, _("It is under way already. Once it has ended, it can be undone."))
    elif batch.state in BEGUN:
        messages.error(request, _("It is carried out already. It can be undone here."))
    return redirect("annotator:imported", pk=batch.pk)


@require_POST
@open_to(MANAGERS)
def go_on(request: Visit, pk: int) -> HttpResponse:
    batch = get_object_or_404(imports_seen_by(request.user), pk=pk, state__in=BEGUN)
    return _carried_out(request, batch, resume_import)


def _carried_out(
    request: Visit, batch: EssayImport, carry_out: Callable[..., EssayImport]
) -> HttpResponse:
    """Import, and say so; who pressed the button twice is shown what the first press began."""
    request.in_parts = True
    try:
        carry_out(batch=batch, actor=request.user)
    except Refused:
        batch.refresh_from_db()
        if batch.state not in ALREADY:
            raise
        messages.info(request, ALREADY[State(batch.state)])
    else:
        messages.success(request, _("The import is carried out."))
    return redirect("annotator:imported", pk=batch.pk)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def undo(request: Visit, pk: int) -> HttpResponse:
    batch = get_object_or_404(imports_seen_by(request.user), pk=pk, state__in=BEGUN)
    if request.method == "GET":
        context = {"batch": batch, "traces": traces_of(batch)}
        return render(request, "annotator/undo_import.html", context)
    try:
        kept = undo_import(batch=batch, actor=request.user)
    except UndoneAlready as told:  # by the first of two presses
        messages.info(request, str(told))
        return redirect("annotator:imports")
    messages.success(request, _("The import is undone."))
    if kept:
        message = _("These accounts are in use by now and stay: %s.")
        messages.info(request, message % ", ".join(kept))
    return redirect("annotator:imports")
