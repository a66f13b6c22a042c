"""The state of a plan while it is made: who is free, who has what, who has how much.

Sets of people are masks: bit ``i`` is the ``i``-th person by number, so that a question about three
hundred people is one operation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import combinations

from review.core.plan_values import Pair, Person, Rules, Work, bits, pair


@dataclass(slots=True)
class Slot:
    """A check that is to be given. ``was``: the place of who had it, ``person``: of who gets it.

    ``waits_for``: the place of whom it is pinned to, where only room is missing.
    """

    sheet: Sheet
    role: str
    was: int | None = None
    person: int | None = None
    is_pinned: bool = False
    waits_for: int | None = None


@dataclass(slots=True)
class Sheet:
    """An essay at work. ``base``: who may have it at all, holders' conflicts set aside."""

    work: Work
    base: int
    holders: tuple[int, ...] = ()
    slots: list[Slot] = field(default_factory=list)

    def others(self, slot: Slot | None = None) -> Iterator[int]:
        """The places of who gets its other checks."""
        for each in self.slots:
            if each is not slot and each.person is not None:
                yield each.person


class Desk:
    """People with their loads, and the questions a plan asks about them."""

    def __init__(self, people: Sequence[Person], rules: Rules) -> None:
        self.people = sorted(people, key=lambda each: each.id)
        self.place = {each.id: at for at, each in enumerate(self.people)}
        self.foes = _foes(self.people, rules)
        self.named = _named(self.place, rules)
        self.room = [_room(each, rules) for each in self.people]
        self.checks = [each.checks for each in self.people]
        self.words = [each.words for each in self.people]
        self.competent: dict[str, int] = defaultdict(int)
        self.pool: dict[str, int] = defaultdict(int)
        self.present = 0
        for at, each in enumerate(self.people):
            self.present |= 0 if each.is_absent else 1 << at
            for subject in each.subjects:
                self.competent[subject] |= 1 << at
                if not each.is_absent and not each.is_out:
                    self.pool[subject] |= 1 << at
        self.most = max(self.words, default=0)
        self.met: Counter[Pair] = Counter()
        self.full = sum(1 << at for at in range(len(self.people)) if not self.has_room(at))
        self.held: list[list[Slot]] = [[] for _ in self.people]
        self._lines: dict[str, list[tuple[int, int, int]]] = {}
        self._seats: dict[tuple[int, int], bool] = {}

    def mask(self, people: Iterator[int] | Sequence[int] | frozenset[int]) -> int:
        """The set of people by their numbers; whoever is no expert is left out."""
        return sum(1 << self.place[each] for each in set(people) if each in self.place)

    def settle(self) -> None:
        """Begin to give: what somebody had before counts no more as the most."""
        self.most = max(self.words, default=0)

    def has_room(self, at: int) -> bool:
        """May this person have one more check?"""
        room = self.room[at]
        return room is None or self.checks[at] < room

    def foes_of(self, places: Iterator[int] | Sequence[int]) -> int:
        """Everybody in conflict with one of these, and these."""
        found = 0
        for at in places:
            found |= self.foes[at] | 1 << at
        return found

    def able(self, sheet: Sheet, slot: Slot) -> int:
        """Who may have a check beside who gets the other ones; limits are not asked."""
        return sheet.base & ~self.foes_of(sheet.others(slot))

    def seats(self, mask: int, count: int) -> bool:
        """Can so many people who are not in conflict be found among these?"""
        if count <= 0 or not mask:
            return count <= 0
        key = (mask, count)
        if key not in self._seats:
            lowest = (mask & -mask).bit_length() - 1
            rest = mask & ~(1 << lowest)
            self._seats[key] = self.seats(rest & ~self.foes[lowest], count - 1) or (
                # without named pairs it is never better to leave somebody out
                bool(self.named[lowest] & rest) and self.seats(rest, count)
            )
        return self._seats[key]

    def add(self, slot: Slot, at: int) -> None:
        """Give a check."""
        slot.person = at
        self.held[at].append(slot)
        self._count(at, 1, slot.sheet.work.words)

    def drop(self, slot: Slot) -> None:
        """Take back a check, if somebody has it."""
        at = slot.person
        if at is None:
            return
        slot.person = None
        self.held[at] = [each for each in self.held[at] if each is not slot]
        self._count(at, -1, -slot.sheet.work.words)

    def release(self, at: int, words: int) -> None:
        """Count a check that somebody has held no more."""
        self._count(at, -1, -words)

    def nearest(
        self, subject: str, mask: int, suits: Callable[[int], bool] | None, most: int
    ) -> list[int]:
        """Up to so many of these people: those with the fewest words, then checks, then numbers.

        Only whoever ``suits``; where nobody does, the first of them all.
        """
        line, first = self._line(subject), -1
        aside: list[tuple[int, int, int]] = []
        found: list[int] = []
        while line and len(found) < most:
            entry = heappop(line)
            words, checks, at = entry
            if (words, checks) != (self.words[at], self.checks[at]) or self.full >> at & 1:
                continue  # as it was once
            if aside and entry == aside[-1]:
                continue
            aside.append(entry)
            if mask >> at & 1:
                first = at if first < 0 else first
                if suits is None or suits(at):
                    found.append(at)
        for entry in aside:
            heappush(line, entry)
        return found or ([first] if first >= 0 else [])

    def freshest(self, places: Sequence[int], others: Sequence[int], words: int) -> int:
        """Who of these, the least loaded first, has met the others least often in this plan.

        Nobody who has more than the first would have is asked, nor gets anybody more by it than the
        most that somebody has.
        """
        least = self.words[places[0]] + words
        most = max(self.most, least)
        fair = [at for at in places if self.words[at] <= least and self.words[at] + words <= most]
        return min(fair, key=lambda at: sum(self.met[pair(at, each)] for each in others))

    def meet(self, places: Sequence[int]) -> None:
        """Remember who checks an essay together."""
        for one, other in combinations(places, 2):
            self.met[pair(one, other)] += 1

    def _line(self, subject: str) -> list[tuple[int, int, int]]:
        if subject not in self._lines:
            self._lines[subject] = [
                (self.words[at], self.checks[at], at) for at in bits(self.pool[subject])
            ]
            heapify(self._lines[subject])
        return self._lines[subject]

    def _count(self, at: int, checks: int, words: int) -> None:
        self.checks[at] += checks
        self.words[at] += words
        self.most = max(self.most, self.words[at])
        if self.has_room(at):
            self.full &= ~(1 << at)
        else:
            self.full |= 1 << at
        for subject in self.people[at].subjects & self._lines.keys():
            if self.pool[subject] >> at & 1:
                heappush(self._lines[subject], (self.words[at], self.checks[at], at))


def _room(person: Person, rules: Rules) -> int | None:
    """How many checks a plan may leave with somebody."""
    limits = [each for each in (person.limit, rules.limit) if each is not None]
    return max(0, min(limits) - rules.kept) if limits else None


def _foes(people: Sequence[Person], rules: Rules) -> list[int]:
    """For each person who is in conflict with it."""
    schools: dict[str, int] = defaultdict(int)
    if rules.keeps_schools_apart:
        for at, each in enumerate(people):
            if each.school:
                schools[each.school] |= 1 << at
    place = {each.id: at for at, each in enumerate(people)}
    named = _named(place, rules)
    return [
        (named[at] | schools.get(each.school, 0)) & ~(1 << at) for at, each in enumerate(people)
    ]


def _named(place: dict[int, int], rules: Rules) -> list[int]:
    found = [0] * len(place)
    for one, other in rules.conflicts:
        if one in place and other in place and one != other:
            found[place[one]] |= 1 << place[other]
            found[place[other]] |= 1 << place[one]
    return found
