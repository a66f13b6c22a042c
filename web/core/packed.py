"""Archives and texts in UTF-16 given where UTF-8 is expected: named as what they are."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from typing import Final

from web.core.errors import JsonTextError

ARCHIVES: Final = {
    b"PK\x03\x04": "ZIP",
    b"PK\x05\x06": "ZIP",
    b"\x1f\x8b": "gzip",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "RAR",
}
"""How archives begin, whatever their names say."""


def packed_as(data: bytes) -> str:
    """What kind of archive a file is; empty for one that is none."""
    return next((kind for begin, kind in ARCHIVES.items() if data.startswith(begin)), "")


def why_not_utf8(data: bytes, byte: int) -> JsonTextError:
    """What is said of a file whose ``byte`` is the first not in UTF-8, be it no JSON."""
    if kind := packed_as(data):
        return JsonTextError("is-packed", kind=kind)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return JsonTextError("utf-16")
    return JsonTextError("not-utf8", byte=byte)
