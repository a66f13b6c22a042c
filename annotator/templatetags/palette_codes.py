"""The codes of the palette, written as the text is: by a function, no template each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from annotator.pages.palette import PaletteCode

register = template.Library()


@register.simple_tag
def palette_codes(palette: Mapping[str, Iterable[PaletteCode]]) -> SafeString:
    """The sections of the palette with their codes, and how often each is marked."""
    html = "".join(
        f"<dt>{escape(section)}</dt><dd>{''.join(map(_button, codes))}</dd>"
        for section, codes in palette.items()
    )
    return mark_safe(html)  # noqa: S308 - every word is escaped here and by _button


def _button(code: PaletteCode) -> str:
    written = escape(code.code)
    title = f' title="{escape(code.called)}"' if code.called else ""
    return (
        f'<button type="button" class="code" data-code="{written}"{title}>'
        f"{written}<sup>{code.count or ''}</sup></button>"
    )
