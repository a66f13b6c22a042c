"""The meta fields at the head of a marked file (Appendix 3, 1.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotator.core.language.bracket_values import BracketValues
from annotator.core.language.faults import MANY, Fault
from annotator.core.language.signs import OPENING
from annotator.core.stated import Stated, each_of, read_points
from annotator.core.values import Meta, Subject

FIELDS: Final = {
    "тема": "theme",
    "исходный текст": "task_text",
    "предмет": "subject",
    "линия": "category",
    "класс": "class_name",
    "год": "year",
    "тест": "test",
    "эксперт": "expert",
}
"""Name of the field, in lower case -> attribute of ``Meta``."""

SUBJECT_NAMES: Final = {
    "русский": Subject.RUSSIAN,
    "русский-свободное": Subject.RUSSIAN_FREE,
    "литература": Subject.LITERATURE,
    "обществознание": Subject.SOCIAL_SCIENCE,
    "история": Subject.HISTORY,
    "английский": Subject.ENGLISH,
    "английский-свободное": Subject.ENGLISH_FREE,
}

CRITERION: Final = re.compile(r"[kк]\s*(\d{1,2})", re.IGNORECASE)
"""``KN`` with a Latin or a Cyrillic letter."""

NUMBER: Final = re.compile(r"[0-9]{1,4}")
MOST_POINTS: Final = 9999
LONGEST_NAME: Final = 60
"""What is longer before its colon is a sentence of the essay, not a field nobody knows."""


@dataclass(frozen=True, slots=True)
class Header:
    """What stood above the essay, and the offset at which the essay's part begins.

    ``faults`` are ``(offset, code, fields)``: unknown fields and values that cannot be read;
    ``unlisted`` counts those beyond the first thousand.
    """

    meta: Meta
    stated: Mapping[str, Stated]
    end: int
    faults: tuple[Fault, ...] = ()
    unlisted: int = 0


def read_subject(name: str) -> Subject | None:
    """A subject by its Russian name or its code, in any letter case; schools say «русский язык»."""
    wanted = " ".join(name.casefold().split()).removesuffix(" язык")
    if wanted in SUBJECT_NAMES:
        return SUBJECT_NAMES[wanted]
    return next((subject for subject in Subject if subject.value == wanted), None)


def is_field(line: str) -> bool:
    """True for a line that begins with a known field and a colon."""
    name, colon, _ = line.partition(":")
    name = name.strip().casefold()
    return bool(colon) and (name in FIELDS or CRITERION.fullmatch(name) is not None)


def read_header(text: str) -> Header:
    """Read the meta fields of a file with line feeds only.

    The header is all that stands before the first empty line, if a known field is among it; it
    goes on after an empty line as long as known fields follow, as in the regulation's own
    examples. A value in brackets may hold empty lines.
    """
    start = len(text) - len(text.lstrip())
    scan = _Scan(text, text.rfind("\n", 0, start) + 1)
    scan.block()
    while scan.known and is_field(scan.line_after_blank()):
        scan.skip_blank()
        scan.block()
    return scan.header() if scan.known else Header(Meta(), {}, 0)


class _Scan:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.known = 0
        self.values: dict[str, Any] = {}
        self.stated: dict[str, Stated] = {}
        self.faults: list[Fault] = []
        self.stray: int | None = None
        self._brackets = BracketValues(text)

    def header(self) -> Header:
        end, faults = self.at, self.faults
        if self.stray is not None and not self.text[end:].strip():
            end = self.stray  # no empty line anywhere: the essay follows the last field
            faults = [fault for fault in faults if fault[0] < end]
        unlisted = max(0, len(faults) - MANY)
        return Header(Meta(**self.values), self.stated, end, tuple(faults[:MANY]), unlisted)

    def line(self, at: int) -> str:
        end = self.text.find("\n", at)
        return self.text[at:] if end < 0 else self.text[at:end]

    def line_after_blank(self) -> str:
        rest = self.at
        while rest < len(self.text) and not self.line(rest).strip():
            rest += len(self.line(rest)) + 1
        return self.line(rest)

    def skip_blank(self) -> None:
        while self.at < len(self.text) and not self.line(self.at).strip():
            self.at += len(self.line(self.at)) + 1

    def block(self) -> None:
        """Fields up to an empty line or the end of the text."""
        while self.at < len(self.text) and self.line(self.at).strip():
            begin, line = self.at, self.line(self.at)
            self.at = min(begin + len(line) + 1, len(self.text))
            name, colon, _ = line.partition(":")
            if colon:
                self._field(name.strip(), self._value(begin + len(name) + 1), begin)
            else:
                self._no_field(name.strip(), begin)

    def _value(self, at: int) -> str:
        """The value that begins at ``at``, in brackets perhaps over several lines."""
        raw = self.line(at)
        opening = raw.lstrip()[:2]
        if opening in OPENING:
            begin = at + raw.index(opening)
            found = self._brackets.read(begin, opening)
            if found:
                self.at = min(found.next_line, len(self.text))
                return found.value
            if OPENING[opening] not in raw:
                self.faults.append((begin, "not-closed", {"expected": OPENING[opening]}))
        return raw.strip()

    def _no_field(self, words: str, begin: int) -> None:
        if self.stray is None:
            self.stray = begin
        self.faults.append((begin, "unknown-field", {"name": words[:60]}))

    def _field(self, name: str, value: str, begin: int) -> None:
        criterion = CRITERION.fullmatch(name)
        attribute = FIELDS.get(name.casefold())
        if criterion or attribute:
            self.known += 1
            self.stray = None
        elif self.stray is None and len(name) > LONGEST_NAME:
            self.stray = begin
        if criterion:
            self._stated(f"K{int(criterion[1])}", value, begin)
        elif attribute == "year":
            self._number(attribute, value, begin)
        elif attribute == "subject":
            self._subject(value, begin)
        elif attribute:
            self.values[attribute] = value
        else:
            self.faults.append((begin, "unknown-field", {"name": name[:60]}))

    def _stated(self, criterion: str, value: str, begin: int) -> None:
        points = read_points(value)
        if points is not None and all(0 <= each <= MOST_POINTS for each in each_of(points)):
            self.stated[criterion] = points
        elif value:
            self.faults.append((begin, "bad-field-value", {"name": criterion, "value": value[:60]}))

    def _number(self, attribute: str, value: str, begin: int) -> None:
        if NUMBER.fullmatch(value):
            self.values[attribute] = int(value)
        elif value:
            self.faults.append((begin, "bad-field-value", {"name": "Год", "value": value[:60]}))

    def _subject(self, value: str, begin: int) -> None:
        self.values["subject"] = read_subject(value)
        if value and self.values["subject"] is None:
            self.faults.append((begin, "bad-field-value", {"name": "Предмет", "value": value[:60]}))
