"""The third expert's desk on the marking screen, and the page of what was decided."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import STAFF, Role, Visit, open_to
from annotator.access import markups_seen_by
from annotator.marking import answer, draft_of, first_error, on_the_page
from annotator.models import MarkupRecord
from annotator.queries import third_markups
from annotator.services.refusals import Refused
from annotator.services.taking import take_fragments
from scoring.forms import ReasonForm, TakeForm
from scoring.services.rulings import give_reason
from scoring.third_desk import settled_checks, taken_in

EXPERTS = frozenset({Role.EXPERT})


@require_GET
@open_to(EXPERTS)
def taken(request: Visit, pk: int) -> HttpResponse:
    return HttpResponse(_taken(request, draft_of(request, pk)))


@require_POST
@open_to(EXPERTS)
def take(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    form = TakeForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    before = on_the_page(request, record)
    count = len(take_fragments(record=record, **form.cleaned_data))
    said = ngettext("Taken: %d fragment", "Taken: %d fragments", count) % count
    response = answer(request, record, before, said=said if count else _("Taken already"))
    response.write(_taken(request, record, swap=True))
    return response


@require_POST
@open_to(EXPERTS)
def reasons(request: Visit, pk: int) -> HttpResponse:
    record = draft_of(request, pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        raise Refused(first_error(form))
    give_reason(record=record, **form.cleaned_data)
    record.refresh_from_db(fields=["saved_at"])
    context = {"record": record, "taken": taken_in(record)}
    return render(request, "scoring/settling/reason.html", context)


@require_GET
@open_to(STAFF | EXPERTS)
def settled(request: Visit, pk: int) -> HttpResponse:
    third = get_object_or_404(markups_seen_by(request.user), pk=pk, pk__in=third_markups())
    context = {"record": third, "essay": third.essay, "checks": settled_checks(third)}
    return render(request, "scoring/settling/settled.html", context)


def _taken(request: Visit, record: MarkupRecord, *, swap: bool = False) -> str:
    context = {"record": record, "taken": taken_in(record), "swap": swap}
    return render_to_string("scoring/settling/taken.html", context, request)
