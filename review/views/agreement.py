"""Where experts differ: drawings, the pairs behind a number, a table."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.roles import STAFF, Visit, open_to
from annotator.models import EssaySet
from review.models import AgreementReport, Export
from review.pages.agreement import (
    first_shown,
    pair_lines,
    pairs_asked,
    question_of,
    sets_compared,
    subject_parts,
    words_of,
)
from review.services.agreeing import order_agreement
from review.services.export_tables import kept_agreement
from web.files import csv_file, named
from web.forms import asked_words
from web.paging import page_of


@require_GET
@open_to(STAFF)
def agreement(request: Visit) -> HttpResponse:
    sets = sets_compared()
    wanted = asked_words(request.GET, "set", 80)
    chosen = next((each for each in sets if each.name == wanted), None) or first_shown(sets)
    job = order_agreement(essay_set=chosen) if chosen else None
    report = AgreementReport.objects.filter(essay_set=chosen).defer("pairs").first()
    parts = subject_parts(report, dict(settings.SUBJECTS)) if report else []
    pages = [(part, page_of(request, part.experts, f"experts-{part.subject}")) for part in parts]
    context = {"sets": sets, "chosen": chosen, "report": report, "job": job, "parts": pages}
    part = "#agreement" if request.htmx else ""
    return render(request, f"review/agreement.html{part}", context)


@require_GET
@open_to(STAFF)
def pairs(request: Visit, pk: int) -> HttpResponse:
    essay_set = get_object_or_404(EssaySet, pk=pk)
    report = get_object_or_404(AgreementReport, essay_set=essay_set)
    question = question_of(request.GET)
    asked = pairs_asked(report, question)
    page = page_of(request, asked)
    context = {"report": report, "page": page, "lines": pair_lines(page)}
    context["marks"] = question.marks_in(asked)
    context["asked"] = words_of(question, dict(settings.SUBJECTS))
    return render(request, "review/agreement_pairs.html", context)


@require_GET
@open_to(STAFF)
def agreement_csv(request: Visit, pk: int) -> HttpResponse:
    essay_set = get_object_or_404(EssaySet, pk=pk)
    report = get_object_or_404(AgreementReport, essay_set=essay_set)
    table = kept_agreement(report)
    rows = [table.head, *(row for batch in table.batches for row in batch)]
    name = named(essay_set.name, Export.Kind.AGREEMENT.label, ending="csv")
    return csv_file(request, rows, name)
