"""A workbook as Excel opens it: widths, a filter, moments that are dates."""

from __future__ import annotations

import re
from datetime import date
from zipfile import ZipFile

import pytest

from annotator.models import Essay
from review.models import Export
from review.services.exporting import path_of
from tests.review.exporting import cells_of, final_grade_of, made

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("exports_folder")]


def test_a_workbook_can_be_read_sorted_and_counted_with_as_it_opens(coordinator, essay_set):
    theme = "What is read in a column " * 4
    Essay.objects.filter(essay_set=essay_set).update(theme=theme)
    final_grade_of(essay_set.essays.get(number="1"), settled_at="2026-11-27T09:00:07Z")

    export = made(coordinator, Export.Kind.RESULTS, Export.Form.XLSX, essay_set)
    sheet = ZipFile(path_of(export)).read("xl/worksheets/sheet1.xml").decode()
    columns = re.findall(r'<col min="(\d+)" max="(\d+)" width="([\d.]+)"', sheet)
    wide = {int(n): float(width) for first, last, width in columns for n in (first, last)}

    assert (wide[1] < wide[2] < 12, 48 < wide[3] < 52) == (True, True)
    assert re.findall(r'<autoFilter ref="A1:\w+3"/>', sheet) != []
    noon = (date(2026, 11, 27) - date(1899, 12, 30)).days + 0.5
    assert [round(float(cell), 4) for cell in cells_of(export) if cell.startswith(f"{noon}")] == [
        round(noon + 7 / 86400, 4)
    ]
