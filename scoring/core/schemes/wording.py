"""How the schemes put findings into words: foreign strings shortened, places before sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from annotator.core.messages import Translate

LONGEST: Final = 60
"""Signs of a foreign string that a sentence shows."""


def shown(value: object) -> str:
    """A foreign string as a sentence may show it: short, on one line, without control signs."""
    text = "".join(sign if sign.isprintable() else "�" for sign in str(value)[: LONGEST + 1])
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def filled(sentence: str, fields: Mapping[str, object], translate: Translate) -> str:
    """A sentence in the reader's language with its fields; lists with commas, or a dash."""
    return translate(sentence).format(**{name: _words(value) for name, value in fields.items()})


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
