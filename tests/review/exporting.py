"""Exports for tests: a set worth exporting, files that are made and read."""

from __future__ import annotations

import csv
import io
import re
from html import unescape
from zipfile import ZipFile

from django.utils.translation import override

from annotator.models import MarkupRecord
from review.models import Export, FinalGrade
from review.services.exporting import FORMS, order_export, path_of
from review.tasks import make_export as make_export_task
from tests.factories import (
    AssignmentFactory,
    submitted,
)

Kind, Form = Export.Kind, Export.Form


def checked(essay, *marks, role="first", **more):
    check = AssignmentFactory(essay=essay, role=role, state="submitted", **more)
    return submitted(essay, *marks, assignment=check)


def final_grade_of(essay, **fields):
    """A final grade of the two checks of an essay, as if it had been settled."""
    first, second = MarkupRecord.objects.filter(essay=essay).order_by("pk")
    fields = {"rule": "nearest-two/criteria", "total": 9, "points": {"K1": 0}, **fields}
    checks = {"first": first, "second": second, "sheets": {}, "counted": ["first", "second"]}
    return FinalGrade.objects.create(essay=essay, round=essay.round, **checks, **fields)


def made(owner, kind, form=None, essay_set=None, language="en"):
    """An export of a person, made by its job."""
    form = form or FORMS[kind][0]
    with override(language):
        export = order_export(owner=owner, kind=kind, form=form, essay_set=essay_set)
    make_export_task(export.job_id)
    export.refresh_from_db()
    assert (export.state, export.job.state, export.job.error) == ("done", "done", "")
    return export


def ordered(owner, essay_set):
    return order_export(owner=owner, kind=Kind.RESULTS, form=Form.CSV, essay_set=essay_set)


def status_of(response):
    response.close()
    return response.status_code


def rows_of(export, separator=","):
    text = path_of(export).read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def cells_of(export):
    """The cells of a workbook, as a spreadsheet reads them: text or number."""
    sheet = ZipFile(path_of(export)).read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    return [unescape(cell) for cell in re.findall("<[tv]>([^<]*)</", sheet)]
