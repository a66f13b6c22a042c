"""How the schemes put findings into words: foreign strings shortened, places before sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from web.core.sentences import N_, Translate

LONGEST: Final = 60
"""Signs of a foreign string that a sentence shows."""
BLANK_INSIDE: Final = N_("A blank stands in “{name}”. Remove it.")
"""Of an id or a number: what one overlooks most easily."""


def shown(value: object) -> str:
    """A foreign string as a sentence may show it: short, on one line, without control signs."""
    text = "".join(sign if sign.isprintable() else "�" for sign in str(value)[: LONGEST + 1])
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def filled(sentence: str, fields: Mapping[str, object], translate: Translate) -> str:
    """A sentence in the reader's language with its fields; lists with commas, or a dash."""
    return translate(sentence).format(**{name: _words(value) for name, value in fields.items()})


def has_blank(name: str) -> bool:
    """Whether a blank stands in an id or a number, be it before or after its signs."""
    return any(map(str.isspace, name))


def with_blank(sentence: str, name: object, translate: Translate) -> str:
    """The sentence, and that a blank stands in the id or number it is about, if one does."""
    if not isinstance(name, str) or not has_blank(name):
        return sentence
    return f"{sentence} {filled(BLANK_INSIDE, {'name': name}, translate)}"


def placed(numbered: Iterable[tuple[str, object]], translate: Translate, field: str = "") -> str:
    """Where something is: “line {number}” and the like as far as known, then the field."""
    parts = [
        filled(words, {"number": value}, translate)
        for words, value in numbered
        if value not in (None, "")
    ]
    return ", ".join([*parts, shown(field)] if field else parts)


def _words(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(shown(each) or "“”" for each in value) or "–"
    return shown(value)
