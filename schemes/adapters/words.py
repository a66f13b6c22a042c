"""Sentences that are kept with a run: in every language of the platform, whoever reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, override

from web.core.sentences import Translate

Lazy = str | Promise
Said = Mapping[str, str]
"""Language -> sentence."""
Wording = Callable[[Translate], str]
"""What the messages of the cores are: a translator in, a sentence out."""

KEPT: Final = 4096
OPTION: Final = re.compile(r" \(--[^)]*\)")
"""How a sentence names an option of the command line."""


def said(wording: Wording) -> dict[str, str]:
    """A sentence in every language."""
    return {code: wording(_translator(code)) for code, _name in settings.LANGUAGES}


def without_options(sentence: str) -> str:
    """A sentence of a core as a page says it: there an option has a field, not a name."""
    return OPTION.sub("", sentence)


def joined(sentences: list[Said], between: str = "; ") -> dict[str, str]:
    """Several sentences as one."""
    return {
        code: between.join(each[code] for each in sentences) for code, _name in settings.LANGUAGES
    }


def in_language(sentence: Said, code: str | None = None) -> str:
    """The sentence as the reader of this moment wants it."""
    wanted = (code or get_language() or settings.LANGUAGE_CODE).partition("-")[0]
    return sentence.get(wanted) or sentence.get(settings.LANGUAGE_CODE, "")


def _translator(code: str) -> Translate:
    return lambda message: _translated(code, message)


@lru_cache(maxsize=KEPT)
def _translated(code: str, message: str) -> str:
    with override(code):
        return gettext(message)
