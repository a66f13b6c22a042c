"""The marking screen: its page, and the parts of it that every change renews."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import EVERYBODY, Role, Visit, open_to
from annotator.access import markups_seen_by, may_mark
from annotator.core.values import Fragment
from annotator.forms import SAID_IN_FULL, ActivityForm, ChangeForm, FragmentForm, LinkForm
from annotator.models import FragmentRecord, MarkupRecord
from annotator.pages.cards import stack_of
from annotator.pages.marking import Answer, Toast, marking_page
from annotator.pages.marks import marked_of, why_closed
from annotator.pages.parts import Parts, parts_of
from annotator.pages.renewal import renewal_of
from annotator.services.activity import count_activity
from annotator.services.drafts import (
    add_fragment,
    change_fragment,
    delete_fragment,
    deleted_by,
    link_fragments,
    placed,
)
from annotator.services.markup import submit_markup
from annotator.services.phrases import remember_phrases
from annotator.services.refusals import MarkupConflict, MarkupHasProblems
from web.refusals import Refused

EXPERTS = frozenset({Role.EXPERT})


@require_GET
@open_to(EVERYBODY)
def markup(request: Visit, pk: int) -> HttpResponse:
    seen = markups_seen_by(request.user).prefetch_related("fragments")
    record = get_object_or_404(seen, pk=pk)
    page = marking_page(record, editable=may_mark(request.user, record))
    return render(request, "annotator/markup.html", {"page": page, "parts": page.parts})


@require_GET
@open_to(EXPERTS)
def parts(request: Visit, pk: int) -> HttpResponse:
    return answer(request, draft_of(request, pk), None, said="")


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
    form = ChangeForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    dropped = deleted_by(record, form.cleaned_data["uid"])
    if dropped is None:
        row = get_object_or_404(record.fragments, pk=number)
        dropped = placed(row)
        delete_fragment(record=record, row=row, **form.cleaned_data)
    said = _("Deleted: %s") % _named(dropped.fragment)
    shown = _answer(record, before, said=said, opened=_number(request, "card"))
    return _answered(request, replace(shown, toast=Toast(dropped)))


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
    form = ChangeForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    try:
        submit_markup(record=record, version=form.cleaned_data["version"])
    except MarkupHasProblems as refused:
        messages.error(request, str(refused))
        return redirect(reverse("annotator:markup", args=[record.pk]) + "#checklist")
    except MarkupConflict:
        if not may_mark(request.user, record):
            raise
        said = _("The check was changed in another tab. See it, then submit it.")
        messages.error(request, said)
        return redirect("annotator:markup", pk=record.pk)
    messages.success(request, _("Essay %s is submitted.") % record.essay.number)
    return redirect("annotator:queue")


@open_to(EVERYBODY)
def _cards(request: Visit, pk: int, number: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    stack = stack_of(marked_of(record), number, at=_number(request, "at"))
    if stack is None:
        raise Http404
    context = {"stack": stack, "editable": may_mark(request.user, record)}
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
    with transaction.atomic():
        changed = change_fragment(
            record=record,
            version=values["version"],
            row=row,
            fragment=form.fragment,
            uid=values["uid"],
        )
        remember_phrases(user=request.user, before=before, after=form.fragment)
    said = _("Changed: %s") % _named(changed)
    opened = None if values["quiet"] else row.pk
    return answer(request, record, seen, said=said, opened=opened)


def _refused_card(
    request: Visit, record: MarkupRecord, row: FragmentRecord, form: FragmentForm
) -> HttpResponse:
    """The card as it was typed, with what is wrong; nothing else has changed."""
    stack = stack_of(marked_of(record), row.pk, form=form)
    context = {"stack": stack, "editable": True, "errors": _errors(form)}
    return render(request, "annotator/marking/cards.html", context, status=422)


def answer(
    request: Visit,
    record: MarkupRecord,
    before: Parts | None,
    *,
    said: str,
    opened: int | None = None,
) -> HttpResponse:
    """The parts of the page that a change renews: of ``before`` only what is not the same.

    A card that is open on the page comes along: it may show what has just changed.
    """
    shown = _answer(record, before, said=said, opened=opened or _number(request, "card"))
    return _answered(request, shown)


def _answer(record: MarkupRecord, before: Parts | None, *, said: str, opened: int | None) -> Answer:
    record.refresh_from_db(fields=["saved_at"])
    after = parts_of(record, editable=True)
    renewal = renewal_of(before, after) if before else None
    stack = stack_of(after, opened) if opened else None
    return Answer(after, renewal, said, opened, stack)


def _answered(request: Visit, shown: Answer) -> HttpResponse:
    context = {"answer": shown, "parts": shown.parts}
    return render(request, "annotator/marking/answer.html", context)


def on_the_page(request: Visit, record: MarkupRecord) -> Parts | None:
    """What the visitor's page shows; ``None`` where it shows an earlier version."""
    return parts_of(record, editable=True) if _version(request) == record.version else None


def draft_of(request: Visit, pk: int) -> MarkupRecord:
    """The visitor's own markup; a closed one is a conflict, anybody else's is not there."""
    record = get_object_or_404(markups_seen_by(request.user), pk=pk, author=request.user)
    if not may_mark(request.user, record):
        raise MarkupConflict(why_closed(record))
    return record


def _form(request: Visit, record: MarkupRecord, stored: Fragment | None = None) -> FragmentForm:
    subject = record.essay.core_subject
    return FragmentForm(request.POST, text=record.essay.text, subject=subject, stored=stored)


def _errors(form: Any) -> Mapping[str, list[str]]:
    """What is wrong with a form by field, each sentence with the name of its field."""
    names = {name: f"{field.label or name}: " for name, field in form.fields.items()}
    return {
        name: [
            f"{'' if error.code == SAID_IN_FULL else names.get(name, '')}{sentence}"
            for error in errors
            for sentence in error.messages
        ]
        for name, errors in form.errors.as_data().items()
    }


def first_error(form: Any) -> str:
    """The first thing that is wrong with a form, with the name of its field."""
    return next(iter(_errors(form).values()))[0]


def _named(row: FragmentRecord | Fragment) -> str:
    return f"{row.code} {row.subcode}".strip()


def _version(request: Visit) -> int:
    version = _number(request, "version")
    return -1 if version is None else version


def _number(request: Visit, name: str) -> int | None:
    words = request.POST.get(name) or request.GET.get(name, "")
    return int(words) if words.isdecimal() and len(words) < 10 else None
