"""What the pages of this app show, put together from the core's values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from annotator.core.classifier import Classifier, classifier_of
from annotator.core.values import Fragment, Kind, Markup, in_reading_order
from annotator.models import Essay, MarkupRecord
from annotator.pages.palette import interface_language
from annotator.queries.imports import import_that_replaced

EXCERPT: Final = 60
LEFT_OPEN: Final = re.compile(r"\s*(?:…|\.\.)[.…]*$")
OPENS: Final = re.compile(r"^[.…]*(?:…|\.\.)\s*")


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
class Marked:
    """A markup with its fragments in reading order, as pages list them."""

    record: MarkupRecord
    markup: Markup
    marks: tuple[Mark, ...]

    @property
    def essay(self) -> Essay:
        return self.record.essay

    @property
    def classifier(self) -> Classifier:
        """The codes of the essay's subject."""
        return classifier_of(self.essay.core_subject)

    @property
    def text_language(self) -> str:
        """The language the essay is written in."""
        return text_language(self.essay.subject)

    @property
    def beside_text(self) -> list[Mark]:
        """The marks that have a place in the text."""
        return [mark for mark in self.marks if mark.fragment.span]

    @property
    def of_whole_text(self) -> list[Mark]:
        """The marks that concern the whole text."""
        return [mark for mark in self.marks if not mark.fragment.span]


def why_closed(record: MarkupRecord) -> str:
    """What happened to a markup that its author cannot change any more."""
    batch = import_that_replaced(record)
    if batch and batch.begun_at:
        when = date_format(localtime(batch.begun_at), "SHORT_DATETIME_FORMAT")
        said = _("This markup is closed: an import of %(when)s brought another one in its place.")
        return said % {"when": when}
    if record.state == MarkupRecord.State.SUPERSEDED:
        return _("This markup is closed: another one has taken its place.")
    if record.final_at is not None or record.state == MarkupRecord.State.SUBMITTED:
        return _("This markup is closed: it was submitted.")
    return _("This markup is closed: its check was handed back or taken away.")


def marked_of(record: MarkupRecord) -> Marked:
    """A record's markup as it is stored by now."""
    markup = record.to_core()
    marks = marks_of(markup, classifier_of(record.essay.core_subject))
    return Marked(record, markup, tuple(marks))


def marks_of(markup: Markup, classifier: Classifier) -> list[Mark]:
    """The fragments in reading order, with the words they cover."""
    language = interface_language()
    marks = []
    for fragment in in_reading_order(markup.fragments):
        category = classifier.find(fragment.code)
        standard = classifier.standard_comment(fragment.code, fragment.subcode, language)
        marks.append(
            Mark(
                number=fragment.id,
                fragment=fragment,
                words=excerpt(markup.covered(fragment)),
                name=category.name[language] if category else "",
                # a comment stands instead of the subcode's (Appendix 3, 1.2)
                remark=fragment.comment or standard,
            )
        )
    return marks


def text_language(subject: str) -> str:
    """The language essays of a subject are written in."""
    return "en" if subject.startswith("eng") else "ru"


def excerpt(text: str) -> str:
    """The beginning and the end of a long piece of text, in whole words, on one line."""
    words = " ".join(text.split())
    if len(words) <= EXCERPT:
        return words
    beginning = words[:41].rpartition(" ")[0] or words[:40]
    end = words[-16:].partition(" ")[2] or words[-15:]
    return f"{LEFT_OPEN.sub('', beginning)} … {OPENS.sub('', end)}"


def standard_comment_of(classifier: Classifier, fragment: Fragment) -> str:
    language = interface_language()
    return classifier.standard_comment(fragment.code, fragment.subcode, language)
