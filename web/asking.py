"""The page before an act that stays: what would happen in words, and where the answer goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

STAYS: Final = _("A verdict stays as it is said: it cannot be changed or taken back.")


@dataclass(frozen=True, slots=True)
class Question:
    """A question in words, shown by ``question.html``.

    ``title`` asks, each of ``words`` is a paragraph of what would happen, ``warning`` says what
    cannot be undone. ``button`` answers yes, ``back`` is the address that an answer of no leads
    to. ``address``: where the answer goes, empty for the page itself; ``fields`` go with it.
    ``reason``: the label of a remark that may be written, empty where none is asked for; somebody
    who ``must_say_why`` cannot leave it out. ``is_grave``: the button is one of danger.
    """

    title: str
    words: Sequence[str]
    button: str
    back: str
    address: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    must_say_why: bool = False
    is_grave: bool = False
    warning: str = ""


def of_verdict(asked: Question, *, why_returned: str = "", must_say: str = "") -> Question:
    """The question of a verdict, which stays and may bear a remark.

    ``why_returned``: the label of the reason of one that returns something, which must say it;
    ``must_say``: that of what another one must say.
    """
    return replace(
        asked,
        reason=str(why_returned or must_say or _("Remark")),
        must_say_why=bool(why_returned or must_say),
        is_grave=bool(why_returned),
        warning=str(STAYS),
    )
