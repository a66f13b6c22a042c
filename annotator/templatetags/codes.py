"""What codes are called in the English interface, for pages of every app above."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from django import template
from django.utils.html import format_html

from annotator.pages.palette import english_name

register = template.Library()


class Coded(Protocol):
    """What bears a code and perhaps a subcode."""

    code: str
    subcode: str


@register.simple_tag
def called(coded: Coded | str) -> str:
    """The English name of a code and its subcode behind them; nothing in other languages."""
    code, subcode = (coded, "") if isinstance(coded, str) else (coded.code, coded.subcode)
    return _called(english_name(code, subcode))


@lru_cache(maxsize=512)
def _called(name: str) -> str:
    return format_html(' <span class="called">{}</span>', name) if name else ""
