"""What the pages of this app show, put together from the core's values."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import get_language

from annotator.core.classifier import Category, classifier_of
from annotator.core.validation import validate
from annotator.core.values import Fragment, Markup, fold, in_reading_order
from annotator.forms import FragmentForm
from annotator.models import MarkupRecord
from annotator.queries import earlier_checks
from annotator.services.reading import sentences

EXCERPT: Final = 60
WORD: Final = re.compile(r"\S*\w\S*")


@dataclass(frozen=True, slots=True)
class PaletteCode:
    """A code of the palette, in the reader's language, and how often it is marked already."""

    code: str
    name: str
    example: str
    count: int
    subcodes: tuple[tuple[str, str], ...]
    takes_correction: bool
    takes_tag: bool
    whole_text_only: bool


@dataclass(frozen=True, slots=True)
class Mark:
    """A fragment in the list of marks; ``name`` is what its code means."""

    number: int
    fragment: Fragment
    words: str
    name: str
    remark: str


def desk_of(
    record: MarkupRecord,
    *,
    editable: bool,
    form: FragmentForm | None = None,
    opened: int | None = None,
) -> dict[str, Any]:
    """Everything the marking page shows of a markup."""
    markup = record.to_core()
    classifier = classifier_of(record.essay.core_subject)
    marks = marks_of(markup, classifier.find)
    card = next((mark for mark in marks if mark.number == opened), None)
    if card and form and form.errors:
        card = replace(card, fragment=form.typed(card.fragment))
    rules = record.essay.essay_set.rules
    problems = validate(markup, classifier, allow_crossing=rules.allow_crossing)
    return {
        "record": record,
        "essay": record.essay,
        "markup": markup,
        "marks": [mark for mark in marks if mark.fragment.span],
        "whole_text": [mark for mark in marks if not mark.fragment.span],
        "palette": palette(record, markup),
        "problems": sentences(problems) if editable else [],
        "editable": editable,
        "form": form,
        "opened": card,
        "earlier": earlier_checks(record),
        "quote": markup.covered(card.fragment) if card else "",
        "word_count": len(WORD.findall(record.essay.text)),
        "text_language": text_language(record.essay.subject),
    }


def marks_of(markup: Markup, find: Any) -> list[Mark]:
    """The fragments in reading order, with the words they cover."""
    language = interface_language()
    marks = []
    for fragment in in_reading_order(markup.fragments):
        category: Category | None = find(fragment.code)
        found = category.subcategory(fragment.subcode) if category else None
        marks.append(
            Mark(
                number=fragment.id,
                fragment=fragment,
                words=excerpt(markup.covered(fragment)),
                name=category.name[language] if category else "",
                # a comment stands instead of the subcode's (Appendix 3, 1.2)
                remark=fragment.comment or (found.comment[language] if found else ""),
            )
        )
    return marks


def palette(record: MarkupRecord, markup: Markup) -> list[tuple[str, list[PaletteCode]]]:
    """The active codes of the essay's subject by section, in the classifier's order."""
    language = interface_language()
    counts = Counter(fold(fragment.code) for fragment in markup.fragments)
    sections: dict[str, list[PaletteCode]] = {}
    for category in classifier_of(record.essay.core_subject).categories:
        if category.active:
            codes = sections.setdefault(category.section[language], [])
            codes.append(_palette_code(category, counts[fold(category.code)], language))
    return list(sections.items())


def _palette_code(category: Category, count: int, language: str) -> PaletteCode:
    return PaletteCode(
        code=category.code,
        name=category.name[language],
        example=category.example,
        count=count,
        subcodes=tuple((sub.code, sub.comment[language]) for sub in category.subcategories),
        takes_correction=category.takes_correction,
        takes_tag=category.takes_tag,
        whole_text_only=category.whole_text_only,
    )


def interface_language() -> str:
    """``ru`` or ``en``: the language the reader has chosen."""
    return "ru" if (get_language() or "").startswith("ru") else "en"


def text_language(subject: str) -> str:
    """The language essays of a subject are written in."""
    return "en" if subject.startswith("eng") else "ru"


def excerpt(text: str) -> str:
    """The beginning and the end of a long piece of text, on one line."""
    words = " ".join(text.split())
    if len(words) <= EXCERPT:
        return words
    return f"{words[:40].rstrip()} … {words[-15:].lstrip()}"
