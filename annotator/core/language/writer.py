"""render(): MarkedFile -> bracket text that parse() reads back as the same markup.

The language has no escape sign (Appendix 3, 1.3), so some markups cannot be written. They are
refused with the place; nothing is ever written in a form that would be read otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from annotator.core.classifier import Classifier, classifier_of, every_classifier
from annotator.core.errors import CannotWriteError
from annotator.core.language.bracket_values import bracket_around
from annotator.core.language.header import FIELDS, MOST_POINTS, SUBJECT_NAMES, is_field
from annotator.core.language.reader import parse
from annotator.core.language.signs import CLOSING, ELEMENTS, OPENING, SIGN
from annotator.core.stated import each_of, write_points
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Span, in_reading_order

BRACKET: Final = {Kind.BLOCK: "(*", Kind.MISTAKE: "(\\"}
TITLES: Final = {attribute: name.capitalize() for name, attribute in FIELDS.items()}
STATED: Final = re.compile(r"K(?:[1-9][0-9]?|0)")
NAMES: Final = {subject: name for name, subject in SUBJECT_NAMES.items()}


def render(file: MarkedFile) -> str:
    """Write a marked file; a header always stands first, so that no essay line is taken for one.

    The language has no place for ``meta.id``, ``uuid``, ``name``, ``third`` and the numbers of
    the fragments: they live in the JSON format and in the file's name. What it has no place for
    at the edges ``tidy`` leaves out before. Raises ``CannotWriteError`` naming the fragment or
    the field.
    """
    subject = file.meta.subject
    classifier = classifier_of(subject) if subject else every_classifier()
    fragments = in_reading_order(file.markup.fragments)
    _refuse_bad_text(file.markup)
    _refuse_crossing(fragments)
    _refuse_signs_inside(file.markup)
    for number, fragment in enumerate(file.markup.fragments, 1):
        _refuse_bad_fragment(fragment, number, file.markup, classifier)
    written = _header(file) + "\n" + "".join(_body(file.markup.text, fragments)) + "\n"
    _refuse_other_reading(file, written, classifier)
    return written


def _header(file: MarkedFile) -> str:
    lines = []
    for attribute, title in TITLES.items():
        value = getattr(file.meta, attribute)
        if attribute == "subject":
            value = NAMES[value] if value else ""
        if value not in ("", None) or attribute == "theme":
            lines.append(f"{title}: {_field_value(title, str(value))}\n")
    if file.meta.year is not None and not 0 <= file.meta.year <= 9999:
        raise CannotWriteError("field-cannot-hold", name=TITLES["year"])
    for criterion, points in file.stated.items():
        fits = all(0 <= each <= MOST_POINTS for each in each_of(points))
        if not STATED.fullmatch(criterion) or not fits:
            raise CannotWriteError("bad-criterion", name=criterion)
        lines.append(f"{criterion}: {write_points(points)}\n")
    return "".join(lines)


def _field_value(title: str, value: str) -> str:
    if value != value.strip() or "\r" in value:
        raise CannotWriteError("field-cannot-hold", name=title)
    if "\n" not in value and value[:2] not in OPENING:
        return value
    opening = bracket_around(value)
    if opening is None:
        raise CannotWriteError("field-cannot-hold", name=title)
    return f"{opening} {value} {OPENING[opening]}"


def _body(text: str, fragments: list[Fragment]) -> Iterator[str]:
    """Text and brackets in reading order; ``fragments`` are nested and in reading order."""
    at = 0
    inside: list[tuple[Fragment, int]] = []
    whole = [fragment for fragment in fragments if fragment.span is None]
    for fragment in fragments:
        if fragment.span is None:
            continue
        while inside and inside[-1][1] <= fragment.span.start:
            closed, end = inside.pop()
            yield text[at:end] + _tail(closed)
            at = end
        yield text[at : fragment.span.start] + _head(fragment)
        at = fragment.span.start
        inside.append((fragment, fragment.span.end))
    while inside:
        closed, end = inside.pop()
        yield text[at:end] + _tail(closed)
        at = end
    yield text[at:]
    yield from ("\n" + _head(fragment) + _tail(fragment) for fragment in whole)


def _head(fragment: Fragment) -> str:
    code = f"{fragment.code} {fragment.subcode}".rstrip()
    separator = " \\ " if fragment.span or fragment.comment or not fragment.code else ""
    return f"{BRACKET[fragment.kind]} {code}{separator}"


def _tail(fragment: Fragment) -> str:
    parts = [
        f" {sign} {getattr(fragment, element)}"
        for sign, element in ELEMENTS.items()
        if getattr(fragment, element)
    ]
    return "".join(parts) + f" {OPENING[BRACKET[fragment.kind]]}"


def _refuse_bad_text(markup: Markup) -> None:
    text = markup.text
    if text != text.strip():
        raise CannotWriteError("text-has-outer-space")
    if "\r" in text:
        raise CannotWriteError("text-has-carriage-return", offset=text.index("\r"))
    starts = any(fragment.span and not fragment.span.start for fragment in markup.fragments)
    if not starts and is_field(text.partition("\n")[0]):
        raise CannotWriteError("text-reads-as-header", line=text.partition("\n")[0][:60])


def _refuse_crossing(fragments: list[Fragment]) -> None:
    inside: list[tuple[Fragment, Span]] = []
    for fragment in fragments:
        if fragment.span is None:
            continue
        while inside and inside[-1][1].end <= fragment.span.start:
            inside.pop()
        if inside and inside[-1][1].crosses(fragment.span):
            other, span = inside[-1]
            raise CannotWriteError(
                "crossing-fragments",
                name=other.code,
                start=span.start,
                end=span.end,
                other_name=fragment.code,
                other_start=fragment.span.start,
                other_end=fragment.span.end,
            )
        inside.append((fragment, fragment.span))


def _refuse_signs_inside(markup: Markup) -> None:
    """Brackets cannot stand anywhere in the essay, other signs not inside a fragment."""
    spans = sorted(fragment.span for fragment in markup.fragments if fragment.span)
    reach, index = 0, 0
    for sign in SIGN.finditer(markup.text):
        while index < len(spans) and spans[index].start < sign.end():
            reach = max(reach, spans[index].end)
            index += 1
        is_bracket = sign[0] in OPENING or sign[0] in CLOSING
        if is_bracket or sign.start() < reach:
            raise CannotWriteError("sign-in-text", sign=sign[0], offset=sign.start())


def _refuse_bad_fragment(
    fragment: Fragment, number: int, markup: Markup, classifier: Classifier
) -> None:
    category = classifier.find(fragment.code)
    covered = markup.covered(fragment)
    if fragment.code and category is None:
        raise CannotWriteError("code-not-in-classifier", number=number, name=fragment.code)
    if fragment.subcode and not (category and category.subcategory(fragment.subcode)):
        raise CannotWriteError("subcode-not-in-classifier", number=number, name=fragment.subcode)
    if fragment.kind != classifier.kind(fragment.code):
        raise CannotWriteError("kind-differs", number=number, name=fragment.code)
    if covered != covered.strip():
        raise CannotWriteError("fragment-has-outer-space", number=number)
    if fragment.is_correction and not fragment.correction:
        raise CannotWriteError("correction-is-missing", number=number)
    for element in ELEMENTS.values():
        value = getattr(fragment, element)
        if SIGN.search(value) or value != value.strip() or "\r" in value:
            raise CannotWriteError("sign-in-element", number=number, element=element)


def _refuse_other_reading(file: MarkedFile, written: str, classifier: Classifier) -> None:
    """The last guard: what was written must be read back as it was meant."""
    read = parse(written, classifier=classifier).file
    meant = in_reading_order(file.markup.fragments)
    found = in_reading_order(read.markup.fragments)
    if read.markup.text == file.markup.text and found == meant and read.stated == file.stated:
        return
    pairs = zip(meant, found, strict=False)
    first = next((fragment for fragment, other in pairs if fragment != other), meant[-1])
    raise CannotWriteError("read-otherwise", number=file.markup.fragments.index(first) + 1)
