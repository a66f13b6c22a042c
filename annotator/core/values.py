"""The nouns every other module speaks: Subject, Kind, Span, Fragment, Markup, Meta, MarkedFile.

Offsets count code points of a text with line feeds only; spans are half-open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from typing import Final

from annotator.core.errors import SpanError
from annotator.core.stated import Stated

CORRECTION_CODE: Final = "ИСП"
"""The one code of every subject that costs no points (regulation, Appendix 3, 1.2)."""

SHORT: Final = 64
"""Names up to this length are remembered folded; a file full of long ones must not fill memory."""
LARGEST_MARKUP: Final = 2_621_440
"""Bytes of a markup that is sent, and of any body of a request that is no file."""


class Subject(StrEnum):
    """``meta.subject`` of the exchange format (Appendix 3, 2)."""

    RUSSIAN = "rus"
    RUSSIAN_FREE = "rus-free"
    LITERATURE = "lit"
    SOCIAL_SCIENCE = "social"
    HISTORY = "hist"
    ENGLISH = "eng"
    ENGLISH_FREE = "eng-free"


class Kind(StrEnum):
    """What a fragment is: part of the essay's plan, or something wrong with it (2.16, 2.24)."""

    BLOCK = "block"
    MISTAKE = "mistake"


def normalise(text: str) -> str:
    """Drop a byte order mark, make every line end a line feed; nothing else changes."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def fold(name: str) -> str:
    """Codes, subcodes and tags are compared in this form: stripped, in one case (1.3)."""
    return _fold_short(name) if len(name) <= SHORT else name.strip().casefold()


@lru_cache(maxsize=4096)
def _fold_short(name: str) -> str:
    return name.strip().casefold()


_CORRECTION: Final = fold(CORRECTION_CODE)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of code points, ``start <= i < end``; a whole-text mistake has no span."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise SpanError("not-a-span", start=self.start, end=self.end)

    def __len__(self) -> int:
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """How many code points both spans cover."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def crosses(self, other: Span) -> bool:
        """True when the spans overlap and neither lies inside the other (Appendix 3, 1.2)."""
        first, second = sorted((self, other))
        return first.start < second.start < first.end < second.end


@dataclass(frozen=True, slots=True)
class Fragment:
    """One marked place, or with ``span=None`` a mistake of the whole text (2.16, 2.24).

    ``id`` is the number a file gave it: not unique there, and not part of its value.
    """

    span: Span | None
    code: str
    subcode: str = ""
    comment: str = ""
    explanation: str = ""
    correction: str = ""
    tag: str = ""
    kind: Kind = Kind.MISTAKE
    id: int = field(default=0, compare=False)

    @property
    def is_lost_block(self) -> bool:
        """A semantic block without its words: only a mistake concerns the whole text (1.2, 1.3)."""
        return self.kind is Kind.BLOCK and self.span is None

    @property
    def is_correction(self) -> bool:
        """ИСП: a correction outside the subject's classifier, never counted as a mistake."""
        return fold(self.code) == _CORRECTION


@lru_cache(maxsize=8192)
def span_of(start: int, end: int) -> Span:
    """``Span(start, end)``, which many fragments may share: it is a value."""
    return Span(start, end)


_new: Final = object.__new__
_span, _code, _subcode, _comment, _explanation, _correction, _tag, _kind, _id = (
    Fragment.__dict__[each.name].__set__ for each in fields(Fragment)
)


def fragment_of(
    span: Span | None,
    texts: tuple[str, str, str, str, str, str],
    kind: Kind,
    number: int,
) -> Fragment:
    """``Fragment(span, *texts, kind, number)`` in half the time, for files of a million.

    ``texts``: from ``code`` to ``tag``. A frozen class looks for the place of each field anew.
    """
    made = _new(Fragment)
    code, subcode, comment, explanation, correction, tag = texts
    _span(made, span)
    _code(made, code)
    _subcode(made, subcode)
    _comment(made, comment)
    _explanation(made, explanation)
    _correction(made, correction)
    _tag(made, tag)
    _kind(made, kind)
    _id(made, number)
    return made


@dataclass(frozen=True, slots=True)
class Markup:
    """An essay's text and the fragments marked in it, in the order they were given."""

    text: str
    fragments: tuple[Fragment, ...] = ()

    def __post_init__(self) -> None:
        for number, fragment in enumerate(self.fragments, 1):
            if fragment.span is not None and fragment.span.end > len(self.text):
                raise SpanError(
                    "span-outside-text",
                    number=number,
                    end=fragment.span.end,
                    length=len(self.text),
                )

    def covered(self, fragment: Fragment) -> str:
        """The words under a fragment; empty for a whole-text mistake."""
        return self.text[fragment.span.start : fragment.span.end] if fragment.span else ""


@dataclass(frozen=True, slots=True)
class Meta:
    """What a file says of its essay (Appendix 3, 1.5 and 2; files.md 1.7)."""

    id: str = ""
    uuid: str = ""
    theme: str = ""
    class_name: str = ""
    year: int | None = None
    subject: Subject | None = None
    task_text: str = ""
    category: str = ""
    expert: str = ""
    test: str = ""
    name: str = ""
    third: bool = False
    markup_uuid: str = ""


@dataclass(frozen=True, slots=True)
class MarkedFile:
    """A marked file (2.22): its meta fields, its markup, the points its expert stated."""

    meta: Meta
    markup: Markup
    stated: Mapping[str, Stated] = field(default_factory=dict)
    file_name: str = ""


def reading_place(fragment: Fragment) -> tuple[bool, int, int]:
    """By beginning, outer before inner, whole-text mistakes last: a key to sort by."""
    span = fragment.span
    return (False, span.start, -span.end) if span else (True, 0, 0)


def in_reading_order(fragments: Iterable[Fragment]) -> list[Fragment]:
    """In the order of ``reading_place``; equal spans keep their order."""
    return sorted(fragments, key=reading_place)
