"""The protocol of a phase: what is said of it, its paper, its file."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.roles import Visit, open_to
from contest.access import RUNNING
from contest.forms import PhaseVerdictForm
from contest.models import Contest, Phase, PhaseVerdict
from contest.pages.phase_protocols import PaperOfPhase, PhasePage, asked_of_phase
from contest.queries.phase_contents import phase_of, protocols_of
from contest.services.phase_protocols import say_of_phase
from contest.views.contest_doors import of_contest
from web.files import as_file, named
from web.paging import page_of
from web.refusals import Refused, about


@require_GET
@open_to(RUNNING)
@of_contest
def phase_protocol(request: Visit, contest: Contest, kind: str) -> HttpResponse:
    phase = _phase_or_404(contest, kind)
    page = page_of(request, protocols_of(phase))
    seen = PhasePage.of(phase, request.user)
    context = {"contest": contest, "phase": phase, "page": page, "seen": seen}
    return render(request, "contest/running/phase.html", context)


@require_http_methods(["GET", "POST"])
@open_to(RUNNING)
@of_contest
def say(request: Visit, contest: Contest, kind: str) -> HttpResponse:
    phase = _phase_or_404(contest, kind)
    if request.method == "GET":
        return _question(request, phase)
    form = PhaseVerdictForm(request.POST)
    with about(reverse("contest:phase_protocol", args=[contest.slug, kind])):
        if not form.is_valid():
            raise Refused(_("Open the page of the phase again and say it there."))
        said = form.cleaned_data
        verdict = PhaseVerdict.Kind(said.pop("kind"))
        say_of_phase(phase=phase, kind=verdict, **said, actor=request.user)
    messages.success(request, _("It is written down: %s.") % verdict.label)
    return redirect("contest:phase_protocol", slug=contest.slug, kind=kind)


def _question(request: Visit, phase: Phase) -> HttpResponse:
    """What is asked before a verdict; ``seen`` is that of the page it was pressed on."""
    page = PhasePage.of(phase, request.user)
    seen = request.GET.get("seen", "")
    asked = asked_of_phase(page, phase, request.GET.get("kind", ""), seen)
    if asked is None:  # somebody else was first, or the results changed: the page says it
        return redirect("contest:phase_protocol", slug=phase.contest.slug, kind=phase.kind)
    return render(request, "question.html", {"asked": asked})


@require_GET
@open_to(RUNNING)
@of_contest
def paper(request: Visit, contest: Contest, kind: str, pk: int) -> HttpResponse:
    found = get_object_or_404(protocols_of(_phase_or_404(contest, kind)), pk=pk)
    context = {"contest": contest, "page": PaperOfPhase(found), "kind": kind}
    return render(request, "contest/running/paper.html", context)


@require_GET
@open_to(RUNNING)
@of_contest
def protocol_file(request: Visit, contest: Contest, kind: str, pk: int) -> HttpResponse:
    del request
    found = get_object_or_404(protocols_of(_phase_or_404(contest, kind)), pk=pk)
    answer = HttpResponse(found.content, content_type="application/json")
    return as_file(
        answer, named(contest.slug, kind, _("protocol"), found.digest[:12], ending="json")
    )


def _phase_or_404(contest: Contest, kind: str) -> Phase:
    found = phase_of(contest, kind)
    if found is None:
        raise Http404
    return found
