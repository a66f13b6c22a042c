"""What stands in an atom's ``desc``: answer strings, options, modifiers, a threshold.

Source: 2.1.1.2, 2.1.2.2 to 2.1.2.4, 2.1.3.2, 2.1.4.2. Readings: schemes.md 2.3, 6 to 11. Only the
half-width comma, ``|`` and ``:`` separate; blanks and letter case count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from schemes.core.coscore.limits import MAX_NUMBER, MAX_STRING, MAX_STRINGS
from schemes.core.coscore.problems import Problem, shown
from schemes.core.coscore.values import Atom, AtomType

SKIP: Final = "!"
REMOVE: Final = "~"
THRESHOLD: Final = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*:")


@dataclass(frozen=True, slots=True)
class Entry:
    """One answer string of SM: its modifiers (``!`` or ``~``, word) in order, its plain options."""

    string: str
    modifiers: tuple[tuple[str, str], ...]
    options: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """Modifiers and options as they are written."""
        return self.string.split("|")

    @property
    def lacks_a_word(self) -> bool:
        """Is one of them empty?"""
        return bool({"", SKIP, REMOVE}.intersection(self.words))


def strings_of(atom: Atom) -> tuple[str, ...]:
    """The answer strings of EM, OP or CS; for OP and CS those that are not empty (11)."""
    if atom.type is AtomType.EM:
        return tuple(atom.desc.split(","))
    return tuple(string for string in tail_of(atom).split(",") if string)


def threshold_of(atom: Atom) -> float | None:
    """The threshold N of OP or CS; ``None`` when the desc does not begin with a number."""
    found = THRESHOLD.match(atom.desc)
    return float(found[1]) if found else None


def entries_of(atom: Atom) -> tuple[Entry, ...]:
    """The answer strings of SM; options without a word are left out (7)."""
    return tuple(_entry(string) for string in atom.desc.split(","))


def tail_of(atom: Atom) -> str:
    """What follows the first colon of an OP or CS (9)."""
    return atom.desc.partition(":")[2]


def modifies(word: str) -> bool:
    """Is an option of SM a modifier?"""
    return word.startswith((SKIP, REMOVE))


def weight(atom: Atom) -> int:
    """How many signs a text is held against."""
    return 0 if atom.type is AtomType.EM else len(atom.desc)


def problems_of(atom_id: str, atom: Atom) -> list[Problem]:
    """What is wrong with an atom, and what is only odd."""
    return [
        Problem(code, atom=atom_id, blocks=blocks, fields=fields)
        for code, blocks, fields in (*_sizes(atom), *CHECKS[atom.type](atom))
    ]


Found = tuple[str, bool, dict[str, object]]
"""The code of a problem, whether it blocks, the fields of its sentence."""


def _sizes(atom: Atom) -> Iterator[Found]:
    strings = atom.desc.replace("|", ",").split(",")
    if len(strings) > MAX_STRINGS:
        yield "too-many-strings", True, {"count": len(strings), "limit": MAX_STRINGS}
    longest = max(strings, key=len)
    if len(longest) > MAX_STRING:
        yield "string-too-long", True, {"name": shown(longest), "limit": MAX_STRING}


def _em(atom: Atom) -> Iterator[Found]:
    if "" in atom.desc.split(","):
        yield "empty-answer-counts", False, {}


def _sm(atom: Atom) -> Iterator[Found]:
    """The first of each oddity stands for all of them."""
    entries = entries_of(atom)
    lacking = next((each for each in entries if each.lacks_a_word), None)
    if lacking:
        yield "empty-option", False, {"name": shown(lacking.string)}
    idle = next((each for each in entries if not each.options), None)
    if idle:
        yield "entry-never-hits", False, {"name": shown(idle.string)}


def _near(atom: Atom) -> Iterator[Found]:
    """OP and CS."""
    found = THRESHOLD.match(atom.desc)
    if not found or len(found[1]) > MAX_NUMBER:
        yield "threshold-missing", True, {"name": shown(atom.desc)}
        return
    threshold = float(found[1])
    if not 0 <= threshold <= 1:
        yield "threshold-outside", True, {"value": found[1]}
    elif threshold == 0:
        yield "threshold-zero", False, {}
    if not strings_of(atom):
        yield "no-strings", True, {}
    elif "" in tail_of(atom).split(","):
        yield "empty-option", False, {"name": shown(tail_of(atom))}


CHECKS: Final[dict[AtomType, Callable[[Atom], Iterable[Found]]]] = {
    AtomType.EM: _em,
    AtomType.SM: _sm,
    AtomType.OP: _near,
    AtomType.CS: _near,
}


def _entry(string: str) -> Entry:
    words = string.split("|")
    if SKIP not in string and REMOVE not in string:
        return Entry(string, (), tuple(filter(None, words)))
    modifiers = tuple((word[0], word[1:]) for word in words if modifies(word) and word[1:])
    options = tuple(word for word in words if word and not modifies(word))
    return Entry(string, modifiers, options)
