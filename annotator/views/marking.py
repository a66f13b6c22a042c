"""The marking screen: its page, and the parts of it that every change renews."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import EVERYBODY, Role, Visit, open_to
from annotator.access import (
    has_queue,
    markups_seen_by,
    may_mark,
    may_read_history,
    own_markup,
)
from annotator.core.values import Fragment
from annotator.forms.fragments import (
    UID,
    ActivityForm,
    ChangeForm,
    FragmentForm,
    LinkForm,
    SameForm,
    errors_of,
    first_error,
)
from annotator.models import FragmentRecord, MarkupRecord
from annotator.pages.cards import stack_of
from annotator.pages.marking import Answer, Toast, marking_page, quick_marks
from annotator.pages.marks import marked_of, why_closed
from annotator.pages.parts import Parts, parts_of
from annotator.pages.renewal import renewal_of
from annotator.queries.markups import fragments_of
from annotator.queries.work import work_of
from annotator.services.activity import count_activity
from annotator.services.drafts import (
    add_fragment,
    change_fragment,
    delete_fragment,
    deleted_by,
    link_fragments,
    mark_all,
    placed,
    row_named,
)
from annotator.services.refusals import MarkupConflict
from web.refusals import Refused

EXPERTS = frozenset({Role.EXPERT})
COPIED: Final = ("code", "subcode", "correction", "comment")
"""What places that are marked alike have in common."""
PAGE: Final = re.compile(r"[0-9a-z:-]{1,80}")
STORED: Final = "X-Stored"
"""Asked for with a change: the head of the answer tells the version it is stored as, at once."""


class MarkName:
    """How an address names a mark: by its number, or by the uid of a page that knows none yet."""

    regex = f"[0-9]{{1,18}}|{UID.pattern}"

    def to_python(self, name: str) -> int | uuid.UUID:
        return int(name) if name.isdecimal() else uuid.UUID(name)

    def to_url(self, name: int | uuid.UUID | str) -> str:
        return str(name)


@require_GET
@open_to(EVERYBODY)
def markup(request: Visit, pk: int) -> HttpResponse:
    record = record_of(request, pk)
    page = marking_page(
        record,
        editable=may_mark(request.user, record),
        is_own=record.author_id == request.user.pk,
        has_history=may_read_history(request.user, record),
    )
    context = {"page": page, "parts": page.parts}
    if record.author_id == request.user.pk and not page.parts.editable:
        context["has_next"] = has_queue(request.user) and work_of(request.user).exists()
    return render(request, "annotator/markup.html", context)


@require_GET
@open_to(EXPERTS)
def parts(request: Visit, pk: int) -> HttpResponse:
    opened = number_in(request, "card")
    shown = answer_of(draft_of(request, pk), None, said="", opened=opened)
    return answered(request, replace(shown, quick=quick_marks(shown.parts)))


@require_POST
@open_to(EXPERTS)
def fragments(request: Visit, pk: int) -> HttpResponseBase:
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


@require_POST
@open_to(EXPERTS)
def same(request: Visit, pk: int) -> HttpResponseBase:
    record = draft_of(request, pk)
    essay = record.essay
    form = SameForm(_like(request, record), text=essay.text, subject=essay.core_subject)
    if not form.is_valid() or form.fragment is None:
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    version, uid = form.cleaned_data["version"], form.cleaned_data["uid"]
    made = mark_all(
        record=record, version=version, uid=uid, fragment=form.fragment, places=form.spans
    )
    said = ngettext("Marked: %(name)s, %(n)d place", "Marked: %(name)s, %(n)d places", made)
    said %= {"name": _named(form.fragment), "n": made}
    if left := len(form.spans) - made:
        said += ". " + ngettext("%d was marked already", "%d were marked already", left) % left
    return answer(request, record, before, said=said)


@require_http_methods(["GET", "POST"])
def fragment(request: Visit, pk: int, number: int | uuid.UUID) -> HttpResponseBase:
    return (_change if request.method == "POST" else _cards)(request, pk, number)


@require_POST
@open_to(EXPERTS)
def drop_fragment(request: Visit, pk: int, number: int | uuid.UUID) -> HttpResponseBase:
    record = draft_of(request, pk)
    form = ChangeForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    dropped = deleted_by(record, form.cleaned_data["uid"])
    if dropped is None:
        row = _row_or_404(record, number)
        dropped = placed(row)
        delete_fragment(record=record, row=row, **form.cleaned_data)
    said = _("Deleted: %s") % _named(dropped.fragment)

    def parts() -> HttpResponse:
        shown = answer_of(record, before, said=said, opened=number_in(request, "card"))
        return answered(request, replace(shown, toast=Toast(dropped)))

    return with_head(request, record, parts)


@require_POST
@open_to(EXPERTS)
def links(request: Visit, pk: int) -> HttpResponseBase:
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
    record = _own_draft(request, pk)
    form = ActivityForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    count_activity(record=record, seconds=form.cleaned_data["seconds"])
    return HttpResponse(status=204)


@open_to(EVERYBODY)
def _cards(request: Visit, pk: int, number: int | uuid.UUID) -> HttpResponse:
    record = record_of(request, pk)
    row = _row_or_404(record, number)
    stack = stack_of(marked_of(record), row.pk, at=number_in(request, "at"))
    if stack is None:
        raise Http404
    editable = may_mark(request.user, record)
    context = {"stack": stack, "editable": editable, "version": record.version}
    return render(request, "annotator/marking/cards.html", context)


@open_to(EXPERTS)
def _change(request: Visit, pk: int, number: int | uuid.UUID) -> HttpResponseBase:
    record = draft_of(request, pk)
    row = _row_or_404(record, number)
    form = _form(request, record, stored=row.to_core())
    if not form.is_valid() or form.fragment is None:
        return _refused_card(request, record, row, form)
    values = form.cleaned_data
    seen = on_the_page(request, record)
    changed = change_fragment(
        record=record,
        version=values["version"],
        row=row,
        fragment=form.fragment,
        uid=values["uid"],
    )
    said = _("Changed: %s") % _named(changed)
    opened = None if values["quiet"] else row.pk

    return answer(request, record, seen, said=said, opened=opened)


def _refused_card(
    request: Visit, record: MarkupRecord, row: FragmentRecord, form: FragmentForm
) -> HttpResponse:
    """The card as it was typed, with what is wrong; nothing else has changed."""
    stack = stack_of(marked_of(record), row.pk, form=form)
    context = {"stack": stack, "editable": True, "errors": errors_of(form)}
    context["version"] = record.version
    return render(request, "annotator/marking/cards.html", context, status=422)


def answer(
    request: Visit,
    record: MarkupRecord,
    before: Parts | None,
    *,
    said: str,
    opened: int | None = None,
) -> HttpResponseBase:
    """The parts of the page that a change renews: of ``before`` only what is not the same.

    A card that is open on the page comes along: it may show what has just changed.
    """
    opened = opened or number_in(request, "card")

    def parts() -> HttpResponse:
        return answered(request, answer_of(record, before, said=said, opened=opened))

    return with_head(request, record, parts)


def with_head(
    request: Visit, record: MarkupRecord, parts: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """The parts of an answer to a change that is stored; who asks for it hears that before they
    are made.
    """
    if STORED not in request.headers:
        return parts()

    def body() -> Iterator[bytes]:
        yield b"\n"  # browsers are told of a head with the first byte
        yield parts().content

    gathers_nothing = {"X-Accel-Buffering": "no"}  # a proxy before us
    saved_at = time_format(localtime(record.saved_at))
    headers = {STORED: str(record.version), "X-Saved-At": saved_at, **gathers_nothing}
    response = StreamingHttpResponse(body(), headers=headers)
    response.sends_ahead = True
    return response


def answer_of(
    record: MarkupRecord, before: Parts | None, *, said: str, opened: int | None
) -> Answer:
    """The same before it is written."""
    after = parts_of(record, editable=True)
    renewal = renewal_of(before, after) if before else None
    stack = stack_of(after, opened) if opened else None
    if stack and stack.crosses:
        named = ", ".join(_named(mark.fragment) for mark in stack.crosses)
        said = _("%(said)s. It crosses %(named)s.") % {"said": said, "named": named}
    quick = quick_marks(after) if record.has_moved_keys else None
    return Answer(after, renewal, said, opened, stack, quick=quick)


def answered(request: Visit, shown: Answer) -> HttpResponse:
    """The parts of an answer as the page takes them."""
    context = {"answer": shown, "parts": shown.parts}
    return render(request, "annotator/marking/answer.html", context)


def on_the_page(request: Visit, record: MarkupRecord) -> Parts | None:
    """What the visitor's page shows; ``None`` where it shows an earlier version."""
    return None if is_behind(request, record) else parts_of(record, editable=True)


