"""The parameters of a contest: in force, proposed, and who agreed to what."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.roles import Role, Visit, open_to
from contest.access import ORGANISING, RUNNING, may_run_contests
from contest.forms import ConsentForm, ParametersForm
from contest.models import Contest
from contest.pages.parameters import asked_of_consent, initial_of, versions_of
from contest.queries.counting import set_with_rules
from contest.queries.parameters import parameters_in_force, parameters_of, proposal_of
from contest.services.parameters import give_consent, propose_parameters, withdraw_parameters
from contest.views.contest_doors import of_contest
from schemes.adapters import SCHEMES
from web.forms import told_in
from web.paging import page_of
from web.refusals import Refused, about

AGREEING = frozenset({Role.JUDGE, Role.COMMISSION})


@require_http_methods(["GET"])
@open_to(RUNNING)
@of_contest
def parameters(request: Visit, contest: Contest) -> HttpResponse:
    return _page(request, contest, _form(contest), 200)


@require_POST
@open_to(ORGANISING)
@of_contest
def propose(request: Visit, contest: Contest) -> HttpResponse:
    form = ParametersForm(request.POST, has_reason=contest.is_announced)
    if form.is_valid():
        with told_in(form):
            made = propose_parameters(contest=contest, wanted=form.wanted(), actor=request.user)
            said = _("Version %d waits for a judge and for the technical commission.")
            is_first = not contest.is_announced
            kept = _("The parameters are kept.") if is_first else said % made.version
            messages.success(request, kept)
            return redirect("contest:parameters", slug=contest.slug)
    return _page(request, contest, form, 422)


@require_http_methods(["GET", "POST"])
@open_to(AGREEING)
@of_contest
def consent(request: Visit, contest: Contest, version: int) -> HttpResponse:
    found = get_object_or_404(parameters_of(contest), version=version)
    if request.method == "GET":
        asked = asked_of_consent(contest, found, request.user, request.GET.get("agrees", ""))
        if asked is None:  # it is decided, or no word of whoever looks
            return redirect("contest:parameters", slug=contest.slug)
        return render(request, "question.html", {"asked": asked})
    form = ConsentForm(request.POST)
    with about(reverse("contest:parameters", args=[contest.slug])):
        if not form.is_valid():
            raise Refused(_("Say whether you agree: open the page of the parameters again."))
        give_consent(parameters=found, **form.cleaned_data, actor=request.user)
    found.refresh_from_db()
    is_in_force = _("Version %d is in force now: everybody is told.")
    kept = is_in_force % version if found.in_force_at else _("Your word is kept.")
    messages.success(request, kept)
    return redirect("contest:parameters", slug=contest.slug)


@require_POST
@open_to(ORGANISING)
@of_contest
def withdraw(request: Visit, contest: Contest, version: int) -> HttpResponse:
    found = get_object_or_404(contest.parameter_sets, version=version)
    with about(reverse("contest:parameters", args=[contest.slug])):
        withdraw_parameters(parameters=found, actor=request.user)
    return redirect("contest:parameters", slug=contest.slug)


def _form(contest: Contest) -> ParametersForm:
    latest = parameters_in_force(contest) or proposal_of(contest)
    return ParametersForm(initial=initial_of(latest), has_reason=contest.is_announced)


def _page(request: Visit, contest: Contest, form: ParametersForm, status: int) -> HttpResponse:
    page = page_of(request, parameters_of(contest))
    context = {
        "contest": contest,
        "page": page,
        "versions": versions_of(page, request.user),
        "form": form,
        "set_of_rules": set_with_rules(contest),
        "scheme": SCHEMES[contest.scheme].title if contest.scheme else "",
        "may_run": may_run_contests(request.user) and not contest.is_final,
        "proposal": proposal_of(contest) if contest.is_announced else None,
    }
    return render(request, "contest/running/parameters.html", context, status=status)
