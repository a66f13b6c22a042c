"""Undo and redo on the marking screen; the history of a check that is done."""

from __future__ import annotations

from dataclasses import replace

from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import STAFF, Visit, open_to
from annotator.access import markups_seen_by, may_read_history
from annotator.core.steps import Step
from annotator.forms.fragments import StepForm
from annotator.models import MarkupRecord
from annotator.pages.history import told_of
from annotator.pages.parts import Parts
from annotator.pages.steps import in_words
from annotator.queries.markups import last_fixed, steps_of
from annotator.services.stepping import step
from annotator.views.marking import (
    EXPERTS,
    answer_of,
    answered,
    draft_of,
    first_error,
    number_in,
    on_the_page,
    with_head,
)
from web.paging import page_of
from web.refusals import Refused


@require_GET
@open_to(EXPERTS | STAFF)
def history(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    if not may_read_history(request.user, record):
        raise Http404
    page = page_of(request, steps_of(record))
    told = told_of(record, page, last_fixed(record))
    return render(request, "annotator/history.html", {"record": record, "page": page, "told": told})


@require_POST
@open_to(EXPERTS)
def undo(request: Visit, pk: int) -> HttpResponseBase:
    return _step(request, pk, Step.UNDONE)


@require_POST
@open_to(EXPERTS)
def redo(request: Visit, pk: int) -> HttpResponseBase:
    return _step(request, pk, Step.REDONE)


def _step(request: Visit, pk: int, way: Step) -> HttpResponseBase:
    record = draft_of(request, pk)
    form = StepForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    stepped = step(record=record, way=way, **form.cleaned_data)
    if stepped is None:
        nothing = {
            Step.UNDONE: _("There is nothing to undo."),
            Step.REDONE: _("There is nothing to make again."),
        }
        return _said(request, record, before, nothing[way])
    words = in_words(stepped.change, record.essay.text)
    if stepped.asked:
        text = record.essay.text
        named = {version: in_words(each, text) for version, each in stepped.asked.items()}
        context = {"named": named, "way": way.value}
        return render(request, "annotator/marking/made_elsewhere.html", context)
    said = _("Undone: %s") if way is Step.UNDONE else _("Made again: %s")
    return _said(request, record, before, said % words)


def _said(
    request: Visit, record: MarkupRecord, before: Parts | None, said: str
) -> HttpResponseBase:
    """An answer whose words are in sight, too."""

    def parts() -> HttpResponse:
        shown = answer_of(record, before, said=said, opened=number_in(request, "card"))
        return answered(request, replace(shown, stepped=True))

    return with_head(request, record, parts)
