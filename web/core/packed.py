"""Archives given where a text is expected: named as what they are."""

from __future__ import annotations

from typing import Final

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
