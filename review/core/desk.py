"""The coordinators' desk in values: six numbers, what an address asks for, the order of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar
from urllib.parse import urlencode

T = TypeVar("T", bound=StrEnum)

MOST_WORDS: Final = 100
MOST_NAME: Final = 80
MOST_DIGITS: Final = 18


class Number(StrEnum):
    """What the desk counts. Every essay is in exactly one of ``STATES``; it may be late and
    handed back besides.
    """

    LATE = "late"
    RETURNED = "returned"
    UNASSIGNED = "unassigned"
    WORKING = "working"
    THIRD = "third"
    SETTLED = "settled"


STATES: Final = (Number.UNASSIGNED, Number.WORKING, Number.THIRD, Number.SETTLED)


class Order(StrEnum):
    """What stands first: the latest, the smallest number, what is due next."""

    LATE = "late"
    NUMBER = "number"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address asks the desk for; empty fields ask for everything."""

    set_name: str = ""
    subject: str = ""
    number: Number | None = None
    expert: int | None = None
    words: str = ""
    order: Order = Order.LATE

    @property
    def fields(self) -> dict[str, str]:
        """The same as fields of an address, those that ask for nothing left out."""
        found = {
            "set": self.set_name,
            "subject": self.subject,
            "state": self.number or "",
            "expert": str(self.expert or ""),
            "q": self.words,
            "order": "" if self.order is Order.LATE else self.order,
        }
        return {name: str(value) for name, value in found.items() if value}

    @property
    def query(self) -> str:
        """The same as an address, from the question mark on."""
        return f"?{urlencode(self.fields)}"

    def counting(self, number: Number | None) -> Asked:
        """The same filter for what a number counts."""
        return replace(self, number=number)


def asked_of(given: Mapping[str, str]) -> Asked:
    """What the fields of an address ask for; nobody's mistake narrows the list."""
    expert = given.get("expert", "")
    is_number = expert.isascii() and expert.isdecimal() and len(expert) <= MOST_DIGITS
    return Asked(
        set_name=_words(given, "set", MOST_NAME),
        subject=_words(given, "subject", MOST_NAME),
        number=_one_of(Number, given.get("state", "")),
        expert=int(expert) if is_number else None,
        words=_words(given, "q", MOST_WORDS),
        order=_one_of(Order, given.get("order", "")) or Order.LATE,
    )


def _words(given: Mapping[str, str], name: str, most: int) -> str:
    return given.get(name, "").strip()[:most].replace("\0", "")


def _one_of(values: type[T], word: str) -> T | None:
    return values(word) if word in {each.value for each in values} else None
