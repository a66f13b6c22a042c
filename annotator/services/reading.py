"""Bytes of a file -> a marked file of the core, or a refusal that names the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from django.utils.translation import gettext as _

from annotator.core.codec import file_from_json
from annotator.core.errors import JsonTextError
from annotator.core.json_text import read_json
from annotator.core.language import parse
from annotator.core.messages import describe, describe_error, place_of
from annotator.core.problems import Problem
from annotator.core.values import MarkedFile
from annotator.services.refusals import Refused

BOMS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
FILE_NAME: Final = re.compile(r"(?P<number>[^\W_].*?)(?:_(?P<author>[^_]+))?")
EXPERT: Final = re.compile(r"exp\d+", re.IGNORECASE)
MAX_TEXT: Final = 100_000


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A marked file, the essay's number and the author taken from its name, and its oddities."""

    name: str
    number: str
    author: str
    is_expert: bool
    file: MarkedFile
    remarks: tuple[str, ...]

    @property
    def is_marked(self) -> bool:
        """True when somebody's markup is in it, be it an empty one."""
        return bool(self.author or self.file.markup.fragments)

    @property
    def is_plain(self) -> bool:
        """True when nothing but the file's name may say that it is somebody's markup."""
        return bool(self.author) and not self.is_expert and not self.file.markup.fragments

    def as_essay(self) -> NamedFile:
        """The same file as an unmarked essay: its whole name is the essay's number."""
        return replace(self, number=PurePosixPath(self.name).stem, author="")


def read_named_file(name: str, data: bytes, *, source: str | None = None) -> NamedFile:
    """Read ``ID.txt``, ``ID_expNN.txt`` or their JSON form. Raises ``Refused``.

    ``source`` is the essay's text where it is known already: it settles doubtful brackets.
    """
    path = PurePosixPath(name)
    number, author = split_name(path.stem)
    file, problems = _read(path.suffix.lower(), data, source)
    _refuse_unsound(file.markup.text)
    author = author or file.meta.expert
    return NamedFile(
        name=name,
        number=number,
        author=author,
        is_expert=bool(file.meta.expert) or bool(EXPERT.fullmatch(author)),
        file=file,
        remarks=tuple(sentences(problems)),
    )


def split_name(stem: str) -> tuple[str, str]:
    """The essay's number and the author, if any, that a file's name gives. Raises ``Refused``."""
    parts = FILE_NAME.fullmatch(stem)
    if parts is None or EXPERT.fullmatch(parts["number"]):
        raise Refused(_("The file’s name must begin with the essay’s number."))
    return parts["number"], parts["author"] or ""


def sentences(problems: Iterable[Problem]) -> list[str]:
    """Problems as whole sentences with their places, in the reader's language."""
    found = []
    for problem in problems:
        place = place_of(problem, _)
        sentence = describe(problem, _)
        found.append(f"{place}: {sentence}" if place else sentence)
    return found


def _read(suffix: str, data: bytes, source: str | None) -> tuple[MarkedFile, list[Problem]]:
    text = _decode(data)
    if "\0" in text:
        raise Refused(_seems_to_be("UTF-16") if _is_utf16(data) else _("The file holds a NUL."))
    if suffix == ".json":
        try:
            reading = file_from_json(read_json(text))
        except JsonTextError as error:
            raise Refused(_with_place(error)) from None
        if reading.refused:
            blocking = [problem for problem in reading.problems if problem.blocks]
            raise Refused(" ".join(sentences(blocking[:3])))
        return reading.file, list(reading.problems)
    parsed = parse(text, source=source)
    return parsed.file, list(parsed.problems)


def _with_place(error: JsonTextError) -> str:
    sentence = describe_error(error, _)
    place = _("line {line}, column {column}")
    return f"{place.format(**error.fields)}: {sentence}" if "line" in error.fields else sentence


def _decode(data: bytes) -> str:
    """UTF-8, or whatever a byte order mark says; anything else is refused by its name."""
    encoding = next((name for mark, name in BOMS.items() if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        guess = _guess(data)
        if guess:
            raise Refused(_seems_to_be(guess)) from None
        message = _("Byte %d is not UTF-8. Save the file in that encoding.")
        raise Refused(message % error.start) from None


def _seems_to_be(encoding: str) -> str:
    return _("The file seems to be in %s. Save it as UTF-8.") % encoding


def _is_utf16(data: bytes) -> bool:
    """True when every second byte is often 0, and the bytes between them never are."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    return min(even, odd) == 0 and even + odd > max(3, len(data) // 50)


def _guess(data: bytes) -> str:
    """The old Russian encoding in which most foreign bytes come out as lower-case Cyrillic."""
    names = {"cp1251": "Windows-1251", "koi8-r": "KOI8-R", "cp866": "CP866"}
    foreign = bytes(byte for byte in data if byte > 127)
    scores = {
        codec: sum("а" <= sign <= "я" for sign in foreign.decode(codec, "replace"))
        for codec in names
    }
    best = max(scores, key=lambda codec: scores[codec])
    return names[best] if scores[best] > max(3, len(foreign) // 2) else ""


def _refuse_unsound(text: str) -> None:
    if not text:
        raise Refused(_("The file holds no essay."))
    if len(text) > MAX_TEXT:
        raise Refused(_("The essay is longer than 100,000 characters."))
