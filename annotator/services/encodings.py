"""Bytes -> text: UTF-8 or what a byte order mark announces; anything else is refused by name."""

from __future__ import annotations

import re
from typing import Final

from annotator.services.refusals import unfit
from web.core.old_encodings import old_encoding
from web.refusals import Refused

BOMS: Final = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
BEGINNINGS: Final = {
    b"PK\x03\x04": "word",
    b"\xd0\xcf\x11\xe0": "old-word",
    b"%PDF": "PDF",
    b"{\\rtf": "RTF",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF8": "picture",
    b"\x1f\x8b": "archive",
    b"7z\xbc\xaf": "archive",
    b"Rar!": "archive",
    b"\x7fELF": "program",
    b"MZ\x90": "program",
}
"""How files begin that are no text, whatever their names say."""

CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f]")
"""What no essay holds, but for a stray one that a program left."""
ONE_IN: Final = 50


def decode(data: bytes) -> str:
    """The text of a file. Raises ``Refused``, which says what to do."""
    kind = next((kind for begin, kind in BEGINNINGS.items() if data.startswith(begin)), "")
    if kind:
        raise unfit("is-of-a-kind", kind=kind)
    encoding = next((name for mark, name in BOMS.items() if data.startswith(mark)), "utf-8")
    if encoding == "utf-8" and _is_utf16(data):
        raise unfit("other-encoding", encoding="UTF-16")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _why_not(data, encoding, error.start) from None
    controls = len(CONTROLS.findall(text))
    if controls > 1 + len(text) // ONE_IN:
        raise unfit("is-no-text")
    if "\0" in text:
        raise unfit("holds-nul")
    return text


def _why_not(data: bytes, encoding: str, at: int) -> Refused:
    if encoding != "utf-8":
        announced = encoding.removesuffix("-sig").upper()
        return unfit("goes-on-otherwise", encoding=announced)
    guess = old_encoding(data)
    if guess:
        return unfit("other-encoding", encoding=guess)
    if len(CONTROLS.findall(data.decode("latin-1"))) > 1 + len(data) // ONE_IN:
        return unfit("is-no-text")
    return unfit("not-utf8", byte=at)


def _is_utf16(data: bytes) -> bool:
    """True when every second byte is one of the few that stand for an alphabet.

    Of Latin letters it is 0, of Cyrillic ones 4; no text in UTF-8 holds so many of either.
    """
    halves = [data[start::2] for start in (0, 1)]
    high = [half.count(0) + half.count(4) for half in halves]
    return max(high) > max(1, len(halves[0]) * 3 // 4) and min(high) <= len(data) // ONE_IN
