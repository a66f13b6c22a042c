"""Deadlines: what is open and late, other dates, the terms of a set, the calendar, letters."""

from __future__ import annotations

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
from review.pages.extending import (
    Question,
    answered,
    filter_of,
    has_changed,
    is_otherwise,
    question_of,
)
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
    Entered,
    choose_language,
    drop_day,
    enter_day,
    save_terms,
    seen_of_terms,
    try_address_again,
)
from review.views.back import gone
from web.forms import sent_in, status_of
from web.paging import page_of
from web.refusals import Conflict, Refused

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
    if request.method == "POST" and not asks_again and not changed:
        try:
            _move(request, form, question)
        except Conflict:  # somebody moved them at this very moment
            question, changed = question_of(asked, form.cleaned_data, form.extension()), True
        else:
            return back
    context = {"asked": asked, "form": form, "question": question, "asks_again": asks_again}
    context |= {"changed": changed, "key": form.cleaned_data["key"] or uuid4()}
    status = HTTPStatus.CONFLICT if changed else HTTPStatus.OK
    return render(request, "review/deadlines/extend.html", context, status=status)


def _move(request: Visit, form: ExtendForm, question: Question) -> None:
    """Once for each question, however often its button was pressed."""
    checks, foretold = answered(question, form.cleaned_data)

    def moved() -> int:
        said = {"extension": form.extension(), "reason": form.cleaned_data["reason"]}
        return len(extend_deadlines(checks=checks, foretold=foretold, actor=request.user, **said))

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
    checked = EssaySet.objects.filter(CHECKED_SETS).select_related("rules")
    essay_set = get_object_or_404(checked.annotate(now=Now()), pk=pk)
    known = SetTerms.objects.filter(essay_set=essay_set).first()
    limits = limits_of(essay_set)
    form = TermsForm(
        sent_in(request),
        instance=known,
        essay_set=essay_set,
        now=essay_set.now,  # type: ignore[attr-defined]
        limits=limits,
        initial={"seen": seen_of_terms(known, limits), **({} if known else SUGGESTED)},
    )
    if request.method == "POST" and form.is_valid():
        _keep_terms(request, form)
        return redirect("review:terms", pk=essay_set.pk)
    context = {"essay_set": essay_set, "form": form, "is_new": known is None}
    return render(request, "review/deadlines/terms.html", context, status=status_of(form))


def _keep_terms(request: Visit, form: TermsForm) -> None:
    said = {"limits": form.limits(), "seen": form.cleaned_data["seen"]}
    if save_terms(terms=form.instance, actor=request.user, **said):
        messages.success(request, _("The terms are kept. Deadlines given before stay as they are."))
    else:
        messages.info(request, _("It was so already: nothing was changed."))


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def calendar(request: Visit) -> HttpResponse:
    form = DayForm(sent_in(request))
    if request.method == "POST" and form.is_valid():
        _tell_of_day(request, enter_day(actor=request.user, **form.cleaned_data))
        return redirect(f"{reverse('review:calendar')}?year={form.cleaned_data['day'].year}")
    present = timezone.localdate().year
    asked = request.GET.get("year", "")
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) == 4 else present
    number = min(max(number, 2000), 2100)
    year = year_of(number, days_entered_in(number), get_language() or "ru")
    context = {"form": form, "year": year, "years": range(present - 1, present + 3)}
    return render(request, "review/deadlines/calendar.html", context, status=status_of(form))


def _tell_of_day(request: Visit, entered: Entered) -> None:
    before = entered.before
    if not entered.is_new:
        messages.info(request, _("It was so already: nothing was changed."))
    elif before is None:
        messages.success(request, _("The day is entered."))
    else:
        was = _("people work") if before.works else _("day off")
        said = f"{was} ({before.note})" if before.note else was
        message = _("The day is entered. Before, coordinators had entered it as: %s.")
        messages.success(request, message % said)


@require_POST
@open_to(MANAGERS)
def drop_calendar_day(request: Visit, pk: int) -> HttpResponse:
    day = CalendarDay.objects.filter(pk=pk).first()
    if day is None or not drop_day(day=day, actor=request.user):
        return gone(request, _("Somebody removed this day already."))
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
