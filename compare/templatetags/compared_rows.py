"""The rows between two markups, written as the text is: by functions, no template each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from annotator.pages.marks import Mark
from annotator.templatetags.codes import called
from compare.core.rows import State, Total
from compare.pages.comparison import ComparisonPage, ShownRow, Switch
from web.templatetags.ui import UNKNOWN, icon

register = template.Library()

NO_BREAK: Final = "\u00a0"
GLUED: Final = re.compile(r"(?<=[=+]) | (?=[\d=—])")
"""Blanks of a sum at which no line ends: a value stays with its name, a name with its sign."""


@register.simple_tag
def knots(page: ComparisonPage) -> SafeString:
    """The knots of the wires between the texts, and above them of the whole text."""
    return _joined(_knot(each) for each in page.shown)


@register.simple_tag
def rows_of(page: ComparisonPage) -> SafeString:
    """The list of pairs and differences, as far as the filter lets."""
    language = escape(page.text_language)
    sides = _side("a", _("L"), _("Left:")), _side("b", _("R"), _("Right:"))
    return _joined(_row(each, language, sides) for each in page.shown)


@register.simple_tag
def rows_of_codes(page: ComparisonPage) -> SafeString:
    """The table of codes: each switches the filter, and what became of its fragments."""
    return _joined(
        _code(each, each.total, number)
        for number, each in enumerate(page.codes, 1)
        if each.total is not None
    )


def _joined(pieces: Iterator[str]) -> SafeString:
    return mark_safe("".join(pieces))  # noqa: S308 - every word is escaped by who writes a piece


def _knot(row: ShownRow) -> str:
    number = "" if row.row.state is State.SAME else row.number
    return (
        f'<button type="button" tabindex="-1" class="knot {row.state}" data-row="{row.number}">'
        f"{number}{icon(row.icon)}</button>"
    )


def _code(switch: Switch, total: Total, number: int) -> str:
    query = escape(switch.query)
    current = ' aria-current="true"' if switch.is_on else ""
    counts = (total.same, total.recoded, total.only_left, total.only_right)
    cells = "".join(f'<td class="num">{count}</td>' for count in counts)
    return (
        f'<tr><th scope="row"><a class="filter" href="{query}" hx-get="{query}"'
        f' hx-target="#view" hx-replace-url="true" id="code-{number}"{current}>'
        f"{escape(total.code) or UNKNOWN}</a></th>{cells}</tr>"
    )


def _row(row: ShownRow, language: str, sides: tuple[str, str]) -> str:
    number = row.number
    left = f' data-left="{row.left.number}"' if row.left else ""
    right = f' data-right="{row.right.number}"' if row.right else ""
    words = _("Whole text") if row.has_whole_text else row.words
    return (
        f'<li class="st-{row.state}{" block" if row.is_block else ""}" id="row-{number}">'
        f'<a class="diff" {left} {right} data-row="{number}" href="#row-{number}">'
        f' <span class="glyph t-{row.state}">{icon(row.icon)}</span>'
        f'<span class="vh kind">{escape(str(row.name))}</span>'
        f' <q lang="{language}">{escape(words)}</q><span class="no">{number}</span>'
        f' <span class="what">{" ≠ ".join(_said(row, language))}{_why(row)}'
        f"{_notes(row, *sides)}</span></a></li>"
    )


def _said(row: ShownRow, language: str) -> Iterator[str]:
    """The code of each side that is named, with what should stand there."""
    for each in row.said:
        code = f"{escape(each.code)} {escape(each.subcode)}{called(each)}"
        fix = f' → <span class="serif" lang="{language}">{escape(each.correction)}</span>'
        yield code + (fix if each.correction else "")


def _why(row: ShownRow) -> str:
    """The loss, or why there is no pair; of what is the same there is nothing to say."""
    if row.row.state is State.SAME:
        return ""
    return f'<span class="sub">{escape(GLUED.sub(NO_BREAK, row.sentence))}</span>'


def _notes(row: ShownRow, a: str, b: str) -> str:
    """What either side wrote of its fragment; what both wrote alike is told once."""
    left, right = (_written(mark) for mark in (row.left, row.right))
    if not any((*left, *right)):
        return ""
    sides = [(f"{a} {b}", left)] if left == right else [(a, left), (b, right)]
    notes = "".join(_note(side, said) for side, said in sides if any(said))
    return f' <span class="notes"><span class="in">{notes}</span></span>'


def _written(mark: Mark | None) -> tuple[str, str]:
    return (mark.fragment.comment, mark.fragment.explanation) if mark else ("", "")


def _side(side: str, letter: str, word: str) -> str:
    """Whose words follow: a letter to see, a word to hear."""
    seen = f'<span class="side-{side}" aria-hidden="true">{escape(letter)}</span>'
    return f'{seen}<span class="vh"> {escape(word)}</span>'


def _note(side: str, said: tuple[str, str]) -> str:
    words = " · ".join(escape(each) for each in said if each)
    return f'<span class="wrote">{side} {words}</span>'
