from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.roles import EVERYBODY, Role, Visit, open_to
from annotator.access import essays_seen_by, markups_seen_by, may_manage_sets
from annotator.core import language
from annotator.core.classifier import classifier_of
from annotator.core.codec import file_to_json
from annotator.core.errors import CannotWriteError
from annotator.core.messages import describe_error
from annotator.core.values import Subject
from annotator.forms import ReturnForm
from annotator.models import MarkupRecord
from annotator.pages.palette import filtered_palette
from annotator.pages.reading import reading
from annotator.queries import (
    LISTED,
    done_by,
    essays_with_markups,
    versions_of_essay,
    work_of,
)
from annotator.services.assignment import hand_back
from annotator.services.drafts import open_draft
from web.declining import refusal_page
from web.files import as_file
from web.paging import page_of

EXPERTS = frozenset({Role.EXPERT})
PARTICIPANTS = frozenset({Role.PARTICIPANT})


@require_GET
@open_to(EXPERTS)
def queue(request: Visit) -> HttpResponse:
    work, done = work_of(request.user), done_by(request.user)
    context = {"work": page_of(request, work), "done": page_of(request, done, "done")}
    return render(request, "annotator/queue.html", context)


@require_GET
@open_to(PARTICIPANTS)
def training(request: Visit) -> HttpResponse:
    essays = essays_with_markups(essays_seen_by(request.user).filter(LISTED), request.user)
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
    context["may_manage"] = may_manage_sets(request.user)
    if found.version > 1 or found.closed_at:
        context["versions"] = versions_of_essay(seen, found)
    return render(request, "annotator/essay.html", context)


@require_POST
@open_to(EXPERTS)
def begin(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(work_of(request.user), pk=pk)
    return redirect("annotator:markup", pk=open_draft(assignment=assignment).pk)


@require_POST
@open_to(EXPERTS)
def give_back(request: Visit, pk: int) -> HttpResponse:
    assignment = get_object_or_404(work_of(request.user), pk=pk)
    form = ReturnForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say why you hand the essay back."))
        return redirect("annotator:queue")
    hand_back(assignment=assignment, actor=request.user, reason=form.cleaned_data["reason"])
    messages.success(request, _("Essay %s is back in the pool.") % assignment.essay.number)
    return redirect("annotator:queue")


@require_GET
@open_to(EVERYBODY)
def markup_json(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    response = JsonResponse(
        file_to_json(record.to_file()), json_dumps_params={"ensure_ascii": False, "indent": 1}
    )
    return as_file(response, record.file_name)


@require_GET
@open_to(EVERYBODY)
def markup_text(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    try:
        text = language.render(language.tidy(record.to_file()).file)
    except CannotWriteError as error:
        return refusal_page(request, describe_error(error, _), 422)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = record.file_name.removesuffix(".json") + ".txt"
    return as_file(response, name)


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
