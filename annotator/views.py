from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.roles import EVERYBODY, MANAGERS, Role, Visit, open_to
from annotator.access import essays_seen_by, markups_seen_by
from annotator.core.classifier import classifier_of
from annotator.core.codec import file_to_json
from annotator.core.errors import CannotWriteError
from annotator.core.language import render as write_marked_text
from annotator.core.messages import describe_error
from annotator.core.values import Subject
from annotator.forms import ImportForm, ReturnForm
from annotator.models import EssaySet, MarkupRecord
from annotator.palette import filtered_palette
from annotator.queries import done_by, essays_with_markups, work_of
from annotator.services.archives import read_uploads
from annotator.services.assignment import hand_back
from annotator.services.importing import Options, import_files
from annotator.services.markup import open_draft

EXPERTS = frozenset({Role.EXPERT})
PARTICIPANTS = frozenset({Role.PARTICIPANT})


@require_GET
@open_to(EXPERTS)
def queue(request: Visit) -> HttpResponse:
    context = {"work": work_of(request.user), "done": done_by(request.user)[:50]}
    return render(request, "annotator/queue.html", context)


@require_GET
@open_to(PARTICIPANTS)
def training(request: Visit) -> HttpResponse:
    context = {"essays": essays_with_markups(essays_seen_by(request.user), request.user)}
    return render(request, "annotator/training.html", context)


@require_GET
@open_to(EVERYBODY)
def essay(request: Visit, pk: int) -> HttpResponse:
    found = get_object_or_404(essays_seen_by(request.user), pk=pk)
    markups = markups_seen_by(request.user).filter(essay=found).order_by("-source", "pk")
    shown = {MarkupRecord.State.SUBMITTED, MarkupRecord.State.DRAFT}
    context = {"essay": found, "markups": [each for each in markups if each.state in shown]}
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
    response["Content-Disposition"] = content_disposition_header(True, record.file_name)
    return response


@require_GET
@open_to(EVERYBODY)
def markup_text(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    try:
        text = write_marked_text(record.to_file())
    except CannotWriteError as error:
        return render(request, "refused.html", {"reason": describe_error(error, _)}, status=422)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    name = record.file_name.removesuffix(".json") + ".txt"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response


@require_GET
@open_to(EVERYBODY)
def classifier(request: Visit, subject: str) -> HttpResponse:
    if subject not in dict(settings.SUBJECTS):
        raise Http404
    words = request.GET.get("q", "")
    sections = filtered_palette(classifier_of(Subject(subject)), words)
    context = {"slug": subject, "subject": dict(settings.SUBJECTS)[subject]}
    part = "#classifier" if request.headers.get("HX-Request") else ""
    template = f"annotator/classifier.html{part}"
    return render(request, template, {**context, "words": words, "sections": sections})


@require_http_methods(["GET", "POST"])
@open_to(MANAGERS)
def import_page(request: Visit) -> HttpResponse:
    form = ImportForm(request.POST or None)
    report: list[Any] = []
    if request.method == "POST" and form.is_valid():
        files = read_uploads((file.name or "", file) for file in request.FILES.getlist("files"))
        subject = form.cleaned_data["subject"]
        essay_set: EssaySet = form.cleaned_data["essay_set"]
        options = Options(essay_set, Subject(subject) if subject else None, request.user)
        report = import_files(files, options)
    context = {"form": form, "report": report, "asked": request.method == "POST"}
    return render(request, "annotator/import.html", context)
