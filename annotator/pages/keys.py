"""What became of files that were sent as keys, where there is something to say of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from annotator.core.messages import sentence_of
from annotator.core.problems import first_of
from annotator.services.giving_keys import KeyFile

TOLD: Final = 5
"""So many of the things that are wrong or odd in a file are told at once, the others counted."""


@dataclass(frozen=True, slots=True)
class KeyLine:
    """A file that is no key, or an odd one, and why."""

    name: str
    refusal: bool
    words: str


def key_lines(files: Iterable[KeyFile]) -> list[KeyLine]:
    """The files that were refused, then those that are odd."""
    told = [(each, each.refusal or each.remarks) for each in files]
    lines = [
        KeyLine(
            each.name,
            bool(each.refusal),
            " ".join(sentence_of(one, _) for one in first_of(why, TOLD)),
        )
        for each, why in told
        if why
    ]
    return sorted(lines, key=lambda line: not line.refusal)
