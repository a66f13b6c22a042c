"""tidy(): what the bracket language has no place for at the edges is left out, and told.

Real files end header fields with line breaks and wide blanks, and mark a blank along with a
word. White space beside a sign is none of the text's (Appendix 3, 1.3), so such a file is
written without it; what cannot be written otherwise is still refused by ``render``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from annotator.core.language.bracket_values import bracket_around
from annotator.core.language.signs import ELEMENTS
from annotator.core.language.writer import TITLES
from annotator.core.problems import Problem
from annotator.core.values import Fragment, MarkedFile, Markup, Meta, Span, normalise

WORDED: Final = tuple(name for name in TITLES if name not in ("subject", "year"))
"""Fields of the header that hold words."""

TRIMMED: Final = ("code", "subcode", *ELEMENTS.values())
BREAK: Final = re.compile(r"[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class Tidied:
    """A file ready to be written, and what was left out of it; none of the problems blocks."""

    file: MarkedFile
    problems: tuple[Problem, ...]


def tidy(file: MarkedFile) -> Tidied:
    """Leave outer white space out of header fields, essay, fragments and their elements.

    Line breaks within a header field stay where a bracket can hold them and become blanks where
    none can. A fragment of white space alone stays as it is. Never raises.
    """
    found: list[Problem] = []
    meta = _tidy_meta(file.meta, found)
    markup = file.markup
    fragments = [
        _tidy_fragment(fragment, number, markup, found)
        for number, fragment in enumerate(markup.fragments, 1)
    ]
    markup = _without_outer_space(replace(markup, fragments=tuple(fragments)), found)
    return Tidied(replace(file, meta=meta, markup=markup), tuple(found))


def _tidy_meta(meta: Meta, found: list[Problem]) -> Meta:
    tidied: dict[str, Any] = {}
    for attribute in WORDED:
        fields = {"name": TITLES[attribute]}
        value = normalise(getattr(meta, attribute))
        kept = value.strip()
        if kept != value:
            found.append(Problem("field-trimmed", blocks=False, fields=fields))
        if "\n" in kept and bracket_around(kept) is None:
            kept = BREAK.sub(" ", kept)
            found.append(Problem("field-folded", blocks=False, fields=fields))
        tidied[attribute] = kept
    return replace(meta, **tidied)


def _tidy_fragment(
    fragment: Fragment, number: int, markup: Markup, found: list[Problem]
) -> Fragment:
    span = _trimmed(fragment.span, markup.text) if fragment.span else None
    if span and span != fragment.span:
        fields = {"start": span.start, "end": span.end}
        found.append(Problem("fragment-trimmed", fragment=number, blocks=False, fields=fields))
    tidied: dict[str, Any] = {}
    for element in TRIMMED:
        value = normalise(getattr(fragment, element))
        tidied[element] = value.strip()
        if tidied[element] != value:
            words = {"element": element}
            found.append(Problem("element-trimmed", fragment=number, blocks=False, fields=words))
    return replace(fragment, span=span, **tidied)


def _trimmed(span: Span, text: str) -> Span:
    """The span without outer white space; one of white space alone is left as it is."""
    covered = text[span.start : span.end]
    start = span.start + len(covered) - len(covered.lstrip())
    end = span.start + len(covered.rstrip())
    return Span(start, end) if start < end else span


def _without_outer_space(markup: Markup, found: list[Problem]) -> Markup:
    """The same with the essay stripped; positions are counted from the stripped text (1.4)."""
    text = markup.text.strip()
    before = len(markup.text) - len(markup.text.lstrip())
    spans = [fragment.span for fragment in markup.fragments if fragment.span]
    fits = all(before <= span.start and span.end <= before + len(text) for span in spans)
    if text == markup.text or not fits:
        return markup
    found.append(Problem("text-trimmed", path="text", blocks=False))
    moved = (
        replace(each, span=Span(each.span.start - before, each.span.end - before))
        if each.span
        else each
        for each in markup.fragments
    )
    return Markup(text, tuple(moved))
