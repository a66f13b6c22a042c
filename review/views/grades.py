"""What is made of settled essays for paper and for pupils."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.roles import STAFF, Visit, open_to
from annotator.access import essays_seen_by
from annotator.models import EssaySet
from annotator.queries.essays import CHECKED
from review.pages.outcome import shown_outcome
from review.pages.pupil import PupilPage, pupil_page
from review.pages.sheets import graded_in, pupil_files
from review.pages.sheets import pupil_file as as_bytes
from review.queries.grades import grades_for_pupils, voided_grades
from web.files import as_file, named, zipped
from web.refusals import Refused


@require_GET
@open_to(STAFF)
def protocol(request: Visit, pk: int) -> HttpResponse:
    essay = get_object_or_404(essays_seen_by(request.user).filter(CHECKED), pk=pk)
    context = {**shown_outcome(essay, to_staff=True), "voided": voided_grades(essay)}
    return render(request, "review/protocol.html", context)


@require_GET
@open_to(STAFF)
def pupil(request: Visit, pk: int) -> HttpResponse:
    page = _page(request, pk)
    context = {"page": page, "graded": graded_in(page.essay.essay_set)}
    return render(request, "review/pupil/page.html", context)


@require_GET
@open_to(STAFF)
def pupil_file(request: Visit, pk: int) -> HttpResponse:
    page = _page(request, pk)
    return as_file(HttpResponse(as_bytes(page)), page.file_name)


@require_GET
@open_to(STAFF)
def pupils(_request: Visit, pk: int) -> HttpResponseBase:
    essay_set = get_object_or_404(EssaySet, pk=pk)
    if not grades_for_pupils().filter(essay__essay_set=essay_set).exists():
        raise Refused(_("No essay of this set has a final grade."))
    answer = StreamingHttpResponse(zipped(pupil_files(essay_set)), content_type="application/zip")
    return as_file(answer, named(essay_set.name, _("Pupils’ pages").lower(), ending="zip"))


def _page(request: Visit, pk: int) -> PupilPage:
    essay = get_object_or_404(essays_seen_by(request.user), pk=pk)
    grade = grades_for_pupils().filter(essay=essay).first()
    if grade is None:
        raise Refused(_("This essay has no final grade: there is nothing to tell its pupil yet."))
    return pupil_page(grade)
