"""What the pages of this app show, put together from the core's values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from annotator.core.classifier import Category, Classifier, classifier_of
from annotator.core.messages import describe
from annotator.core.problems import Problem
from annotator.core.tags import propose_tag
from annotator.core.validation import validate
from annotator.core.values import Fragment, Kind, Markup, in_reading_order
from annotator.forms import FragmentForm
from annotator.models import MarkupRecord, Phrase
from annotator.palette import in_own_words, interface_language, palette_of, searchable_codes
from annotator.queries import earlier_checks, phrases_of

EXCERPT: Final = 60
PHRASES: Final = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """A fragment in the list of marks; ``name`` is what its code means."""

    number: int
    fragment: Fragment
    words: str
    name: str
    remark: str

    @property
    def tone(self) -> str:
        """``block``, ``mistake`` or ``isp``: how it is painted (Appendix 3, 1.8)."""
        if self.fragment.is_correction:
            return "isp"
        return "block" if self.fragment.kind is Kind.BLOCK else "mistake"


@dataclass(frozen=True, slots=True)
class Stack:
    """The windows of all fragments at a place (Appendix 3, 1.8.8); ``opened`` can be changed."""

    opened: Mark
    others: tuple[Mark, ...]
    category: Category | None
    standard_comment: str
    proposed_tag: str
    phrases: tuple[Phrase, ...]

    @property
    def needs_correction(self) -> bool:
        """ИСП says nothing without what should stand there (Appendix 3, 1.2)."""
        return self.opened.fragment.is_correction and not self.opened.fragment.correction

    @property
    def subcodes(self) -> list[tuple[str, str]]:
        """The subcodes of the code and what they mean."""
        found = self.category.subcategories if self.category else ()
        return [(sub.code, in_own_words(sub.comment)) for sub in found]

    @property
    def subcode(self) -> str:
        """The subcode as the classifier writes it: a file may use another letter case."""
        found = self.category.subcategory(self.opened.fragment.subcode) if self.category else None
        return found.code if found else ""

    @property
    def first_field(self) -> str:
        """The field that is to be filled next: it gets the focus when the card opens."""
        if self.subcodes and not self.subcode:
            return "subcode"
        return "correction" if self.takes_correction else "comment"

    @property
    def takes_correction(self) -> bool:
        """Does the code allow a correction, or is one there already?"""
        allowed = self.category is None or self.category.takes_correction
        return allowed or bool(self.opened.fragment.correction)

    @property
    def takes_tag(self) -> bool:
        """Does the code allow a tag, or is one there already?"""
        allowed = self.category is None or self.category.takes_tag
        return allowed or bool(self.opened.fragment.tag)


@dataclass(frozen=True, slots=True)
class Remark:
    """A line of the checklist; ``mark`` is what it is about, if it is about one."""

    sentence: str
    mark: Mark | None
    blocks: bool


def desk_of(record: MarkupRecord, *, editable: bool) -> dict[str, Any]:
    """Everything the marking page shows of a markup."""
    markup = record.to_core()
    classifier = classifier_of(record.essay.core_subject)
    marks = marks_of(markup, classifier)
    return {
        "record": record,
        "essay": record.essay,
        "markup": markup,
        "marks": beside_text(marks),
        "whole_text": of_whole_text(marks),
        "checklist": checklist(record, markup, marks) if editable else [],
        "editable": editable,
        "earlier": earlier_checks(record),
        "text_language": text_language(record.essay.subject),
    }


def beside_text(marks: Iterable[Mark]) -> list[Mark]:
    """The marks that have a place in the text."""
    return [mark for mark in marks if mark.fragment.span]


def of_whole_text(marks: Iterable[Mark]) -> list[Mark]:
    """The marks that concern the whole text."""
    return [mark for mark in marks if not mark.fragment.span]


def palette_page(record: MarkupRecord, markup: Markup) -> dict[str, Any]:
    """The palette beside the text, and its codes as type-ahead searches them."""
    classifier = classifier_of(record.essay.core_subject)
    sections = palette_of(classifier, markup)
    return {"palette": sections, "codes": searchable_codes(classifier)}


def stack_of(
    record: MarkupRecord,
    number: int,
    *,
    at: int | None = None,
    form: FragmentForm | None = None,
) -> Stack | None:
    """The windows over the place ``at``, or over where the mark begins; ``None`` for no mark.

    A ``form`` that was refused shows what was typed.
    """
    markup = record.to_core()
    classifier = classifier_of(record.essay.core_subject)
    marks = {mark.number: mark for mark in marks_of(markup, classifier)}
    if number not in marks:
        return None
    opened = marks[number]
    if form and form.errors:
        opened = replace(opened, fragment=form.typed(opened.fragment))
    fragment = opened.fragment
    category = classifier.find(fragment.code)
    others = [mark for mark in _over(marks.values(), opened, at) if mark.number != number]
    return Stack(
        opened=opened,
        others=tuple(reversed(others)),  # innermost first
        category=category,
        standard_comment=_standard_comment(classifier, fragment),
        proposed_tag=propose_tag(markup, fragment),
        phrases=_phrases(record, fragment.code) if category else (),
    )


def marks_of(markup: Markup, classifier: Classifier) -> list[Mark]:
    """The fragments in reading order, with the words they cover."""
    marks = []
    for fragment in in_reading_order(markup.fragments):
        category = classifier.find(fragment.code)
        marks.append(
            Mark(
                number=fragment.id,
                fragment=fragment,
                words=excerpt(markup.covered(fragment)),
                name=in_own_words(category.name) if category else "",
                # a comment stands instead of the subcode's (Appendix 3, 1.2)
                remark=fragment.comment or _standard_comment(classifier, fragment),
            )
        )
    return marks


def checklist(record: MarkupRecord, markup: Markup, marks: Iterable[Mark]) -> list[Remark]:
    """What stands between a draft and its submission, and what is only worth a look."""
    rules = record.essay.essay_set.rules
    classifier = classifier_of(record.essay.core_subject)
    by_number = {mark.number: mark for mark in marks}
    return [
        Remark(
            describe(_naming_other(problem, markup, by_number), _),
            _mark_of(problem.fragment, markup, by_number),
            problem.blocks,
        )
        for problem in validate(markup, classifier, allow_crossing=rules.allow_crossing)
    ]


def text_language(subject: str) -> str:
    """The language essays of a subject are written in."""
    return "en" if subject.startswith("eng") else "ru"


def excerpt(text: str) -> str:
    """The beginning and the end of a long piece of text, on one line."""
    words = " ".join(text.split())
    if len(words) <= EXCERPT:
        return words
    return f"{words[:40].rstrip()} … {words[-15:].lstrip()}"


def _over(marks: Iterable[Mark], opened: Mark, at: int | None) -> list[Mark]:
    """The marks over a place, outer before inner; a whole-text mistake has none beside it."""
    if opened.fragment.span is None:
        return []
    place = opened.fragment.span.start if at is None else at
    return [
        mark
        for mark in marks
        if mark.fragment.span and mark.fragment.span.start <= place < mark.fragment.span.end
    ]


def _phrases(record: MarkupRecord, code: str) -> tuple[Phrase, ...]:
    fields = (phrases_of(record.author, code, field)[:PHRASES] for field in Phrase.Field)
    return tuple(phrase for found in fields for phrase in found)


def _standard_comment(classifier: Classifier, fragment: Fragment) -> str:
    language = interface_language()
    return classifier.standard_comment(fragment.code, fragment.subcode, language)


def _mark_of(place: int | None, markup: Markup, marks: Mapping[int, Mark]) -> Mark | None:
    return marks[markup.fragments[place - 1].id] if place else None


def _naming_other(problem: Problem, markup: Markup, marks: Mapping[int, Mark]) -> Problem:
    """The page shows no numbers: another fragment is named by its code and its words."""
    place = problem.fields.get("other")
    other = _mark_of(place if isinstance(place, int) else None, markup, marks)
    if other is None:
        return problem
    return replace(problem, fields={"other": f"{other.fragment.code} ({other.words})"})
