"""Deadlines: what is open and late, other dates, the terms of a set, the calendar, letters."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.db.models.functions import Now
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.queries import told_apart
from accounts.roles import MANAGERS, STAFF, Role, Visit, open_to
from annotator.models import EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.access import may_assign
from review.forms.deadlines import SUGGESTED, DayForm, ExtendForm, LanguageForm, TermsForm
from review.models.deadlines import DEFAULT_ZONE, CalendarDay, LetterTerms, SetTerms
from review.pages.deadlines import only_zone, with_local_deadlines, year_of
from review.pages.extending import answered, filter_of, has_changed, is_otherwise, question_of
from review.queries.deadlines import (
    days_entered_in,
    experts_with_open_checks,
    letters_given_up,
    limits_of,
    refused_addresses,
)
from review.services.calls import made_before, once
from review.services.extending import extend_deadlines
from review.services.terms import (
    choose_language,
    drop_day,
    enter_day,
    save_terms,
    try_address_again,
)
from web.paging import page_of
from web.refusals import Refused

EXPERTS = frozenset({Role.EXPERT})
SHOWN = 20


@require_GET
@open_to(STAFF)
def deadlines(request: Visit) -> HttpResponse:
    asked = filter_of(request.GET)
    page = page_of(request, asked.checks)
    checks = with_local_deadlines(page)
    context = {
        "sets": EssaySet.objects.filter(CHECKED_SETS).order_by("name"),
        "experts": told_apart(experts_with_open_checks()),
        "asked": asked,
        "chosen": asked.essay_set,
        "page": page,
        "checks": checks,
        "zone": only_zone(checks),
        "refused": refused_addresses()[:SHOWN],
        "given_up": letters_given_up().first(),
        "may_assign": may_assign(request.user),
        "default_zone": DEFAULT_ZONE,
        "form": ExtendForm(),
    }
    return render(request, "review/deadlines/list.html", context)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def extend(request: Visit) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    form, asked = ExtendForm(given), filter_of(given)
    if not form.is_valid():
        raise Refused(_first_error(form))
    back = redirect(f"{reverse('review:deadlines')}{asked.query}")
    key = form.client_key if request.method == "POST" else None
    if key and made_before(request.user, key) is not None:
        messages.info(request, _("The deadlines are moved already: nothing is moved twice."))
        return back
    question = question_of(asked, form.cleaned_data, form.extension())
    asks_again = is_otherwise(question, form.cleaned_data)
    changed = request.method == "POST" and has_changed(question, form.cleaned_data)
    if request.method == "GET" or asks_again or changed:
        context = {"asked": asked, "form": form, "question": question, "asks_again": asks_again}
        context |= {"changed": changed, "key": form.cleaned_data["key"] or uuid4()}
        status = HTTPStatus.CONFLICT if changed else HTTPStatus.OK
        return render(request, "review/deadlines/extend.html", context, status=status)
    _move(request, form, answered(question, form.cleaned_data))
    return back


def _move(request: Visit, form: ExtendForm, checks: Sequence[int]) -> None:
    """Once for each question, however often its button was pressed."""

    def moved() -> int:
        reason = form.cleaned_data["reason"]
        extension = form.extension()
        return len(
            extend_deadlines(checks=checks, extension=extension, actor=request.user, reason=reason)
        )

    n, _is_new = once(owner=request.user, client_key=form.client_key, make=moved)
    said = ngettext("%d check has a new deadline.", "%d checks have a new deadline.", n)
    messages.success(request, said % n)


def _first_error(form: ExtendForm) -> str:
    if "checks" in form.errors:
        return _("Choose the checks that get a new deadline.")
    name, errors = next(iter(form.errors.items()))
    sentence = str(errors[0])
    return sentence if name == NON_FIELD_ERRORS else f"{capfirst(form[name].label)}: {sentence}"


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def terms(request: Visit, pk: int) -> HttpResponse:
    essay_set = get_object_or_404(
        EssaySet.objects.select_related("rules").annotate(now=Now()), pk=pk
    )
    known = SetTerms.objects.filter(essay_set=essay_set).first()
    form = TermsForm(
        request.POST or None,
        instance=known,
        essay_set=essay_set,
        now=essay_set.now,  # type: ignore[attr-defined]
        limits=limits_of(essay_set),
        initial={} if known else SUGGESTED,
    )
    if request.method == "POST" and form.is_valid():
        save_terms(terms=form.instance, limits=form.limits(), actor=request.user)
        messages.success(request, _("The terms are kept. Deadlines given before stay as they are."))
        return redirect("review:terms", pk=essay_set.pk)
    context = {"essay_set": essay_set, "form": form, "is_new": known is None}
    return render(request, "review/deadlines/terms.html", context)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def calendar(request: Visit) -> HttpResponse:
    form = DayForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        entered = enter_day(actor=request.user, **form.cleaned_data)
        messages.success(request, _("The day is entered."))
        return redirect(f"{reverse('review:calendar')}?year={entered.day.year}")
    present = timezone.localdate().year
    asked = request.GET.get("year", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) == 4 else present
    number = min(max(number, 2000), 2100)
    year = year_of(number, days_entered_in(number), get_language() or "ru")
    context = {"form": form, "year": year, "years": range(present - 1, present + 3)}
    return render(request, "review/deadlines/calendar.html", context)


@require_POST
@open_to(MANAGERS)
def drop_calendar_day(request: Visit, pk: int) -> HttpResponse:
    day = get_object_or_404(CalendarDay, pk=pk)
    drop_day(day=day, actor=request.user)
    messages.success(request, _("The day is as the country’s calendar has it."))
    return redirect(f"{reverse('review:calendar')}?year={day.day.year}")


@require_POST
@open_to(MANAGERS)
def trust_address(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(LetterTerms.objects.select_related("person"), pk=pk)
    try_address_again(terms=found, actor=request.user)
    messages.success(request, _("The next letter to %s is sent again.") % found.person)
    return redirect("review:deadlines")


@require_POST
@open_to(EXPERTS)
def letters_language(request: Visit) -> HttpResponse:
    form = LanguageForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose a language."))
    choose_language(person=request.user, language=form.cleaned_data["language"])
    name = dict(settings.LANGUAGES)[form.cleaned_data["language"]]
    messages.success(request, _("Language of letters: %s.") % name)
    return redirect("annotator:queue")
