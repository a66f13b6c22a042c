"""The coordinators' desk in values: six numbers, what an address asks for, the order of a list."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from typing import Final, TypeVar
from urllib.parse import urlencode

T = TypeVar("T", bound=StrEnum)

MOST_WORDS: Final = 100
MOST_NAME: Final = 80
MOST_DIGITS: Final = 18


class Number(StrEnum):
    """What the desk counts. Every essay is in exactly one of ``STATES``, or in none where it is not
    assigned and no check of it is wanted; it may be late and handed back besides.
    """

    LATE = "late"
    RETURNED = "returned"
    UNASSIGNED = "unassigned"
    WORKING = "working"
    THIRD = "third"
    SETTLED = "settled"


STATES: Final = (Number.UNASSIGNED, Number.WORKING, Number.THIRD, Number.SETTLED)


class Held(IntEnum):
    """How far a check is."""

    NOBODY = 0
    OPEN = 1
    SUBMITTED = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an essay's three checks are; ``needed``: what was decided about the third."""

    first: Held
    second: Held
    third: Held
    needed: bool | None

    @property
    def number(self) -> Number:
        """The state the essay is counted in."""
        if Held.NOBODY in (self.first, self.second):
            return Number.UNASSIGNED
        if Held.OPEN in (self.first, self.second):
            return Number.WORKING
        if self.third is Held.SUBMITTED or self.needed is False:
            return Number.SETTLED
        return Number.WORKING if self.is_being_decided else Number.THIRD

    def counted(self, *, is_idle: bool) -> Number | None:
        """The same; nothing where nobody is given an essay that needs no check."""
        is_left = is_idle and self.number is Number.UNASSIGNED
        return None if is_left else self.number

    @property
    def is_being_decided(self) -> bool:
        """Both earlier checks are in, and whether they call for a third one is not said yet."""
        is_in = self.first is self.second is Held.SUBMITTED
        return is_in and self.third is not Held.SUBMITTED and self.needed is None

    @property
    def left(self) -> int:
        """The checks that are to be done yet, as far as it is known."""
        is_wanted = bool(self.needed) and self.third is not Held.SUBMITTED
        return 2 - (self.first, self.second).count(Held.SUBMITTED) + is_wanted

    @property
    def open_checks(self) -> int:
        """The checks that are given and not submitted, whether the essay needs them or not."""
        return (self.first, self.second, self.third).count(Held.OPEN)

    @property
    def code(self) -> int:
        """The same as a number, by ``PLACES`` and ``DECIDED``."""
        held = zip(PLACES, (self.first, self.second, self.third), strict=True)
        return sum(place * each for place, each in held) + DECIDED * DECISIONS.index(self.needed)


PLACES: Final = (1, 3, 9)
"""What a check that is open adds to the code; one that is submitted adds it twice."""
DECIDED: Final = 27
DECISIONS: Final = (None, False, True)
BY_CODE: Final[Mapping[int, Progress]] = {
    each.code: each
    for each in itertools.starmap(Progress, itertools.product(Held, Held, Held, DECISIONS))
}


URGENCIES: Final = "".join(
    str(2 + STATES.index(BY_CODE[code].number)) for code in range(len(BY_CODE))
)
"""For each code a digit: the smaller, the sooner somebody is to look at the essay.
What is late has 0, what was handed back 1.
"""


class Order(StrEnum):
    """What stands first: the latest and then what is next in urgency, the smallest number, what is
    due next.
    """

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
    def is_chosen_in_lists(self) -> bool:
        """True where one of the lists says something: not for the words or the number alone."""
        return bool({"set", "subject", "expert", "order"} & self.fields.keys())

    @property
    def is_narrow(self) -> bool:
        """True where it is about some essays of a set, not about all of them."""
        return bool(self.number or self.words or self.expert or self.subject)

    @property
    def query(self) -> str:
        """The same as an address, from the question mark on."""
        return f"?{urlencode(self.fields)}"

    def without(self, name: str) -> Asked:
        """The same filter without what one of its ``fields`` asks for."""
        return asked_of({key: value for key, value in self.fields.items() if key != name})

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
