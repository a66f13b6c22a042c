"""Pieces of the pages of this app."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from annotator.models import MarkupRecord
from annotator.queries import third_markup_beside

register = template.Library()


@register.filter
def at(values: Mapping[str, Any], name: str) -> Any:
    """What a mapping holds under a name; nothing where it holds nothing."""
    return values.get(name, "")


@register.simple_tag
def third_beside(record: MarkupRecord) -> MarkupRecord | None:
    """The third check of the essay, once it came."""
    return third_markup_beside(record)
