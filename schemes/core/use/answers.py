"""Strings of answers and keys -> what is compared: lists of numbers, words of letters.

Seed 001: numbers are separated by commas without blanks; a text is one or more words written
together, in lower case. schemes.md 1.1, and 1.2 for the readings named at the functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

SEPARATORS: Final = re.compile(r"[\s,;.]+")
NUMBER: Final = re.compile(r"[0-9]+")
MOST_WORDS: Final = 6
"""A key of more words has the one order in which it is written."""


def numbers_of(answer: str, *, lenient: bool = False) -> list[str]:
    """The items of an answer, as strings: "12" is one number, not two.

    Between two commas stands an item, whatever it is: what is no number matches nothing
    (1.2, 2). ``lenient``: blanks, semicolons and full stops separate as well, and none is an
    item by itself.
    """
    if lenient:
        return [piece for piece in SEPARATORS.split(answer) if piece]
    return answer.split(",") if answer else []


def key_numbers(key: str) -> list[str] | None:
    """The numbers of a key, which may be written with blanks; ``None`` if it has anything else."""
    numbers = numbers_of(key, lenient=True)
    return numbers if all(NUMBER.fullmatch(each) for each in numbers) else None


def letters_of(text: str, *, yo: bool = False) -> str:
    """The letters of a text in lower case and nothing else (1.2, 7); ``yo``: ё becomes е.

    Composed forms are taken first, so that ё and й are one letter however they are encoded.
    """
    letters = "".join(filter(str.isalpha, normalize("NFC", text).lower()))
    return letters.replace("ё", "е") if yo else letters


def words_of_key(key: str, *, yo: bool = False) -> list[tuple[str, ...]]:
    """The accepted strings of a text key, each as its words; a string without letters is none."""
    alternatives = (
        tuple(filter(None, (letters_of(word, yo=yo) for word in alternative.split())))
        for alternative in key.split(",")
    )
    return [words for words in alternatives if words]


def is_any_order(answer: str, words: Sequence[str]) -> bool:
    """True when the answer is these words, glued in any order (1.2, 6; at most six words)."""
    if len(answer) != sum(map(len, words)):
        return False
    if len(words) > MOST_WORDS:
        return answer == "".join(words)
    return _begins(answer, 0, tuple(words))


def _begins(answer: str, at: int, words: tuple[str, ...]) -> bool:
    return not words or any(
        answer.startswith(word, at)
        and _begins(answer, at + len(word), (*words[:index], *words[index + 1 :]))
        for index, word in enumerate(words)
    )
