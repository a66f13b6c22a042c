from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.queries import known_as, told_apart
from accounts.roles import EVERYBODY, MANAGERS, STAFF, Visit, open_to
from annotator.access import may_import
from annotator.forms.checks import ReturnForm
from annotator.models import Assignment, Essay, EssaySet
from annotator.pages.neighbours import neighbours_of
from annotator.pages.reading import tell_apart
from annotator.queries.essays import CHECKED
from annotator.queries.sets import CHECKED_SETS
from annotator.services.gates import takes_checks
from review.access import may_assign
from review.core.desk import Asked, asked_of
from review.forms.checks import AssignForm
from review.pages.acts import choice_for
from review.pages.asked import in_effect, unknown_words
from review.pages.deadlines import told_of_reopened
from review.pages.desk import DeskPage, desk_lines
from review.pages.desk_rows import desk_rows
from review.pages.history import handed_back
from review.pages.pins import pins_with_causes
from review.pages.sheets import graded_in
from review.pages.verdicts import set_verdicts
from review.queries.essays import essays_with_checks
from review.queries.experts import experts_on_desk
from review.queries.problems import matters_to_solve
from review.queries.settling import earlier_reopened, is_open_because
from review.queries.verdicts import has_standing_verdict
from review.services.assigning import assign_expert, assign_two_experts
from review.services.reopening import reopen_check
from review.views.back import desk_of, kept_list, to_checks
from scoring.queries.waiting import waiting_job_of
from web.paging import page_of
from web.refusals import Refused


@require_GET
@open_to(STAFF)
def desk(request: Visit) -> HttpResponse:
    sets = list(EssaySet.objects.filter(CHECKED_SETS).select_related("rules").order_by("name"))
    unknown = unknown_words(request.GET)
    asked = _known(asked_of(request.GET), sets, unknown)
    page = DeskPage(asked)
    listed = page_of(request, page.rows)
    kept = f"?{urlencode({'list': 'desk', **asked.fields})}"
    experts = told_apart(experts_on_desk())
    rows = desk_rows(listed, kept, listed.start_index() - 1, experts)
    context = {"page": listed, "rows": rows, "desk": page}
    context |= {"asked": asked, "sets": sets, "subjects": settings.SUBJECTS}
    context |= {"experts": experts, "in_effect": in_effect(asked, experts)}
    context["may_import"] = may_import(request.user)
    context |= {"may_assign": may_assign(request.user), "unknown": unknown}
    context["chosen"] = next((each for each in sets if each.name == asked.set_name), None)
    if context["chosen"]:
        (context["verdicts"],) = set_verdicts([context["chosen"]])
        context["graded"] = graded_in(context["chosen"])
    matters = matters_to_solve()
    context |= {"notes": matters.notes, "problems": matters.all}
    return render(request, "review/desk.html", context)


def _known(asked: Asked, sets: Sequence[EssaySet], unknown: Collection[str]) -> Asked:
    """What is asked for, without what there is none of."""
    if asked.set_name not in {each.name for each in sets}:
        asked = replace(asked, set_name="")
    if asked.subject in unknown:
        asked = replace(asked, subject="")
    return replace(asked, expert=None) if str(asked.expert) in unknown else asked


@require_GET
@open_to(STAFF)
def checks(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_with_checks().filter(CHECKED), pk=pk)
    (line,) = desk_lines([essay])
    markups = sorted(essay.markups.all(), key=lambda item: (item.source != "expert", item.pk))
    tell_apart(markups)
    pins = list(essay.pins.select_related("expert").prefetch_related("expert__specialisms"))
    holders = [check.assignment.expert for check in line.checks if check.assignment]
    context = {
        "beside": neighbours_of(request.user, essay, request.GET),
        "to_desk": desk_of(request, essay),
        "line": line,
        "handed_back": handed_back(essay) if line.is_returned else {},
        "kept": kept_list(request),
        "may_assign": may_assign(request.user),
        "takes_checks": takes_checks(essay),
        "essay": essay,
        "experts": choice_for(essay),
        "pins": pins_with_causes(pins),
        "names": known_as([*holders, *(pin.expert for pin in pins)]),
        "markups": page_of(request, markups),
        "decision": essay.third_checks.filter(round=essay.round).first(),
        "waiting": waiting_job_of(essay),
        "stands": has_standing_verdict(essay.essay_set),
        "was_reopened": earlier_reopened(essay),
        "is_decided_anew": line.third_needed is not None and line.gap is None,
    }
    return render(request, "review/checks.html", context)


@require_POST
@open_to(MANAGERS)
def assign(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(Essay, pk=pk)
    if "role" not in request.POST:
        assign_two_experts(essay=essay, actor=request.user)
        messages.success(request, _("Essay %s: the experts are assigned.") % essay.number)
    else:
        form = AssignForm(request.POST)
        if not form.is_valid():
            raise Refused(_("Choose a check and an expert."))
        given = assign_expert(essay=essay, actor=request.user, **form.cleaned_data)
        said = _("Essay %(essay)s, %(check)s: given to %(who)s.")
        about = {"essay": essay.number, "check": given.get_role_display(), "who": given.expert}
        messages.success(request, said % about)
        warn_of_absent(request, given.expert)
    return to_checks(request, essay.pk)


def warn_of_absent(request: Visit, expert: User) -> None:
    if not expert.has_usable_password():
        absent = _("%s has chosen no password yet and cannot begin.")
        messages.warning(request, f"{absent % expert} {_way_in(expert)}")


def _way_in(expert: User) -> str:
    """How somebody without a password comes to have one: by what the page of people offers."""
    if not expert.is_active:
        return _("The account is closed: open it on the page “People”.")
    if not expert.email:
        return _("Add an e-mail address on the page “People”, then send a link there.")
    return _("Send a link on the page “People”.")


@require_POST
@open_to(MANAGERS)
def reopen(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(Assignment, pk=pk)
    form = ReturnForm(request.POST)
    if not form.is_valid():
        raise Refused(form.fault(_("Say why the check is reopened.")))
    reason = form.cleaned_data["reason"]
    try:
        reopen_check(assignment=assignment, actor=request.user, reason=reason)
    except Refused:
        if not is_open_because(assignment, reason):  # by the first of two presses
            raise
        messages.info(request, _("The check is open again already."))
    else:
        warn_of_absent(request, assignment.expert)
        messages.success(request, told_of_reopened(assignment))
    return to_checks(request, assignment.essay_id)


@require_GET
@open_to(EVERYBODY)
def former_admin(request: Visit, rest: str) -> HttpResponse:
    """Decisions on third checks stood under another app in the administration."""
    query = request.GET.urlencode()
    address = f"{reverse('admin:index')}review/{rest}"
    return redirect(f"{address}?{query}" if query else address)
