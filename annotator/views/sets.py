"""Essay sets as coordinators lead them: each act is one form, and says which revision was seen."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.queries import trail_of
from accounts.roles import MANAGERS, Visit, open_to
from annotator.forms.rules import RulesForm
from annotator.forms.sets import PublishForm, SetForm, StateForm
from annotator.models import EssaySet, RuleSet
from annotator.pages.set_questions import asked_of_step
from annotator.pages.sets import (
    moment_told,
    publication_told,
    set_lines,
    set_page,
    why_rules_stay,
)
from annotator.queries.sets import scored_by_rules, sets_with_counts
from annotator.services.gates import may_go_by
from annotator.services.set_acts import (
    bring_into,
    delete_set,
    describe_set,
    found_essay_set,
    keep_back,
    publish,
    refuse_unfinished,
    rule_anew,
)
from annotator.services.sets import rules_named
from web.forms import sent_in, status_of
from web.paging import page_of
from web.refusals import Refused, about


@require_GET
@open_to(MANAGERS)
def sets(request: Visit) -> HttpResponse:
    archived = "archived" in request.GET
    page = page_of(request, sets_with_counts(archived=archived))
    context = {"page": page, "lines": set_lines(list(page)), "archived": archived}
    return render(request, "annotator/sets.html", context)


@require_GET
@open_to(MANAGERS)
def essay_set(request: Visit, pk: int) -> HttpResponse:
    shown = set_page(_set_or_404(pk))
    context = {"shown": shown, "set": shown.essay_set, "page": page_of(request, shown.essays)}
    return render(request, "annotator/essay_set.html", context)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def new_set(request: Visit) -> HttpResponse:
    form = SetForm(sent_in(request), initial={"rules": RuleSet.objects.first()})
    if request.method == "POST" and form.is_valid():
        if form.instance.rules_id is None:
            form.instance.rules = rules_named()
        made = found_essay_set(essay_set=form.instance, actor=request.user)
        return redirect("annotator:essay_set", pk=made.pk)
    return render(request, "annotator/set_form.html", {"form": form}, status=status_of(form))


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def describe(request: Visit, pk: int) -> HttpResponse:
    found = _set_or_404(pk)
    form = SetForm(sent_in(request), instance=found, rules_stay=why_rules_stay(found))
    if request.method == "POST" and form.is_valid():
        seen = form.cleaned_data["seen"]
        changed = describe_set(
            essay_set=found, seen=seen, actor=request.user, values=form.described
        )
        _tell(request, changed, _("The set was changed."))
        if _is_unplanned(found):
            told = _("It is no set of finals any more: it will not be published %s.")
            messages.info(request, told % moment_told(found.published_at))
        return redirect("annotator:essay_set", pk=pk)
    context = {"form": form, "set": _set_or_404(pk)}
    return render(request, "annotator/set_form.html", context, status=status_of(form))


def _is_unplanned(before: EssaySet) -> bool:
    """Has a set lost the moment of its publication since it was read?"""
    return bool(before.published_at) and _set_or_404(before.pk).published_at is None


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def change_state(request: Visit, pk: int) -> HttpResponse:
    if request.method == "GET":
        return _asked(request, pk)
    found, form = _set_or_404(pk), StateForm(request.POST)
    if not form.is_valid():
        raise Refused(_("Choose what becomes of the set."))
    changed = bring_into(essay_set=found, actor=request.user, **form.cleaned_data)
    label = EssaySet.State(form.cleaned_data["state"]).label
    _tell(request, changed, _("The set is %s now.") % label)
    return redirect("annotator:essay_set", pk=pk)


def _asked(request: Visit, pk: int) -> HttpResponse:
    shown, state = set_page(_set_or_404(pk)), request.GET.get("state", "")
    asked = asked_of_step(shown, state)
    if asked is None:  # somebody was first, or an old tab asks
        return redirect("annotator:essay_set", pk=pk)
    if state == EssaySet.State.ARCHIVED:
        refuse_unfinished(shown.essay_set)
    return render(request, "question.html", {"asked": asked})


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def publish_set(request: Visit, pk: int) -> HttpResponse:
    found = _set_or_404(pk)
    form = PublishForm(sent_in(request), initial={"at": found.published_at, "seen": found.revision})
    if request.method == "POST" and form.is_valid():
        _tell(request, *_published(request, found, **form.cleaned_data))
        return redirect("annotator:essay_set", pk=pk)
    context = {"form": form, "shown": set_page(found), "set": found}
    return render(request, "annotator/publish_set.html", context, status=status_of(form))


def _published(
    request: Visit, found: EssaySet, *, at: datetime | None, seen: int, never: bool
) -> tuple[bool, str]:
    """Whether anything was changed, and what is told of it."""
    if never:
        told = _("It will not be published then. Another moment may be named at any time.")
        return keep_back(essay_set=found, seen=seen, actor=request.user), told
    done = publish(essay_set=found, at=at, seen=seen, actor=request.user)
    return done, publication_told(at)


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def new_rules(request: Visit, pk: int) -> HttpResponse:
    found = _set_or_404(pk)
    newest = RuleSet.objects.filter(name=found.rules.name).aggregate(last=Max("version"))["last"]
    numbers = {"newest": newest, "seen": found.revision}
    base = RuleSet.objects.get(pk=found.rules_id)
    form = RulesForm(sent_in(request), instance=base, initial=numbers)
    if request.method == "POST" and form.is_valid():
        seen = {name: form.cleaned_data[name] for name in numbers}
        made = rule_anew(essay_set=found, actor=request.user, values=form.said, **seen)
        found.refresh_from_db()
        told = (
            _("The rules of the set are “%s” now.")
            if found.rules_id == made.pk
            else _("The rules “%s” are made; this set keeps those it has.")
        )
        messages.success(request, told % made)
        return redirect("annotator:essay_set", pk=pk)
    context = {"form": form, "set": found, "stay": scored_by_rules(found)}
    context["keeps"] = not may_go_by(found, None)
    return render(request, "annotator/rules_form.html", context, status=status_of(form))


@require_POST
@open_to(MANAGERS)
def drop_set(request: Visit, pk: int) -> HttpResponse:
    found = EssaySet.objects.filter(pk=pk).first()
    if found is None:  # by somebody else, or by the first of two presses
        messages.info(request, _("This set was deleted already."))
    else:
        delete_set(essay_set=found, actor=request.user)
        messages.success(request, _("The set “%s” was deleted.") % found)
    return redirect("annotator:sets")


def _set_or_404(pk: int) -> Any:
    """Raises ``Refused`` for a set that somebody has deleted."""
    found = EssaySet.objects.select_related("rules").filter(pk=pk).first()
    if found is not None:
        return found
    if trail_of(EssaySet(pk=pk)).filter(action="set.deleted").exists():
        with about(reverse("annotator:sets")):
            raise Refused(_("This set was deleted meanwhile."))
    raise Http404


def _tell(request: Visit, changed: bool, done: str) -> None:
    if changed:
        messages.success(request, done)
    else:
        messages.info(request, _("It was so already: nothing was changed."))
