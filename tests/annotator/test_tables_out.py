"""A markup as CSV and as M2: what is in them, and who gets them."""

from __future__ import annotations

import codecs
import csv
import io

import pytest

from annotator.core.m2 import m2_of
from annotator.core.tables import COLUMNS
from tests.factories import AssignmentFactory, EssayFactory, PersonFactory, submitted
from tests.pages import page_of
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db

TEXT = "=He go home."


@pytest.fixture
def record():
    essay = EssayFactory(text=TEXT, number="0007")
    marks = (
        whole_text("А.лог", comment="-5"),
        fragment(4, 6, "А.грамм", correction="goes", comment="@now", explanation="a; b", tag="т1"),
        fragment(0, 3, "А.лекс", correction='say "He"\nor not'),
    )
    return submitted(essay, *marks, assignment=AssignmentFactory(essay=essay))


@pytest.fixture
def judge(log_in):
    return log_in(PersonFactory(role="judge"))


def test_the_table_has_a_row_a_fragment_and_no_formula(judge, record):
    response = judge.get(f"/markups/{record.pk}/csv/")

    name = f"0007_{record.author.username}.csv"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response.content.startswith(codecs.BOM_UTF8)  # by which Excel knows the encoding
    rows = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"), newline="")))
    assert rows == [
        list(COLUMNS),
        ["0", "3", "'=He", "А.лекс", "", 'say "He"\nor not', "", "", ""],
        ["4", "6", "go", "А.грамм", "", "goes", "'@now", "a; b", "т1"],
        ["", "", "", "А.лог", "", "", "-5", "", ""],
    ]


def test_m2_comes_as_the_core_writes_it(judge, record):
    response = judge.get(f"/markups/{record.pk}/m2/")

    assert response.content.decode() == m2_of(record.to_core())
    assert response["Content-Disposition"].endswith('.m2"')


def test_the_page_offers_every_file_of_a_check(judge, record):
    links = page_of(judge.get(f"/markups/{record.pk}/")).find(".files a")

    own = f"/markups/{record.pk}/"
    assert [link["href"] for link in links][:4] == [
        f"{own}{kind}/" for kind in ("text", "json", "csv", "m2")
    ]


@pytest.mark.parametrize("kind", ["csv", "m2"])
def test_a_stranger_gets_no_file(log_in, record, kind):
    stranger = log_in(PersonFactory(role="expert"))

    assert stranger.get(f"/markups/{record.pk}/{kind}/").status_code == 404
