"""A markup as a file: the exchange format, the markup language, a table, M2."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.roles import EVERYBODY, Visit, open_to
from annotator.access import markups_seen_by
from annotator.core import language
from annotator.core.codec import file_to_json
from annotator.core.errors import CannotWriteError
from annotator.core.m2 import m2_of
from annotator.core.messages import describe_error
from annotator.core.tables import fragment_table
from annotator.models import MarkupRecord
from web.declining import decline
from web.files import as_file, csv_file


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
        page = reverse("annotator:markup", args=[pk])
        said = describe_error(error, _)
        return decline(request, said, code="cannot-write", status=422, page=page)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    return as_file(response, _named(record, "txt"))


@require_GET
@open_to(EVERYBODY)
def markup_csv(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    return csv_file(request, fragment_table(record.to_core()), _named(record, "csv"))


@require_GET
@open_to(EVERYBODY)
def markup_m2(request: Visit, pk: int) -> HttpResponse:
    record = get_object_or_404(markups_seen_by(request.user), pk=pk)
    response = HttpResponse(m2_of(record.to_core()), content_type="text/plain; charset=utf-8")
    return as_file(response, _named(record, "m2"))


def _named(record: MarkupRecord, suffix: str) -> str:
    return f"{record.file_name.removesuffix('.json')}.{suffix}"
