"""What the name of a file says of its essay and its author (files.md 1.7).

``000105.json`` is an unmarked essay or an algorithm's markup, ``000105_exp13.json`` an expert's;
the organisers' own files have long names, ``0000028_ru_his_1921_1928_exp061.txt``: number,
language, subject, a slug, and the expert or ``noexp``, which is nobody.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

SHORT: Final = re.compile(r"(?P<number>[^\W_].*?)(?:_(?P<author>[^_]+))?")
LONG: Final = re.compile(
    r"(?P<number>[0-9]+)_(?:rus?|eng?)_[a-z]+(?:_.*?)??(?:_(?P<author>exp[0-9]+|noexp))?",
    re.IGNORECASE,
)
EXPERT: Final = re.compile(r"exp[0-9]+", re.IGNORECASE)
COPY: Final = re.compile(
    r"(?:копия|copy of)\s+(?P<first>.+)"
    r"|(?P<last>.+?)(?:\s*\([1-9][0-9]?\)|\s*[-–—]?\s+(?:копия|copy)(?:\s*\(?[0-9]+\)?)?)",
    re.IGNORECASE,
)
"""What browsers, Windows and macOS call a second file of the same name, in both languages."""
NOBODY: Final = "noexp"


class FileName(NamedTuple):
    """The essay's number and the author; either is empty where the name does not say it."""

    number: str
    author: str


def split_name(stem: str) -> FileName:
    """Take a file's name, without its ending, apart."""
    parts = LONG.fullmatch(stem) or SHORT.fullmatch(stem)
    if parts is None:
        return FileName("", "")
    number, author = parts["number"], parts["author"] or ""
    if not author and is_expert(number):
        return FileName("", number)
    return FileName(number, "" if author.casefold() == NOBODY else author)


def essay_named(stem: str) -> str:
    """The essay's number in the name of an algorithm's file without its login."""
    long = LONG.fullmatch(stem)
    return long["number"] if long else stem


def copied_from(name: str) -> str:
    """The name a copy was made of, as ``000105`` of ``000105 (1)``; empty for any other name."""
    found = COPY.fullmatch(name)
    if found is None:
        return ""
    original = (found["first"] or found["last"]).rstrip(" -–—")
    return copied_from(original) or original


def is_expert(author: str) -> bool:
    """True for the name of an expert of the original platform: exp and a number."""
    return EXPERT.fullmatch(author) is not None
