from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.access import may_read_logins
from accounts.roles import EVERYBODY, Role, Visit, open_to
from annotator.access import (
    drafts_counted_for,
    essays_seen_by,
    markups_seen_by,
    may_manage_sets,
    may_read_keys,
    stage_of_set,
)
from annotator.core.classifier import classifier_of
from annotator.core.values import Subject
from annotator.core.visibility import Relation, Sight, stages_showing
from annotator.forms.checks import ReturnForm
from annotator.models import Assignment, MarkupRecord
from annotator.pages.palette import filtered_palette
from annotator.pages.queue import QueuePage
from annotator.pages.reading import reading, tell_apart
from annotator.queries.essays import LISTED, essays_with_markups, versions_of_essay
from annotator.queries.markups import with_counts
from annotator.queries.practice import key_of, practice_essays
from annotator.queries.work import given_to, handed_in_by, work_of
from annotator.services.assignment import hand_back, refuse_gone
from annotator.services.drafts import open_draft
from web.paging import page_of

EXPERTS = frozenset({Role.EXPERT})
PARTICIPANTS = frozenset({Role.PARTICIPANT})


@require_GET
@open_to(EXPERTS)
def queue(request: Visit) -> HttpResponse:
    page = QueuePage(request, request.user)
    context = {"queue": page, "work": page.work}
    context["practice"] = practice_essays(request.user).count()
    context["recallable"] = handed_in_by(request.user.pk)
    return render(request, "annotator/queue.html", context)


@require_POST
@open_to(EXPERTS)
def next_essay(request: Visit) -> HttpResponse:
    first = work_of(request.user).first()
    if first is None:
        messages.info(request, _("Nothing waits: there is no next essay."))
        return redirect("annotator:queue")
    return redirect("annotator:markup", pk=open_draft(assignment=first).pk)


@require_GET
@open_to(PARTICIPANTS)
def training(request: Visit) -> HttpResponse:
    seen = essays_seen_by(request.user).filter(LISTED)
    shown = stage_of_set(stages_showing(Relation.PARTICIPANT, Sight.CHECKS), "essay_set__")
    essays = essays_with_markups(seen, request.user, checks_shown=shown)
    context = {"page": page_of(request, essays)}
    return render(request, "annotator/training.html", context)


@require_GET
@open_to(EVERYBODY)
def essay(request: Visit, pk: int) -> HttpResponse:
    seen = essays_seen_by(request.user)
    found = get_object_or_404(seen, pk=pk)
    shown = [MarkupRecord.State.SUBMITTED, MarkupRecord.State.DRAFT]
    markups = markups_seen_by(request.user).filter(essay=found, state__in=shown)
    listed = page_of(request, markups.order_by("-source", "pk"))
    context = reading(request.user, found, markups, listed, request.GET)
    context["at_work"] = with_counts(drafts_counted_for(request.user).filter(essay=found))
    if may_read_logins(request.user):
        tell_apart([*listed, *context["at_work"]])
    context["may_manage"] = may_manage_sets(request.user)
    if found.essay_set.is_practice and may_read_keys(request.user):
        context |= {"is_key_told": True, "key": key_of(found)}
    if found.version > 1 or found.closed_at:
        context["versions"] = versions_of_essay(seen, found)
    return render(request, "annotator/essay.html", context)


@require_POST
@open_to(EXPERTS)
def begin(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(given_to(request.user), pk=pk)
    refuse_gone(assignment)
    return redirect("annotator:markup", pk=open_draft(assignment=assignment).pk)


@require_POST
@open_to(EXPERTS)
def give_back(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(given_to(request.user), pk=pk)
    form = ReturnForm(request.POST)
    if not form.is_valid():
        messages.error(request, form.fault(_("Say why you hand the essay back.")))
        return redirect("annotator:queue")
    if assignment.state != Assignment.State.RETURNED:  # else by the first of two presses
        refuse_gone(assignment)
        hand_back(assignment=assignment, actor=request.user, reason=form.cleaned_data["reason"])
    messages.success(request, _("Essay %s is back in the pool.") % assignment.essay.number)
    return redirect("annotator:queue")


@require_GET
@open_to(EVERYBODY)
def classifier(request: Visit, subject: str) -> HttpResponse:
    if subject not in dict(settings.SUBJECTS):
        raise Http404
    words = request.GET.get("q", "")
    sections = filtered_palette(classifier_of(Subject(subject)), words)
    context = {"slug": subject, "subject": dict(settings.SUBJECTS)[subject]}
    part = "#classifier" if request.htmx else ""
    template = f"annotator/classifier.html{part}"
    return render(request, template, {**context, "words": words, "sections": sections})
