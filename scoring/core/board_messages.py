"""What is wrong with a case of a board, and why a board does not say how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scoring.core.board import Standing, Unsure
from web.core.errors import JsonValueError
from web.core.sentences import N_, Translate, describe_value

SENTENCES: Final[Mapping[str, str]] = {
    "bad-hardness": N_("The hardness H is a number from 0 to 1."),
    "name-twice": N_("The name “{name}” stands twice. Keep one of them."),
    "essay-not-listed": N_("The essay “{name}” is not among “essays”. Add it there."),
    "bad-accuracy": N_("An accuracy is a number from 0 to 100, in percent."),
}
REASONS: Final[Mapping[Standing, str]] = {
    Standing.ANNULLED: N_("annulled"),
    Standing.EXCLUDED: N_("excluded"),
    Standing.NO_ANSWERS: N_("no essay counts"),
}
UNSURE: Final[Mapping[Unsure, str]] = {
    Unsure.FEW_ESSAYS: N_("How sure the ranks are is told from 10 essays on."),
    Unsure.MANY_RANKED: N_("How sure the ranks are is told up to 1,000 ranked participants."),
    Unsure.NO_NUMPY: N_("How sure the ranks are needs numpy: pip install razbor[bulk]"),
}


def describe(error: JsonValueError, translate: Translate) -> str:
    """The sentence, with its place before it."""
    return describe_value(error, translate, SENTENCES)
