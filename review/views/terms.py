from __future__ import annotations

from collections.abc import Iterator

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.roles import MANAGERS, Visit, open_to
from annotator.models import Essay
from review.forms.plans import MOST, ExpertsForm, LimitForm, PinForm
from review.models.plans import ExpertConflict, Pin
from review.pages.pins import why_not_pinned
from review.queries.plans import conflicts_of_experts, experts_with_limits
from review.services.expert_terms import (
    LimitChange,
    keep_apart,
    let_meet,
    limit_all,
    pin_check,
    unpin_check,
)
from review.views.back import gone, to_checks
from web.forms import asked_words
from web.paging import page_of
from web.refusals import Refused


@require_GET
@open_to(MANAGERS)
def experts(request: Visit) -> HttpResponse:
    wanted = asked_words(request.GET, "q", 100)
    context = {
        "page": page_of(request, experts_with_limits(wanted)),
        "conflicts": page_of(request, conflicts_of_experts(), "conflicts"),
        "form": ExpertsForm(),
        "q": wanted,
    }
    return render(request, "review/planning/experts.html", context)


@require_POST
@open_to(MANAGERS)
def limits(request: Visit) -> HttpResponse:
    request.nothing_typed = True  # the refusal names whose limit it is
    changed = limit_all(changes=_limits_changed(request.POST), actor=request.user)
    if changed:
        messages.success(request, _("Saved: %s") % ", ".join(map(str, changed)))
    else:
        messages.info(request, _("No limit was changed."))
    return redirect(f"{reverse('review:plan_experts')}?{request.GET.urlencode()}")


def _limits_changed(sent: QueryDict) -> Iterator[LimitChange]:
    """The limits that are others than their page showed; those alone are written."""
    for expert in User.objects.filter(role=User.Role.EXPERT).order_by("full_name", "username"):
        typed, seen = (sent.get(f"{name}-{expert.pk}") for name in ("checks", "was"))
        if typed is None or typed.strip() == seen:
            continue
        form = LimitForm({"checks": typed})
        if not form.is_valid():
            message = _("%(who)s: give a whole number from 0 to %(most)d, or nothing for no limit.")
            raise Refused(message % {"who": expert, "most": MOST})
        yield LimitChange(expert, form.cleaned_data["checks"], seen)


@require_POST
@open_to(MANAGERS)
def conflict(request: Visit) -> HttpResponse:
    form = ExpertsForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Give the logins of two experts."))
    keep_apart(**form.cleaned_data, actor=request.user)
    messages.success(request, _("They will not check one essay."))
    return redirect("review:plan_experts")


@require_POST
@open_to(MANAGERS)
def drop_conflict(request: Visit, pk: int) -> HttpResponse:
    found = ExpertConflict.objects.select_related("one").filter(pk=pk).first()
    if found is None or not let_meet(conflict=found, actor=request.user):
        return gone(request, _("Somebody removed this pair already."))
    messages.success(request, _("They may check one essay again."))
    return redirect("review:plan_experts")


@require_POST
@open_to(MANAGERS)
def pin(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(Essay, pk=pk)
    form = PinForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose an expert."))
    expert = form.cleaned_data["expert"]
    pin_check(essay=essay, expert=expert, actor=request.user)
    cause = why_not_pinned(Pin(essay=essay, expert=expert))
    if cause:
        said = _("Pinned, but plans cannot give it to %(who)s yet: %(cause)s.")
        messages.warning(request, said % {"who": expert, "cause": cause})
    else:
        messages.success(request, _("Pinned: plans keep to it."))
    return to_checks(request, pk)


@require_POST
@open_to(MANAGERS)
def unpin(request: Visit, pk: int) -> HttpResponse:
    found = Pin.objects.select_related("essay").filter(pk=pk).first()
    if found is None or not unpin_check(pin=found, actor=request.user):
        return gone(request, _("Somebody took this pin out already."))
    messages.success(request, _("The pin is out; a check that was given stays."))
    return to_checks(request, found.essay_id)