def is_behind(request: Visit, record: MarkupRecord) -> bool:
    """Does the visitor's page show an earlier version than there is?"""
    return _version(request) != record.version


def record_of(request: Visit, pk: int) -> MarkupRecord:
    """A markup the visitor may open, with its fragments; whose own it is is asked first."""
    record = own_markup(request.user, pk)
    record = record or get_object_or_404(markups_seen_by(request.user), pk=pk)
    record.known = fragments_of(record)
    return record


def draft_of(request: Visit, pk: int) -> MarkupRecord:
    """The visitor's own markup; a closed one is a conflict, anybody else's is not there.

    Its fragments are read once, and the page that changes it is known.
    """
    record = _own_draft(request, pk)
    record.known = fragments_of(record)
    page = request.POST.get("page", "")
    record.page = page if PAGE.fullmatch(page) else ""
    return record


def _own_draft(request: Visit, pk: int) -> MarkupRecord:
    record = own_markup(request.user, pk)
    if record is None:
        raise Http404
    if not may_mark(request.user, record):
        raise MarkupConflict(why_closed(record))
    return record


def _row_or_404(record: MarkupRecord, name: int | uuid.UUID) -> FragmentRecord:
    row = row_named(record, name)
    if row is None:
        raise Http404
    return row


def _form(request: Visit, record: MarkupRecord, stored: Fragment | None = None) -> FragmentForm:
    subject = record.essay.core_subject
    return FragmentForm(request.POST, text=record.essay.text, subject=subject, stored=stored)


def _like(request: Visit, record: MarkupRecord) -> dict[str, str]:
    """What came along, with the words of the mark that is to be copied, if one is."""
    sent = dict(request.POST.items())
    name = sent.get("like", "")
    if not name:
        return sent
    row = next((row for row in record.rows() if name in (str(row.pk), str(row.uid))), None)
    if row is None:
        raise MarkupConflict(_("This mark was deleted meanwhile."))
    return {**sent, **{field: getattr(row, field) for field in COPIED}}


def _named(row: FragmentRecord | Fragment) -> str:
    return f"{row.code} {row.subcode}".strip()


def _version(request: Visit) -> int:
    """The version the page shows by now; a change may have been made for an earlier one."""
    shown = number_in(request, "shown")
    version = number_in(request, "version") if shown is None else shown
    return -1 if version is None else version


def number_in(request: Visit, name: str) -> int | None:
    """A number that came along by its name."""
    words = request.POST.get(name) or request.GET.get(name, "")
    return int(words) if words.isdecimal() and len(words) < 10 else None
