"""The marking screen: its page, and the parts of it that every change renews."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import EVERYBODY, Role, Visit, open_to
from annotator.access import markups_seen_by, may_mark
from annotator.core.values import Fragment, Markup
from annotator.forms import ActivityForm, FragmentForm, LinkForm
from annotator.models import FragmentRecord, MarkupRecord
from annotator.pages import desk_of, palette_page, stack_of
from annotator.renewal import renewal_of
from annotator.services.activity import count_activity
from annotator.services.markup import (
    add_fragment,
    change_fragment,
    delete_fragment,
    link_fragments,
    submit_markup,
)
from annotator.services.phrases import remember_phrases
from annotator.services.refusals import MarkupConflict, MarkupHasProblems, Refused

EXPERTS = frozenset({Role.EXPERT})


@require_GET
@open_to(EVERYBODY)
def markup(request: Visit, pk: int) -> HttpResponse:
    seen = markups_seen_by(request.user).prefetch_related("fragments")
    record = get_object_or_404(seen, pk=pk)
    context = desk_of(record, editable=may_mark(request.user, record))
    if context["editable"]:
        context |= palette_page(record, context["markup"])
    return render(request, "annotator/markup.html", context)


@require_POST
@open_to(EXPERTS)
def fragments(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    form = _form(request, record)
    if not form.is_valid() or form.fragment is None:
        raise Refused(first_error(form))
    values = form.cleaned_data
    before = on_the_page(request, record)
    row = add_fragment(
        record=record,
        version=values["version"],
        uid=values["uid"],
        fragment=form.fragment,
        origin=values["origin"],
    )
    said = _("Marked: %s") % _named(row)
    return answer(request, record, before, said=said, opened=row.pk)


@require_http_methods(["GET", "POST"])
def fragment(request: Visit, pk: int, number: int) -> HttpResponse:
    return (_change if request.method == "POST" else _cards)(request, pk, number)


@require_POST
@open_to(EXPERTS)
def drop_fragment(request: Visit, pk: int, number: int) -> HttpResponse:
    record = draft_of(request, pk)
    row = get_object_or_404(record.fragments, pk=number)
    dropped, before = row.to_core(), on_the_page(request, record)
    delete_fragment(record=record, version=_version(request), row=row)
    said = _("Deleted: %s") % _named(row)
    shown = {"dropped": dropped, "origin": row.taken_from_id, "uid": uuid.uuid4()}
    return answer(request, record, before, said=said, **shown)


@require_POST
@open_to(EXPERTS)
def links(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    form = LinkForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    tag = link_fragments(record=record, **form.cleaned_data)
    return answer(request, record, before, said=_("Linked by the tag %s") % tag)


@require_POST
@open_to(EXPERTS)
def activity(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    form = ActivityForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    count_activity(record=record, seconds=form.cleaned_data["seconds"])
    return HttpResponse(status=204)


@require_POST
@open_to(EXPERTS)
def submit(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk, author=request.user)
    try:
        submit_markup(record=record, version=_version(request))
    except MarkupHasProblems as refused:
        messages.error(request, str(refused))
        return redirect("annotator:markup", pk=record.pk)
    messages.success(request, _("Essay %s is submitted.") % record.essay.number)
    return redirect("annotator:queue")


@open_to(EVERYBODY)
def _cards(request: Visit, pk: int, number: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    at = request.GET.get("at", "")
    stack = stack_of(record, number, at=int(at) if at.isdecimal() and len(at) < 10 else None)
    if stack is None:
        raise Http404
    context = {"record": record, "stack": stack, "editable": may_mark(request.user, record)}
    return render(request, "annotator/marking/cards.html", context)


@open_to(EXPERTS)
def _change(request: Visit, pk: int, number: int) -> HttpResponse:
    record = draft_of(request, pk)
    row = get_object_or_404(record.fragments, pk=number)
    before = row.to_core()
    form = _form(request, record, stored=before)
    if not form.is_valid() or form.fragment is None:
        return _refused_card(request, record, row, form)
    values = form.cleaned_data
    seen = on_the_page(request, record)
    changed = change_fragment(
        record=record, version=values["version"], row=row, fragment=form.fragment
    )
    remember_phrases(user=request.user, before=before, after=form.fragment)
    said = _("Changed: %s") % _named(changed)
    opened = None if values["quiet"] else row.pk
    return answer(request, record, seen, said=said, opened=opened)


def _refused_card(
    request: Visit, record: MarkupRecord, row: FragmentRecord, form: FragmentForm
) -> HttpResponse:
    """The card as it was typed, with what is wrong; nothing else has changed."""
    stack = stack_of(record, row.pk, form=form)
    context = {"record": record, "stack": stack, "editable": True, "errors": _errors(form)}
    return render(request, "annotator/marking/cards.html", context, status=422)


def answer(
    request: Visit,
    record: MarkupRecord,
    before: Markup | None,
    *,
    said: str,
    opened: int | None = None,
    **shown: Any,
) -> HttpResponse:
    """The parts of the page that a change renews: of ``before`` only what is not the same."""
    record.refresh_from_db(fields=["saved_at"])
    prefetch_related_objects([record], "fragments")  # read once for all parts
    context = {**desk_of(record, editable=True), "said": said, **shown}
    if before is not None:
        context["renewal"] = renewal_of(record, before, context)
    if opened is not None:
        context["stack"] = stack_of(record, opened)
    return render(request, "annotator/marking/answer.html", context)


def on_the_page(request: Visit, record: MarkupRecord) -> Markup | None:
    """The markup the visitor's page shows; ``None`` where it shows an earlier version."""
    return record.to_core() if _version(request) == record.version else None


def draft_of(request: Visit, pk: int) -> MarkupRecord:
    """The visitor's own markup; a closed one is a conflict, anybody else's is not there."""
    record = get_object_or_404(markups_seen_by(request.user), pk=pk, author=request.user)
    if not may_mark(request.user, record):
        raise MarkupConflict(_("This markup is closed: it was submitted or handed back."))
    return record


def _form(request: Visit, record: MarkupRecord, stored: Fragment | None = None) -> FragmentForm:
    subject = record.essay.core_subject
    return FragmentForm(request.POST, text=record.essay.text, subject=subject, stored=stored)


def _errors(form: Any) -> Mapping[str, list[str]]:
    """What is wrong with a form by field, each sentence with the name of its field."""
    names = {name: f"{field.label or name}: " for name, field in form.fields.items()}
    return {
        name: [f"{names.get(name, '')}{error}" for error in errors]
        for name, errors in form.errors.items()
    }


def first_error(form: Any) -> str:
    """The first thing that is wrong with a form, with the name of its field."""
    return next(iter(_errors(form).values()))[0]


def _named(row: FragmentRecord) -> str:
    return f"{row.code} {row.subcode}".strip()


def _version(request: Visit) -> int:
    version = request.POST.get("version", "")
    return int(version) if version.isdecimal() and len(version) < 10 else -1
