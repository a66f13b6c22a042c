"""How the four kinds of atoms look at a text: logic and value (2.1), and why.

An atom is prepared once and asked often. Readings: schemes.md 2.3, 6 to 8, 10 and 12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import truediv
from typing import Final, Protocol

from schemes.core.coscore.desc import SKIP, Entry, entries_of, strings_of, threshold_of
from schemes.core.coscore.subsequences import Subsequences
from schemes.core.coscore.values import Atom, AtomType, Number

Verdict = tuple[bool, Number]
"""What an atom returns: its logic and its value (2.1)."""
MISS: Final[Verdict] = (False, 0)


@dataclass(frozen=True, slots=True)
class Sight:
    """What became of one answer string.

    ``option``: the word that was found (EM, SM). ``skipped_by``: the word of ``!`` that was found;
    ``removed``: the words of ``~`` that were taken out (SM). ``common`` and ``out_of``: the length
    of the common subsequence and of the string (OP), the signs in common and in all (CS).
    """

    string: str
    hit: bool
    option: str | None = None
    skipped_by: str | None = None
    removed: tuple[str, ...] = ()
    common: int | None = None
    out_of: int | None = None

    @property
    def ratio(self) -> float | None:
        """How near the text comes to the string, from 0 to 1; ``None`` for EM and SM."""
        return None if self.common is None else _share(self.common, self.out_of or 0)


class Matcher(Protocol):
    """An atom that was prepared."""

    def verdict(self, text: str) -> Verdict:
        """Logic and value of a text."""

    def sights(self, text: str) -> Iterator[Sight]:
        """What became of each answer string, in the order of the rule."""


class Exact:
    """EM, 2.1.1: the text equals one of the strings."""

    def __init__(self, atom: Atom) -> None:
        self._ordered = strings_of(atom)
        self._strings = frozenset(self._ordered)

    def verdict(self, text: str) -> Verdict:
        """True and 1, or false and 0."""
        return (True, 1) if text in self._strings else MISS

    def sights(self, text: str) -> Iterator[Sight]:
        """Each string, and whether the text is just that."""
        for string in self._ordered:
            yield Sight(string, string == text, string if string == text else None)


class Part:
    """SM, 2.1.2: how many of the strings the text holds, each by one of its options."""

    def __init__(self, atom: Atom) -> None:
        self._entries = entries_of(atom)
        self._plain = [(entry.modifiers, entry.options) for entry in self._entries]

    def verdict(self, text: str) -> Verdict:
        """The number of strings hit."""
        hits = 0
        for modifiers, options in self._plain:
            rest = _modified(text, modifiers) if modifiers else text
            if rest is None:
                continue
            for option in options:
                if option in rest:
                    hits += 1
                    break
        return (True, hits) if hits else MISS

    def sights(self, text: str) -> Iterator[Sight]:
        """Each string with the option that was found, or the modifiers that kept it from that."""
        for entry in self._entries:
            yield _sight(entry, text)


class Near:
    """What OP and CS share: the best of the ratios counts if it reaches the threshold (2.1.3.3)."""

    def __init__(self, atom: Atom) -> None:
        self._strings = strings_of(atom)
        self._threshold = threshold_of(atom) or 0.0

    def verdict(self, text: str) -> Verdict:
        """The greatest ratio."""
        best = self._best(text)
        return (True, best) if best >= self._threshold else MISS

    def sights(self, text: str) -> Iterator[Sight]:
        """Each string with what it has in common with the text."""
        for string, (common, out_of) in zip(self._strings, self._measured(text), strict=True):
            hit = _share(common, out_of) >= self._threshold
            yield Sight(string, hit, common=common, out_of=out_of)

    def _best(self, text: str) -> float:
        return max(_share(common, out_of) for common, out_of in self._measured(text))

    def _measured(self, text: str) -> Iterator[tuple[int, int]]:
        raise NotImplementedError


class Ordered(Near):
    """OP, 2.1.3: the longest common subsequence over the length of the string."""

    def __init__(self, atom: Atom) -> None:
        super().__init__(atom)
        self._sizes = [len(string) for string in self._strings]
        self._lengths = Subsequences(self._strings).lengths

    def _best(self, text: str) -> float:
        best: float = max(map(truediv, self._lengths(text), self._sizes))
        return best

    def _measured(self, text: str) -> Iterator[tuple[int, int]]:
        return zip(self._lengths(text), self._sizes, strict=True)


class Alike(Near):
    """CS, 2.1.4: Jaccard's measure of the multisets of signs, without case and white space (12)."""

    def __init__(self, atom: Atom) -> None:
        super().__init__(atom)
        self._bags = [_bag(string) for string in self._strings]

    def _measured(self, text: str) -> Iterator[tuple[int, int]]:
        mine = _bag(text)
        size = mine.total()
        for bag in self._bags:
            common = sum(min(count, mine[sign]) for sign, count in bag.items() if sign in mine)
            yield common, size + bag.total() - common


MATCHERS: Final[dict[AtomType, Callable[[Atom], Matcher]]] = {
    AtomType.EM: Exact,
    AtomType.SM: Part,
    AtomType.OP: Ordered,
    AtomType.CS: Alike,
}


def _modified(text: str, modifiers: tuple[tuple[str, str], ...]) -> str | None:
    """What is left to look in; ``None`` when a word of ``!`` is there (2.1.2.4)."""
    for sign, word in modifiers:
        if sign != SKIP:
            text = text.replace(word, "")
        elif word in text:
            return None
    return text


def _sight(entry: Entry, text: str) -> Sight:
    removed: list[str] = []
    for sign, word in entry.modifiers:
        if word in text and sign == SKIP:
            return Sight(entry.string, hit=False, skipped_by=word, removed=tuple(removed))
        if word in text:
            removed.append(word)
            text = text.replace(word, "")
    option = next((option for option in entry.options if option in text), None)
    return Sight(entry.string, option is not None, option, removed=tuple(removed))


def _bag(text: str) -> Counter[str]:
    return Counter(sign.lower() for sign in text if not sign.isspace())


def _share(common: int, out_of: int) -> float:
    """A ratio; nothing in nothing is nothing (12)."""
    return common / out_of if out_of else 0.0
