"""How a core puts something into words, and the sentences about JSON that cannot be read.

The English words are the keys of the standard gettext catalogue in ``razbor/locale``; whoever
speaks to a person brings the translator.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from web.core.errors import JsonTextError, JsonValueError

Translate = Callable[[str], str]


def N_(message: str) -> str:  # noqa: N802 - the usual name of a mark for the extractor
    """Mark a message for extraction."""
    return message


JSON_SENTENCES: Final[Mapping[str, str]] = {
    "not-json": N_("This is not JSON. Look at the quotes, commas and brackets here."),
    "not-utf8": N_("Byte {byte} is not UTF-8. Save the file in that encoding."),
    "utf-16": N_("The file is UTF-16. Save it as UTF-8."),
    "is-packed": N_(
        "This is a {kind} archive, and a text is expected here. Unpack it and give the file in it."
    ),
    "json-too-deep": N_("The JSON is nested deeper than {limit} levels."),
    "json-repeated-key": N_("The key “{name}” stands twice in one object. Keep one of them."),
    "json-bad-number": N_("The number {value} cannot be used. Write a finite one."),
    "text-has-nul": N_("A string holds a NUL character. Remove it."),
    "text-has-surrogate": N_("A string holds half of a surrogate pair. Write the whole character."),
}

VALUE_SENTENCES: Final[Mapping[str, str]] = {
    "not-an-object": N_("A JSON object is expected here."),
    "not-a-list": N_("A list is expected here."),
    "not-a-string": N_("A string is expected here. Put it in quotes."),
    "empty-string": N_("The string is empty. Write a name."),
    "not-one-of": N_("“{value}” is none of these: {known}."),
    "key-missing": N_("The key “{name}” is missing. Add it."),
    "key-unknown": N_("The key “{name}” is unknown. Check its spelling."),
}


def describe_json(error: JsonTextError, translate: Translate) -> str:
    """The sentence of what ``json_text`` refused, without its place."""
    return fill(JSON_SENTENCES[error.code], error.fields, translate)


def describe_value(
    error: JsonValueError, translate: Translate, own: Mapping[str, str] | None = None
) -> str:
    """The sentence of a value of another shape after its place; ``own``: further sentences."""
    sentence = ({**VALUE_SENTENCES, **(own or {})})[error.code]
    words = fill(sentence, error.fields, translate)
    return f"{error.path}: {words}" if error.path else words


def fill(sentence: str, fields: Mapping[str, object], translate: Translate) -> str:
    """A sentence in the reader's language with its fields, each on one line."""
    words = {
        name: in_one_line(value) if isinstance(value, str) else value
        for name, value in fields.items()
    }
    return translate(sentence).format(**words)


def in_one_line(words: str) -> str:
    """Somebody's words, fit to be repeated: what breaks lines, has no form or turns the direction
    of writing is escaped, so that one sentence stays one line.
    """
    if words.isprintable():
        return words
    return "".join(
        sign
        if sign.isprintable() or unicodedata.category(sign) == "Zs"
        else sign.encode("unicode_escape").decode()
        for sign in words
    )
