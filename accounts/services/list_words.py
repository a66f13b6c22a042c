"""Words of a list of people: codes, and the same in every language of the platform."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import override

APART = re.compile("[,;]")
AFTER_A_NAME = re.compile(r"(\w\s+)язык\b", re.IGNORECASE)


def codes_by_word(choices: Sequence[tuple[str, Any]]) -> dict[str, str]:
    """Codes by how people write them: the code itself, and its name in each language."""
    found: dict[str, str] = {}
    for code, name in choices:
        for language, _name in settings.LANGUAGES:
            with override(language):
                found[plain(str(name))] = code
    return found | {code: code for code, _name in choices}


def code_of(word: str, choices: Sequence[tuple[str, Any]]) -> str | None:
    """The code a word stands for; ``None`` where it stands for none."""
    return codes_by_word(choices).get(plain(word))


def read_codes(text: str, known: dict[str, str]) -> tuple[list[str], list[str]]:
    """The codes that commas, semicolons or blanks part, and the words that are none of them.

    Names may hold blanks: a piece between commas is tried as a whole first. Schools say «русский
    язык», where the name is its first word.
    """
    codes: list[str] = []
    unknown: list[str] = []
    for piece in APART.split(text):
        words = [piece] if plain(piece) in known else AFTER_A_NAME.sub(r"\1", piece).split()
        for word in words:
            code = known.get(plain(word))
            if code is None:
                unknown.append(word)
            elif code not in codes:
                codes.append(code)
    return codes, unknown


def plain(word: str) -> str:
    """A word as it is compared: blanks and capitals do not count."""
    return " ".join(word.split()).casefold()
