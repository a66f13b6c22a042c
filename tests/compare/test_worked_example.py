"""The example of docs/comparison.md is what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annotator.core.values import Fragment, Kind, Span
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db

DOCUMENT = (Path(__file__).parents[2] / "docs" / "comparison.md").read_text("utf-8")
TEXT = "Some people think that sport unite people, while others does not agree."
BLOCK = TEXT[:41]


def mark(words, code, correction="", kind=Kind.MISTAKE):
    start = TEXT.index(words)
    span = Span(start, start + len(words))
    return Fragment(span, code, correction=correction, kind=kind)


LEFT = (
    mark(BLOCK, "ПРОБЛЕМА", kind=Kind.BLOCK),
    mark("think", "А.лекс"),
    mark("unite", "А.грамм", "unites"),
    mark("others", "А.грамм"),
    mark("does", "А.грамм", "do"),
)
RIGHT = (
    mark(BLOCK, "ПРОБЛЕМА", kind=Kind.BLOCK),
    mark("think", "А.грамм"),
    mark("sport unite", "А.грамм", "unites"),
)


def test_the_page_of_the_example_is_as_the_document_says(log_in):
    essay = EssayFactory(text=TEXT)
    left, right = submitted(essay, *LEFT), submitted(essay, *RIGHT)

    page = log_in(PersonFactory(role="judge")).get(f"/compare/{left.pk}/{right.pk}/")

    rows = [
        f"{each.one('.no').text}  {each.one('.kind').text}: {each.one('q').text}. "
        f"{each.one('.what').text}"
        for each in page_of(page).find(".difflist li")
    ]
    figures = [
        f"{name} = {formula} = {value}"
        for name, value, formula in zip(
            ("M1", "M2", "M3", "M4", "M5", "M6"),
            texts_of(page, ".bars dd b"),
            texts_of(page, ".bars .help"),
            strict=True,
        )
    ]
    total = f"M  = {texts_of(page, '.strip .total')[0]}"
    gap = texts_of(page, ".gap tbody tr")
    blocks = re.findall(r"^```\n(.*?)^```$", DOCUMENT, flags=re.MULTILINE | re.DOTALL)

    assert [block.splitlines() for block in blocks] == [rows, [*figures, total], gap]
