"""Pieces of the pages of the schemes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django import template
from django.core.paginator import Page
from django.template.context import Context
from django.utils.formats import number_format

from schemes.adapters.scheme import Column, Scheme
from schemes.adapters.tables import Row, value_of
from schemes.adapters.words import Said, in_language
from web import paging

register = template.Library()

PLACES: Final = 3
"""Of a number in a table; files have all of them."""

SCRIPTS: Final = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
)
"""Languages by the letters nobody else has, the most telling first."""


@register.filter
def told(sentence: Said) -> str:
    """A kept sentence in the reader's language."""
    return in_language(sentence)


@register.filter
def language_of(text: object) -> str:
    """The language of a piece of content, for its font and its line breaks; else empty."""
    return next((code for code, letters in SCRIPTS if letters.search(str(text))), "")


@register.simple_tag(takes_context=True)
def page_of(context: Context, rows: Sequence[Any], name: str) -> Page:
    """The page of a long table of figures that the address asks for by ``name``."""
    return paging.page_of(context["request"], rows, name)


@register.simple_tag
def cell(row: Row, column: Column) -> Any:
    """What stands in a cell of a run's table; numbers in the reader's notation."""
    value = value_of(row, column)
    return number_format(round(value, PLACES)) if isinstance(value, float) else value


@register.simple_tag
def verdict(scheme: Scheme, row: Row) -> Any:
    """The words of an item's verdict."""
    return scheme.verdicts.get(row.verdict, row.verdict)


@register.filter
def as_written(value: object) -> str:
    """A value of a rule as its language writes it: True and False, numbers, texts in quotes."""
    return repr(value) if isinstance(value, bool) or not isinstance(value, str) else f"“{value}”"


@register.filter
def scaled(value: float | None, whole: float = 1) -> int:
    """A share as whole thousandths, for the width of a bar; 0 for what is not known."""
    if value is None or not whole:
        return 0
    return round(1000 * max(0, min(1, value / whole)))
