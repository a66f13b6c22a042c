"""``{% panels "app:place" essay=essay %}``: what apps above show at this place of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from web.panels import Entry, Section, place_named, sections_for

register = template.Library()


@register.simple_tag(takes_context=True)
def panels(context: Context, name: str, **given: Any) -> SafeString:
    """Every panel of a place, each with what it asked for and the request, nothing of the page."""
    return format_html_join("", "{}", ((each,) for each in _rendered(context, name, given)))


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> list[Section]:
    """The row of whoever sees the page; none on the page of a fault that knows nobody."""
    user = getattr(context.get("request"), "user", None)
    return [] if user is None else sections_for(user)


@register.filter
def is_here(place: Entry | Section, page: str) -> bool:
    """True on the pages an entry or a section stands for."""
    return place.is_here(page)


def _rendered(context: Context, name: str, given: Mapping[str, Any]) -> Iterator[SafeString]:
    request = context["request"]
    of_page = {"request": request, "csrf_token": context.get("csrf_token")}
    for panel in place_named(name).panels:
        shown = panel.shown(request, given)
        if shown is not None:
            found = context.template.engine.get_template(panel.template)  # type: ignore[union-attr]
            yield found.render(context.new({**of_page, **shown}))
