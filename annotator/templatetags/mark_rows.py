"""The list of marks beside a text, written as the text is: a row by a function, no template each.

A page has as many rows as marks, and every change answers with those that look otherwise.
"""

from __future__ import annotations

from html import escape
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe

from annotator.core.values import Fragment
from annotator.pages.marks import Mark, Marked
from annotator.templatetags.codes import called

SPOKEN: Final = ("correction", "comment", "explanation")

register = template.Library()


@register.simple_tag
def mark_rows(marked: Marked) -> SafeString:
    """The rows of all marks that have a place in the text; the first one is reached by Tab."""
    language = escape(marked.text_language)
    rows = (_row(mark, language, at == 0) for at, mark in enumerate(marked.beside_text))
    return mark_safe("".join(rows))  # noqa: S308 - every word is escaped by _row


@register.simple_tag
def mark_row(mark: Mark, marked: Marked, *, is_first: bool) -> SafeString:
    """The row of one mark."""
    row = _row(mark, escape(marked.text_language), is_first)
    return mark_safe(row)  # noqa: S308 - every word is escaped by _row


def _row(mark: Mark, language: str, is_first: bool) -> str:
    fragment, number = mark.fragment, mark.number
    code, subcode, tag = map(escape, (fragment.code, fragment.subcode, fragment.tag))
    start, end = (fragment.span.start, fragment.span.end) if fragment.span else ("", "")
    tab = "" if is_first else ' tabindex="-1"'
    tagged = f' <span class="tg">{tag}</span>' if tag else ""
    return (
        f'<li class="{mark.tone}" data-mark="{number}" data-code="{code}"'
        f' data-subcode="{subcode}" data-tag="{tag}" data-start="{start}" data-end="{end}"'
        f"{_spoken(fragment)}>"
        f'<button type="button" class="note" data-do="open" data-value="{number}"{tab}>'
        f'{_named(fragment, code)}{tagged} <q lang="{language}">{escape(mark.words)}</q>'
        f"{_said(mark, language)}</button></li>"
    )


@register.simple_tag
def spoken(fragment: Fragment) -> SafeString:
    """What an expert wrote about a fragment, for the card that stands in while none comes."""
    return mark_safe(_spoken(fragment))  # noqa: S308 - every word is escaped by _spoken


def _spoken(fragment: Fragment) -> str:
    words = ((name, getattr(fragment, name)) for name in SPOKEN)
    return "".join(f' data-{name}="{escape(said)}"' for name, said in words if said)


def _named(fragment: Fragment, code: str) -> str:
    """The code and the subcode, and what they are called; the comment where it stands instead."""
    subcode = f" {escape(fragment.subcode)}" if fragment.subcode else ""
    comment = "" if subcode else escape(fragment.comment)
    instead = f' <span class="instead">{comment}</span>' if comment else ""
    return f"<b>{code}</b>{subcode}{called(fragment)}{instead}"


def _said(mark: Mark, language: str) -> str:
    """What should stand there, and what is said of it beside its code."""
    correction, remark = mark.fragment.correction, mark.fragment.subcode and mark.remark
    said = (remark, mark.fragment.explanation)
    fix = f' <span class="fix" lang="{language}">{escape(correction)}</span>' if correction else ""
    return fix + "".join(f' <span class="sub">{escape(each)}</span>' for each in said if each)
