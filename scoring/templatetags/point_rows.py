"""The points beside a text, written as the text is: by functions, no template each.

A page has as many of these rows as criteria and marks that cost points, and every change of a
markup renews them.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from annotator.core.values import Fragment
from annotator.templatetags.codes import called
from scoring.pages.figures import Lost, Points

register = template.Library()


@register.simple_tag
def criteria_rows(points: Points) -> SafeString:
    """Each criterion with its points and the most there are."""
    html = "".join(
        f'<li><span class="k">{escape(name)}</span> '
        f'<span class="v">{why.points}<small>/{why.maximum}</small></span></li>'
        for name, why in points.criteria.items()
    )
    return mark_safe(html)  # noqa: S308 - names are escaped, points are numbers


@register.simple_tag
def marks_that_cost(lost: Lost) -> SafeString:
    """The marks that cost points, as buttons that open them."""
    html = "".join(map(_button, lost.fragments))
    return mark_safe(html)  # noqa: S308 - every word is escaped by _button


@register.simple_tag
def own_points(
    points: Points, refused: Container[str], typed: Mapping[str, str] | None
) -> SafeString:
    """A field for each criterion, with the points an expert stated.

    Those that were ``refused`` stay as they were ``typed``.
    """
    own = points.own
    html = "".join(
        _field(escape(name), (typed or {}).get(name, ""), is_refused=True)
        if name in refused
        else _field(escape(name), own.get(name, ""))
        for name in points.criteria
    )
    return mark_safe(html)  # noqa: S308 - every word is escaped here and by _field


def _button(fragment: Fragment) -> str:
    code, subcode = escape(fragment.code), escape(fragment.subcode)
    return (
        f'<button type="button" class="code" data-do="open" data-value="{fragment.id}">'
        f"{code} {subcode}{called(fragment)}</button>"
    )


def _field(name: str, value: str, *, is_refused: bool = False) -> str:
    refused = f' aria-invalid="true" aria-describedby="own-{name}-why"' if is_refused else ""
    return (
        f'<label>{name}<input class="input" id="own-{name}" name="{name}" inputmode="decimal"'
        f' autocomplete="off" size="3" maxlength="40" value="{escape(value)}" {refused}></label>'
    )
