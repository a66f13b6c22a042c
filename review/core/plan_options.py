"""What somebody asks of a plan, and how a plan and what changed of it are kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Final

from review.core.desk import MOST_DIGITS, Asked, Number
from review.core.desk import asked_of as desk_asked_of
from review.core.plan_values import Given, Load, Proposal, Reason, Taken, Unfilled

NAMED: Final = 20
"""So many people are kept of those a reason is about."""
Check = tuple[int, str]
"""An essay's number and one of its checks."""


class Wanted(StrEnum):
    """Which essays of a set a plan looks at: by the checks nobody has."""

    ANY = "any"
    BOTH = "both"
    ONE = "one"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class Picked:
    """What of the desk's list a plan keeps to beside set and subject: the rest of its filter, and
    the essays that were ticked; empty fields keep to everything.
    """

    state: str = ""
    expert: int | None = None
    words: str = ""
    ticked: tuple[int, ...] = ()

    @property
    def filter(self) -> Asked | None:
        """The desk's filter; ``None`` where it asks for everything."""
        asked = Asked(
            number=Number(self.state) if self.state else None,
            expert=self.expert,
            words=self.words,
        )
        return asked if asked.fields else None

    @property
    def fields(self) -> dict[str, str]:
        """The same as fields of a form, those that keep to everything left out."""
        found = self.filter.fields if self.filter else {}
        return found | ({"ticked": ",".join(map(str, self.ticked))} if self.ticked else {})


def picked_of(given: Mapping[str, str]) -> Picked:
    """What the fields of a form or an address pick; nobody's mistake picks anything."""
    asked = desk_asked_of(given)
    return Picked(
        state=str(asked.number or ""),
        expert=asked.expert,
        words=asked.words,
        ticked=numbers_of(given.get("ticked", "").split(",")),
    )


def numbers_of(words: Iterable[str]) -> tuple[int, ...]:
    """Those of the words that are numbers of rows, each once and in order."""
    found = (word for word in words if word.isascii() and word.isdecimal())
    return tuple(sorted({int(word) for word in found if len(word) <= MOST_DIGITS}))


@dataclass(frozen=True, slots=True)
class Options:
    """The filter and the rules of a plan; ``None`` is all sets, no limit.

    ``out``: who is to get nothing. ``adjusts``: what was not begun may move to others.
    ``picked``: what of the desk's list it keeps to.
    """

    essay_set: int | None = None
    subject: str = ""
    wanted: str = Wanted.ANY
    limit: int | None = None
    kept: int = 0
    keeps_schools_apart: bool = True
    adjusts: bool = False
    out: tuple[int, ...] = ()
    picked: Picked = Picked()

    def to_json(self) -> dict[str, Any]:
        """As a row keeps it."""
        picked = asdict(self.picked) | {"ticked": list(self.picked.ticked)}
        return asdict(self) | {"out": list(self.out), "picked": picked}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Options:
        """The way back; what an earlier plan did not know has its default."""
        picked = dict(kept.get("picked", {}))
        if "ticked" in picked:
            picked["ticked"] = tuple(picked["ticked"])
        return cls(**{**kept, "out": tuple(kept.get("out", ())), "picked": Picked(**picked)})


def outcome_to_json(made: Proposal, subjects: Iterable[int]) -> dict[str, Any]:
    """A proposal as a row keeps it, with the loads of ``subjects``: those who could be asked."""
    shown = set(subjects)
    return {
        "given": [[each.work, each.role, each.person, each.is_pinned] for each in made.given],
        "taken": [[each.work, each.role, each.person] for each in made.taken],
        "unfilled": [
            [each.work, each.role, each.reason, list(each.people[:NAMED]), len(each.people)]
            for each in made.unfilled
        ],
        "thirdless": list(made.thirdless),
        "loads": [
            [each.person, each.checks, each.words, each.checks_after, each.words_after]
            for each in made.loads
            if each.person in shown
        ],
    }


def outcome_from_json(kept: Mapping[str, Any]) -> Proposal:
    """The way back; of the people of a reason the first ``NAMED``."""
    return Proposal(
        given=tuple(Given(*each) for each in kept["given"]),
        taken=tuple(Taken(*each) for each in kept["taken"]),
        unfilled=tuple(
            Unfilled(work, role, Reason(reason), tuple(people))
            for work, role, reason, people, _count in kept["unfilled"]
        ),
        thirdless=tuple(kept["thirdless"]),
        loads=tuple(Load(*each) for each in kept["loads"]),
    )


def digest_of(made: Proposal) -> str:
    """A sign that two proposals do the same; loads and reasons are no deeds."""
    deeds = [
        [[each.work, each.role, each.person, each.is_pinned] for each in made.given],
        [[each.work, each.role, each.person] for each in made.taken],
        [[each.work, each.role] for each in made.unfilled],
    ]
    return hashlib.sha256(json.dumps(deeds).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Change:
    """A check that a plan treats otherwise than it did.

    ``before``, ``after``: who was and is to get it, ``None`` for nobody. ``is_gone``: it is not to
    be given any more, ``after`` has it. ``is_new``: it was none to be given before.
    """

    work: int
    role: str
    before: int | None
    after: int | None
    is_gone: bool = False
    is_new: bool = False


def changes_between(
    before: Proposal, after: Proposal, holders: Mapping[Check, int]
) -> tuple[Change, ...]:
    """What a plan does otherwise, in the order of essays; ``holders``: who has which check now."""
    old, new = _wishes(before), _wishes(after)
    found = []
    for check in sorted(old.keys() | new.keys()):
        work, role = check
        if check not in new:
            found.append(Change(work, role, old[check], holders.get(check), is_gone=True))
        elif check not in old:
            found.append(Change(work, role, None, new[check], is_new=True))
        elif old[check] != new[check]:
            found.append(Change(work, role, old[check], new[check]))
    return tuple(found)


def _wishes(made: Proposal) -> dict[Check, int | None]:
    nobody: dict[Check, int | None] = {(each.work, each.role): None for each in made.unfilled}
    return nobody | {(each.work, each.role): each.person for each in made.given}
