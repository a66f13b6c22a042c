"""Pieces of the pages of this app."""

from __future__ import annotations

from django import template

from annotator.models import MarkupRecord
from annotator.queries.third_checks import third_markup_beside

register = template.Library()


@register.simple_tag
def third_beside(record: MarkupRecord) -> MarkupRecord | None:
    """The third check of the essay, once it came."""
    return third_markup_beside(record)
