"""The rows of the desk, written by functions: a template for each row was a third of its price."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from review.pages.desk_rows import Frame, Row
from web.templatetags.ui import icon

register = template.Library()

THEME: Final = 160
"""So many signs of a theme are shown; the rest is told to whoever points at it."""


@register.simple_tag
def desk_rows(rows: Iterable[Row], *, may_assign: bool) -> SafeString:
    """The rows of a page; whoever may assign has a box to tick before each of them."""
    essay, handed_back = escape(_("Essay")), _("handed back")
    back = f" {_warning('back', handed_back)}"
    html = "".join(
        f"<tr{_late(row)}>{_tick(row, essay) if may_assign else ''}{_essay(row)}"
        f'<td class="w">{"".join(map(_frame, row.frames))}</td>'
        f'<td class="num k">{escape(row.points)}</td>'
        f'<td class="l">{_state(row)}{back if row.is_returned else ""}</td></tr>'
        for row in rows
    )
    return mark_safe(html)  # noqa: S308 - every word is escaped here or by what is called


def _late(row: Row) -> str:
    return ' class="is-late"' if row.look == "late" else ""


def _tick(row: Row, essay: str) -> str:
    return (
        f'<td class="c"><input type="checkbox" data-tick name="essay" value="{row.pk}"'
        f' aria-label="{essay} {escape(row.number)}"></td>'
    )


def _essay(row: Row) -> str:
    return (
        f'<th scope="row" class="e"><a href="{escape(row.address)}">{escape(row.number)}</a>'
        f'<span class="sub">{escape(row.place)}</span>{_theme(row.theme)}</th>'
    )


def _theme(theme: str) -> str:
    if not theme:
        return ""
    shown = escape(Truncator(theme).chars(THEME))
    return f'<span class="sub theme" title="{escape(theme)}">{shown}</span>'


def _frame(frame: Frame) -> str:
    words = f'<span class="vh">, {escape(frame.words)}</span>' if frame.words else ""
    past = f" {_warning('clock', frame.past)}" if frame.past else ""
    return f'<span class="chk {frame.look}">{escape(frame.name)}{words}</span>{past} '


def _state(row: Row) -> str:
    left = escape(row.left)
    if row.look == "free":
        return _warning("third", row.left)
    if row.look == "state":
        return f'<span class="muted">{left}</span>'
    about = f'<span class="sub">{escape(row.about)}</span>' if row.about else ""
    return f"{f'<b>{left}</b>' if row.look == 'late' else left}{about}"


def _warning(drawing: str, words: str) -> str:
    return f'<span class="badge warn">{icon(drawing)}{escape(words)}</span>'
