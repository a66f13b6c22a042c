"""What stands in a document that everybody reads."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from contest.pages.documents import Document

register = template.Library()


@register.simple_tag
def text_of(document: Document) -> SafeString:
    """The body of a document as HTML."""
    return mark_safe(document.body)  # noqa: S308 - its renderer escapes, and takes no HTML
