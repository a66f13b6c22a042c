"""Bring a markup onto the essay's own text when the two differ in white space only.

Experts' files hold double spaces around brackets and stray line breaks (files.md 5); the
essay's text never changes, so the borders move instead.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace

from annotator.core.values import Fragment, Markup, Span


def carry_onto(markup: Markup, text: str) -> Markup | None:
    """The same fragments over ``text``; ``None`` when the words differ.

    Borders are kept between the same code points that are not white space. A fragment of white
    space alone cannot be found again and is refused in the same way.
    """
    if markup.text == text:
        return markup
    ours, theirs = _solid_places(markup.text), _solid_places(text)
    same = [markup.text[at] for at in ours] == [text[at] for at in theirs]
    if not same or markup.text.split() != text.split():
        return None
    moved = [_moved(fragment, ours, theirs) for fragment in markup.fragments]
    if any(fragment is None for fragment in moved):
        return None
    return Markup(text, tuple(fragment for fragment in moved if fragment))


def _solid_places(text: str) -> list[int]:
    return [at for at, sign in enumerate(text) if not sign.isspace()]


def _moved(fragment: Fragment, ours: list[int], theirs: list[int]) -> Fragment | None:
    if fragment.span is None:
        return fragment
    first = bisect_left(ours, fragment.span.start)
    last = bisect_left(ours, fragment.span.end) - 1
    if last < first:
        return None
    return replace(fragment, span=Span(theirs[first], theirs[last] + 1))
