"""One line of a file -> the question's id and what is said of it (schemes.md 4.4).

``ID`` then ``:`` or ``,`` then ``"answer", article[, flag, offset]`` repeated; nothing after the
ID says that there is no answer; one quoted string and nothing else is the question. A quote inside
quotes is written twice. Flag and offset are read over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from schemes.core.qac.errors import LineError

COMMENT: Final = "#"
ID: Final = re.compile(r"\s*+([0-9A-Za-z][0-9A-Za-z._-]*+)\s*+")
SEPARATORS: Final = (":", ",")
BARE_ID: Final = re.compile("[0-9]")
"""An id without anything after it has a number in it, so that a stray word is not taken for one."""
BLANKS: Final = re.compile(r"\s*+")
BLANK: Final = re.compile(r"\s")
UNSOUND: Final = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Control signs, ends of lines that other programs see, halves of surrogate pairs."""
ARTICLE: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z._:/-]*+")
DETAILS: Final = (
    ARTICLE,
    re.compile(r"[0-9A-Za-z]{0,2}"),
    re.compile(r"-?[0-9]*+"),
)
"""What may stand after an answer: article, flag, offset; anything else was meant as an answer."""
MEANT_AS_ID: Final = re.compile(r"[0-9A-Za-z._,\s-]*+")
PAIR: Final = re.compile(rf'"([^"]*+)"\s*+,\s*+({ARTICLE.pattern})')
PLAIN: Final = re.compile(rf"{ID.pattern}[:,](?:\s*+{PAIR.pattern}\s*+(?:,|$))++")
"""A line as nearly all are: answers with their articles, no quote inside; read at one go."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A string without outer blanks, and the id of the article it was found in."""

    string: str
    article: str


@dataclass(frozen=True, slots=True)
class Line:
    """What a line says of a question: its answers, or its ``text`` when it says that.

    ``trimmed``: how many of its strings had outer blanks.
    """

    id: str
    answers: tuple[Answer, ...] = ()
    text: str | None = None
    trimmed: int = 0


@dataclass(frozen=True, slots=True)
class _Field:
    """What stands between two commas, and where it begins, counted from 0."""

    value: str
    is_quoted: bool
    at: int


def is_comment(line: str) -> bool:
    """Whether a line begins with "#" and is read over (seed 004, DESCRIPTION)."""
    return line.lstrip().startswith(COMMENT)


def id_of(line: str) -> str:
    """The id of a line that may be unfit otherwise; empty if it has none."""
    found = None if _split_id(line) else _id(line)
    return found[0] if found else ""


def parse_line(line: str) -> Line:
    """Read a line that is neither empty nor a comment.

    Raises ``LineError``, with the column counted from 1.
    """
    unsound = UNSOUND.search(line)
    if unsound:
        raise LineError("control-character", column=unsound.start() + 1)
    plain = PLAIN.fullmatch(line)
    if plain:
        pairs = PAIR.findall(line, plain.end(1))
        answers = tuple([Answer(string.strip(), article) for string, article in pairs])
        if all(each.string for each in answers):
            trimmed = sum([len(string) != len(string.strip()) for string, _ in pairs])
            return Line(plain[1], answers, trimmed=trimmed)
    return parse_carefully(line)


def parse_carefully(line: str) -> Line:
    """As ``parse_line``, field by field: knows the whole grammar and where it is broken."""
    split = _split_id(line)
    if split:
        raise LineError("blank-inside", name=split)
    found = _id(line)
    if found is None:
        raise LineError("no-id")
    name, at = found
    fields = list(_fields(line, at))
    if len(fields) == 1 and fields[0].is_quoted:
        text = fields[0].value
        return Line(name, text=_filled(text, fields[0]))
    answers = tuple(_answers(fields))
    trimmed = sum(each.is_quoted and each.value != each.value.strip() for each in fields)
    return Line(name, answers, trimmed=trimmed)


def _split_id(line: str) -> str:
    """What was meant as an id, but has a blank in it: ``1, 3`` of ``1, 3: "津市", 990201005``."""
    for separator in SEPARATORS:
        head, found, _rest = line.partition(separator)
        name = head.strip()
        if found and BLANK.search(name) and BARE_ID.search(name) and MEANT_AS_ID.fullmatch(name):
            return name
    return ""


def _id(line: str) -> tuple[str, int] | None:
    """The id and where the fields begin."""
    found = ID.match(line)
    if not found:
        return None
    if line.startswith(SEPARATORS, found.end()):
        return found[1], found.end() + 1
    is_alone = found.end() == len(line) and BARE_ID.search(found[1])
    return (found[1], len(line)) if is_alone else None


def _fields(line: str, at: int) -> Iterator[_Field]:
    while (at := _after_blanks(line, at)) < len(line):
        begin = at
        if line[at] == '"':
            value, at = _quoted(line, at)
            yield _Field(value, is_quoted=True, at=begin)
            at = _after_blanks(line, at)
            if at < len(line) and line[at] != ",":
                raise LineError("after-quote", column=at + 1)
        else:
            end = line.find(",", at)
            at = len(line) if end < 0 else end
            yield _Field(line[begin:at].strip(), is_quoted=False, at=begin)
        at += 1


def _after_blanks(line: str, at: int) -> int:
    found = BLANKS.match(line, at)
    return found.end() if found else at


def _quoted(line: str, begin: int) -> tuple[str, int]:
    """The string that opens at ``begin`` and the place after its closing quote."""
    at = begin + 1
    while (end := line.find('"', at)) >= 0:
        if not line.startswith('"', end + 1):
            return line[begin + 1 : end].replace('""', '"'), end + 1
        at = end + 2
    raise LineError("open-quote", column=begin + 1)


def _answers(fields: list[_Field]) -> Iterator[Answer]:
    at = 0
    while at < len(fields):
        field = fields[at]
        if not field.is_quoted:
            raise LineError("unquoted-answer", column=field.at + 1, name=field.value)
        at += 1
        details: list[_Field] = []
        while at < len(fields) and not fields[at].is_quoted:
            details.append(fields[at])
            at += 1
        yield Answer(_filled(field.value, field), _article(field, details))


def _article(field: _Field, details: list[_Field]) -> str:
    if not details or not details[0].value:
        raise LineError("no-article", column=field.at + 1, name=field.value.strip())
    for number, detail in enumerate(details):
        if number >= len(DETAILS) or not DETAILS[number].fullmatch(detail.value):
            without = BLANK.sub("", detail.value)
            is_split = without != detail.value and ARTICLE.fullmatch(without)
            code = "blank-inside" if is_split else "unquoted-answer"
            raise LineError(code, column=detail.at + 1, name=detail.value)
    return details[0].value


def _filled(value: str, field: _Field) -> str:
    string = value.strip()
    if not string:
        raise LineError("empty-string", column=field.at + 1)
    return string
