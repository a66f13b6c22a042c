"""The filter an address of the desk asks for in words, and words of it that name nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.models import User
from annotator.models import EssaySet
from annotator.queries.sets import CHECKED_SETS
from review.core.desk import Asked, Number, Order
from web.forms import asked_words, is_number_of_row

MOST: Final = 80


def unknown_words(given: Mapping[str, str]) -> list[str]:
    """Those of the filter that are no set, subject, state, expert or order; a query for a set,
    and one for an expert, where they are asked for.
    """
    words = {name: asked_words(given, name, MOST) for name in KNOWN}
    return [word for name, word in words.items() if word and not KNOWN[name](word)]


def _is_set(word: str) -> bool:
    return EssaySet.objects.filter(CHECKED_SETS, name=word).exists()


def _is_expert(word: str) -> bool:
    experts = User.objects.filter(role=User.Role.EXPERT)
    return is_number_of_row(word) and experts.filter(pk=int(word)).exists()


KNOWN: Final[Mapping[str, Callable[[str], bool]]] = {
    "set": _is_set,
    "subject": dict(settings.SUBJECTS).__contains__,
    "state": frozenset(each.value for each in Number).__contains__,
    "expert": _is_expert,
    "order": frozenset(each.value for each in Order).__contains__,
}


@dataclass(frozen=True, slots=True)
class InEffect:
    """A part of the desk's filter in words, and the address of the list without it."""

    words: str
    query: str


def in_effect(asked: Asked, experts: Mapping[int, str]) -> list[InEffect]:
    """What the numbers of the desk count only, beside the set its heading names; ``experts``: those
    of its list, by name.
    """
    said = {}
    if asked.subject:
        said["subject"] = _("subject: %s") % dict(settings.SUBJECTS)[asked.subject]
    if asked.expert:
        name = experts.get(asked.expert) or User.objects.get(pk=asked.expert)
        said["expert"] = _("expert: %s") % name
    if asked.words:
        said["q"] = _("search: “%s”") % asked.words
    return [InEffect(words, asked.without(name).query) for name, words in said.items()]
