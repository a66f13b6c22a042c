"""Verification: which sets wait for whom, what a verdict is given of, protocols."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from accounts.roles import MANAGERS, STAFF, Role, Visit, open_to
from annotator.models import EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.access import verdicts_of_role
from review.forms.verdicts import VerdictForm
from review.models import SetProtocol, Verdict
from review.pages.protocols import protocol_page
from review.pages.set_history import events_of
from review.pages.verdicts import (
    asked_of_set,
    graded_lines,
    names_in,
    set_verdicts,
    waiting_first,
)
from review.queries.distribution import (
    checks_by_expert,
    essays_distributed,
    essays_in_conflict,
    grades_by_subject,
    history_of_set,
)
from review.queries.verdicts import essays_not_done, protocols_with_verdicts, sets_to_judge
from review.services.verdicts import approve_set, return_set, seen_of, send_set, verify_set
from web.files import as_file, named
from web.forms import is_number_of_row
from web.paging import page_of
from web.refusals import Refused, about

SPEAKERS: Final = MANAGERS | {Role.JUDGE, Role.COMMISSION}
SHOWN: Final = 20
"""So many essays that are not done yet are named."""

SAYING: Final = {
    Verdict.Kind.VERIFIED: verify_set,
    Verdict.Kind.APPROVED: approve_set,
    Verdict.Kind.RETURNED: return_set,
    Verdict.Kind.SENT: send_set,
}


@require_GET
@open_to(STAFF)
def verification(request: Visit) -> HttpResponse:
    lines = waiting_first(set_verdicts(list(sets_to_judge())), request.user)
    context = {"page": page_of(request, lines), "waiting": sum(own for _line, own in lines)}
    return render(request, "review/verdicts/list.html", context)


@require_GET
@open_to(STAFF)
def verdicts(request: Visit, pk: int) -> HttpResponse:
    essay_set = _set_or_404(pk)
    (shown,) = set_verdicts([essay_set])
    asked = request.GET.get("expert", "")
    expert = int(asked) if is_number_of_row(asked) else None
    thirds = request.GET.get("thirds") == "1"
    essays = page_of(request, essays_distributed(essay_set, expert=expert, thirds=thirds))
    people = checks_by_expert(essay_set)
    experts = page_of(request, people, "experts")
    earlier = protocols_with_verdicts().filter(essay_set=essay_set)
    context = {"shown": shown, "set": essay_set, "experts": experts, "page": essays}
    lines = graded_lines(essays)
    context |= {"lines": lines, "thirds": thirds, "names": names_in(lines, experts)}
    context["met"] = essays_in_conflict(essay_set, (each.expert.pk for each in people))
    names = dict(settings.SUBJECTS)
    grades = grades_by_subject(essay_set)
    context["grades"] = [{**each, "subject": names[each["essay__subject"]]} for each in grades]
    context["chosen"] = User.objects.filter(pk=expert).first() if expert else None
    context["not_done"] = essays_not_done(essay_set)[:SHOWN] if shown.missing else []
    context["earlier"] = page_of(request, earlier, "protocols")
    context["kinds"] = shown.kinds_for(request.user)
    context["seen"] = seen_of(essay_set) if context["kinds"] else ""
    return render(request, "review/verdicts/set.html", context)


@require_http_methods(["GET", "POST"])
@open_to(SPEAKERS)
def say(request: Visit, pk: int) -> HttpResponse:
    essay_set = _set_or_404(pk)
    if request.method == "GET":
        return _question(request, essay_set)
    with about(reverse("review:verdicts", args=[pk])):
        kind = _said(request, essay_set)
    messages.success(request, _("It is written down: the set is %s.") % kind.label)
    return redirect("review:verdicts", pk=pk)


def _said(request: Visit, essay_set: EssaySet) -> Verdict.Kind:
    form = VerdictForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Open the page of the set again and say it there: the form was not whole."))
    kind = Verdict.Kind(form.cleaned_data["kind"])
    if kind not in verdicts_of_role(request.user):
        raise Refused(
            _("Judges verify and the commission approves: this is for the others to say.")
        )
    SAYING[kind](
        essay_set=essay_set,
        actor=request.user,
        seen=form.cleaned_data["seen"],
        reason=form.cleaned_data["reason"].strip(),
    )
    return kind


def _question(request: Visit, essay_set: EssaySet) -> HttpResponse:
    """What is asked before a verdict; ``seen`` is that of the page it was pressed on."""
    (shown,) = set_verdicts([essay_set])
    seen = request.GET.get("seen", "")
    asked = asked_of_set(shown, request.user, request.GET.get("kind", ""), seen)
    if asked is None:  # somebody else was first, or a check is open again: the page says it
        return redirect("review:verdicts", pk=essay_set.pk)
    return render(request, "question.html", {"asked": asked})


@require_GET
@open_to(STAFF)
def history(request: Visit, pk: int) -> HttpResponse:
    essay_set = _set_or_404(pk)
    page = page_of(request, history_of_set(essay_set))
    context = {"set": essay_set, "page": page, "events": events_of(page)}
    return render(request, "review/verdicts/history.html", context)


@require_GET
@open_to(STAFF)
def protocol(request: Visit, pk: int) -> HttpResponse:
    page = protocol_page(_protocol_or_404(pk))
    return render(request, "review/verdicts/protocol.html", {"page": page})


@require_GET
@open_to(STAFF)
def protocol_file(request: Visit, pk: int) -> HttpResponse:
    del request
    found = _protocol_or_404(pk)
    answer = HttpResponse(found.content, content_type="application/json")
    return as_file(
        answer, named(found.essay_set.name, _("protocol"), found.digest[:12], ending="json")
    )


def _set_or_404(pk: int) -> EssaySet:
    return get_object_or_404(EssaySet.objects.filter(CHECKED_SETS).select_related("rules"), pk=pk)


def _protocol_or_404(pk: int) -> SetProtocol:
    found = SetProtocol.objects.select_related("essay_set")
    return get_object_or_404(found.prefetch_related("verdicts__who"), pk=pk)
