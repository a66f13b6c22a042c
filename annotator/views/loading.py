"""A check as text: written, loaded from a file, taken as one step once its changes were seen."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.roles import Visit, open_to
from annotator.forms.fragments import first_error
from annotator.forms.loading import SourceForm
from annotator.pages.loading import preview_of, seen, source_of
from annotator.pages.steps import in_words
from annotator.services.loading import Written, load_markup, words_of_file
from annotator.services.refusals import MarkupConflict
from annotator.views.marking import EXPERTS, draft_of
from web.refusals import Refused

TEMPLATE = "annotator/source.html"


@require_http_methods(["GET", "POST"])
@open_to(EXPERTS)
def source(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    if request.method == "GET":
        words, unwritable = source_of(record)
        context = {"words": words, "unwritable": unwritable, "written": Written.TEXT}
        return render(request, TEMPLATE, {"record": record, **context})
    form = SourceForm(request.POST, request.FILES)
    if set(form.errors) - {"file"}:
        raise Refused(first_error(form))
    sent = form.cleaned_data
    try:
        words, written = _written(form)
    except Refused as refused:
        context = {"words": sent["words"], "written": sent["written"], "refused": refused}
        return render(request, TEMPLATE, {"record": record, **context}, status=422)
    is_changed = False
    if _was_seen(sent, words, written):
        try:
            change = load_markup(
                record=record,
                version=sent["version"],
                uid=sent["uid"],
                words=words,
                written=written,
            )
        except MarkupConflict:
            is_changed = True  # what was typed stays, and is compared anew
        else:
            said = _("Taken as one step, which undo takes back: %s")
            messages.success(request, said % in_words(change, record.essay.text))
            return redirect("annotator:markup", pk=record.pk)
    preview = preview_of(record, words, written)
    context = {"record": record, "words": words, "written": written, "preview": preview}
    context["is_changed"] = is_changed
    part = "#found" if request.htmx else ""
    is_refused = preview.changes is None and not request.htmx
    return render(request, TEMPLATE + part, context, status=422 if is_refused else 200)


def _written(form: SourceForm) -> tuple[str, Written]:
    """The words of the file, else those that were typed, and how they are written.

    Raises ``Refused`` for a file of another kind.
    """
    if form.errors:
        raise Refused(first_error(form))
    sent = form.cleaned_data
    if sent["file"]:
        return words_of_file(sent["file"].name, sent["file"].read())
    return sent["words"], Written(sent["written"])


def _was_seen(sent: dict[str, Any], words: str, written: Written) -> bool:
    """Is it to be taken, and did the page show what becomes of just these words?"""
    version = sent["version"]
    return version is not None and sent["seen"] == seen(version, words, written)
