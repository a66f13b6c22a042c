"""What an archive says of its licence (R 7.13)."""

from __future__ import annotations

from typing import Final

ADDRESSES: Final = {
    "CC BY 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC BY-SA 4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "CC0 1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
}
OF_FINALS: Final = "CC BY 4.0"
"""Under which markups of the finals are published, whatever a contest says of its data (R 7.13)."""
WORDS: Final = """\
{name}

Материалы этого архива распространяются на условиях лицензии {licence}.
Указывайте конкурс «{name}» как источник.

The contents of this archive are licensed under {licence}.
Name the contest “{name_en}” as their source.
"""
ATTRIBUTION: Final = """
CC BY 4.0: Creative Commons Attribution 4.0 International. You may share and adapt the material for
any purpose, even commercially, as long as you give appropriate credit, provide a link to the
licence and say whether changes were made. The licence is the text at the address below; this is a
notice and not the licence.
"""


def licence_of(own: str, *, is_of_finals: bool) -> str:
    """The licence of an archive, by that of its contest's data."""
    return OF_FINALS if is_of_finals else own


def licence_text(*, licence: str, name: str, name_en: str) -> str:
    """The text of ``LICENCE.txt``: the licence by name, in both languages, and its address."""
    said = WORDS.format(licence=licence, name=name, name_en=name_en or name)
    address = ADDRESSES.get(licence)
    if licence == "CC BY 4.0":
        said += ATTRIBUTION
    return f"{said}\n{address}\n" if address else said
