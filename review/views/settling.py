"""The third expert's desk on the marking screen, and the page of what was decided."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import STAFF, Role, Visit, open_to
from annotator.access import markups_seen_by
from annotator.models import MarkupRecord
from annotator.queries.third_checks import third_markups
from annotator.views.marking import (
    answer,
    answer_of,
    answered,
    draft_of,
    first_error,
    is_behind,
    number_in,
    on_the_page,
    with_head,
)
from review.forms.settling import NeitherForm, ReasonForm, TakeForm
from review.pages.third_desk import decided_in, settled_checks
from review.queries.settling import taken_in
from review.services import rulings
from web.refusals import Refused

EXPERTS = frozenset({Role.EXPERT})


@require_GET
@open_to(EXPERTS)
def taken(request: Visit, pk: int) -> HttpResponse:
    return render(request, "review/settling/taken.html", decided_in(draft_of(request, pk)))


@require_POST
@open_to(EXPERTS)
def take(request: Visit, pk: int) -> HttpResponseBase:
    record = draft_of(request, pk)
    form = TakeForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    count = len(rulings.take(record=record, **form.cleaned_data))
    said = ngettext("Taken: %d fragment", "Taken: %d fragments", count) % count
    replaced = form.cleaned_data["instead_of"] if count else ()
    said = said if count else _("Taken already")

    def parts() -> HttpResponse:
        shown = answer_of(record, before, said=said, opened=number_in(request, "card"))
        response = answered(request, shown)
        if not taken_in(record).keys().isdisjoint(replaced):
            response.write(render_to_string("review/settling/stays.html", request=request))
        return response

    return with_head(request, record, parts)


@require_POST
@open_to(EXPERTS)
def reasons(request: Visit, pk: int) -> HttpResponseBase:
    record = draft_of(request, pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    behind = is_behind(request, record)
    rulings.give_reason(record=record, **form.cleaned_data)
    return _ruled(request, record, behind=behind)


@require_POST
@open_to(EXPERTS)
def neither(request: Visit, pk: int) -> HttpResponseBase:
    record = draft_of(request, pk)
    form = NeitherForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    given = form.cleaned_data
    if given["taken_back"] or taken_in(record).keys().isdisjoint(given["fragments"]):
        behind = is_behind(request, record)
        rulings.take_neither(record=record, **given)
        return _ruled(request, record, behind=behind)
    before = on_the_page(request, record)
    rulings.take_neither(record=record, **given)
    return answer(request, record, before, said=_("Neither is taken"))


@require_GET
@open_to(STAFF | EXPERTS)
def settled(request: Visit, pk: int) -> HttpResponse:
    third = get_object_or_404(markups_seen_by(request.user), pk=pk, pk__in=third_markups())
    context = {
        "record": third,
        "essay": third.essay,
        "checks": settled_checks(third),
        "shows_all": bool(request.GET.get("all")),
    }
    return render(request, "review/settling/settled.html", context)


def _ruled(request: Visit, record: MarkupRecord, *, behind: bool) -> HttpResponseBase:
    if behind:
        return answer(request, record, None, said="")
    return with_head(
        request,
        record,
        lambda: render(request, "review/settling/reason.html", decided_in(record)),
    )
