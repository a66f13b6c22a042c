"""Bytes of a file -> its lines; the character code is found for each file (seed 004, --answer).

A file of ASCII with escapes is ISO-2022-JP. Of the others UTF-8 is the hardest to be taken for by
accident and Shift_JIS the easiest; one that reads the whole file comes before one that does not.
Lines that cannot be read under the code that was found are told, and the others are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from schemes.core.qac.errors import UnusableFileError
from web.core.packed import packed_as

MAX_BYTES: Final = 20 * 1024 * 1024
BREAK: Final = re.compile("\r\n|\r|\n")
BYTE_BREAK: Final = re.compile(BREAK.pattern.encode())
UTF_8_MARK: Final = b"\xef\xbb\xbf"
UTF_16_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")
ESCAPE: Final = b"\x1b"
ESCAPES: Final = (b"\x1b$", b"\x1b(")
"""With one of these a text of ISO-2022-JP goes over to another set of signs."""
NARROW: Final = re.compile("[｡-ﾟ]")
STRAY: Final = re.compile("[\x80\uf8f0-\uf8f3]")
"""As which Python's codec reads bytes that Shift_JIS does not have."""
ALIKE: Final = str.maketrans("～∥－￠￡￢", "〜‖−¢£¬")
"""Signs of Shift_JIS that Python's codec of Windows reads otherwise than that of EUC-JP."""


class Encoding(StrEnum):
    """The character codes that are read."""

    UTF_8 = "UTF-8"
    ISO_2022_JP = "ISO-2022-JP"
    EUC_JP = "EUC-JP"
    SHIFT_JIS = "Shift_JIS"


CODECS: Final = {
    Encoding.UTF_8: ("utf-8",),
    Encoding.ISO_2022_JP: ("iso2022_jp_ext",),
    Encoding.EUC_JP: ("euc_jp", "euc_jis_2004"),
    Encoding.SHIFT_JIS: ("cp932",),
}
"""Python's codecs of a code; the second of EUC-JP knows signs of vendors, such as ①."""


@dataclass(frozen=True, slots=True)
class Undecodable:
    """A line that cannot be read: the first byte that is none of the code, counted from 1, and
    what stands before it.
    """

    byte: int
    begin: str


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a file in their order, without their ends."""

    lines: Sequence[str | Undecodable]
    encoding: Encoding


def read_lines(data: bytes | str, encoding: Encoding | None = None) -> Lines:
    """The lines of a file; ``encoding`` if it is known. ``str`` is text that was decoded before.

    Raises ``UnusableFileError`` for more than ``MAX_BYTES``, for UTF-16, and for what is no text,
    be it an archive.
    """
    if len(data) > MAX_BYTES:
        raise UnusableFileError("file-too-large", limit=MAX_BYTES // 2**20)
    if isinstance(data, str):
        return Lines(BREAK.split(data.removeprefix("\ufeff")), Encoding.UTF_8)
    if data.startswith(UTF_16_MARKS):
        raise UnusableFileError("utf-16")
    if kind := packed_as(data):
        raise UnusableFileError("is-packed", kind=kind)
    data = data.removeprefix(UTF_8_MARK)
    if not encoding and data.isascii() and any(escape in data for escape in ESCAPES):
        encoding = Encoding.ISO_2022_JP
    attempts = ((_whole, encoding), (_by_lines, encoding)) if encoding else ATTEMPTS
    for attempt, each in attempts:
        read = attempt(data, each)
        if read:
            return read
    raise UnusableFileError("not-text", line=_first_unreadable(data, attempts[-1][1]))


def _whole(data: bytes, encoding: Encoding) -> Lines | None:
    """``None`` if a byte of the file is none of the code."""
    try:
        return Lines(BREAK.split(_decoded(data, encoding)), encoding)
    except UnicodeDecodeError:
        return None


def _whole_without_narrow(data: bytes, encoding: Encoding) -> Lines | None:
    """As ``_whole``; ``None`` also for narrow katakana, as which any EUC-JP can be read."""
    read = _whole(data, encoding)
    return None if read and any(NARROW.search(str(line)) for line in read.lines) else read


def _by_lines(data: bytes, encoding: Encoding) -> Lines | None:
    """``None`` if more than half of the lines that are not plain cannot be read."""
    lines = BYTE_BREAK.split(data)
    read = [_line(line, encoding) for line in lines]
    unreadable = sum(isinstance(line, Undecodable) for line in read)
    special = sum(not line.isascii() or ESCAPE in line for line in lines)
    return Lines(read, encoding) if 2 * unreadable <= special else None


def _first_unreadable(data: bytes, encoding: Encoding) -> int:
    lines = enumerate(BYTE_BREAK.split(data), 1)
    return next(number for number, line in lines if isinstance(_line(line, encoding), Undecodable))


def _line(line: bytes, encoding: Encoding) -> str | Undecodable:
    try:
        return _decoded(line, encoding)
    except UnicodeDecodeError as error:
        return Undecodable(error.start + 1, line[: error.start].decode("ascii", "replace"))


def _decoded(data: bytes, encoding: Encoding) -> str:
    *others, last = CODECS[encoding]
    for codec in others:
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    text = data.decode(last)
    if encoding is not Encoding.SHIFT_JIS:
        return text
    stray = STRAY.search(text)
    if stray:
        at = len(text[: stray.start()].encode(last))
        raise UnicodeDecodeError(last, data, at, at + 1, "no sign of Shift_JIS")
    return text.translate(ALIKE)


ATTEMPTS: Final = (
    (_whole, Encoding.UTF_8),
    (_whole, Encoding.EUC_JP),
    (_by_lines, Encoding.UTF_8),
    (_whole_without_narrow, Encoding.SHIFT_JIS),
    (_by_lines, Encoding.EUC_JP),
    (_by_lines, Encoding.SHIFT_JIS),
)
"""In this order: hardly any file of a later line is taken for one of an earlier line."""
