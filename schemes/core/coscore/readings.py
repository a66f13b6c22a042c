"""Which open questions of the language a rule touches, and so which readings its scores rest on.

Source: schemes.md 2.3; its numbers are given here. The codes are stable and part of every result,
the sentences are in ``messages.READINGS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from schemes.core.coscore import nodes
from schemes.core.coscore.desc import (
    REMOVE,
    entries_of,
    modifies,
    strings_of,
    tail_of,
    threshold_of,
)
from schemes.core.coscore.kinds import NUMBER, TRUTH, kinds_of
from schemes.core.coscore.nodes import Node, within
from schemes.core.coscore.values import Atom, AtomType, Mode, Rule

SPLIT: Final = "split-at-separator"
"""21: where the blanks of an answer in a table end."""
ROUNDED: Final = "ratings-rounded"
"""24: how a score becomes one of the ratings 0 to 10."""


def readings_of(rule: Rule, trees: Mapping[str, Node]) -> tuple[str, ...]:
    """The codes of the readings that can change a number of this rule, in a fixed order."""
    parts = [node for tree in trees.values() for node in within(tree)]
    asked = dict.fromkeys(node.atom for node in parts if isinstance(node, nodes.Ask))
    atoms = [rule.atoms[key] for key in asked]
    kinds = [(combo.mode, kinds_of(trees[key])) for key, combo in rule.combos.items()]
    found = [code for code, touches in OF_ATOMS.items() if any(map(touches, atoms))]
    found += [code for code, touches in OF_NODES.items() if any(map(touches, parts))]
    if any(mode is Mode.VALUE and kind >= TRUTH for mode, kind in kinds):
        found.append("truth-as-number")
    if any(mode is Mode.LOGIC and kind >= NUMBER for mode, kind in kinds):
        found.append("number-as-truth")
    return tuple(found)


def _is_near(atom: Atom) -> bool:
    return atom.type in (AtomType.OP, AtomType.CS)


def _has_late_modifier(atom: Atom) -> bool:
    """6: a plain option stands before a modifier."""
    if atom.type is not AtomType.SM:
        return False
    rows = ([modifies(word) for word in each.words] for each in entries_of(atom))
    return any(True in row[row.index(False) :] for row in rows if False in row)


def _has_modifier(atom: Atom, *signs: str) -> bool:
    return atom.type is AtomType.SM and any(
        sign in signs for entry in entries_of(atom) for sign, _word in entry.modifiers
    )


def _lacks_a_string(atom: Atom) -> bool:
    """7 and 11."""
    if atom.type is AtomType.SM:
        return any(each.lacks_a_word for each in entries_of(atom))
    return _is_near(atom) and "" in tail_of(atom).split(",")


def _is_blank(node: Node, operator: str) -> bool:
    return isinstance(node, nodes.Blank) and node.operator == operator


OF_ATOMS: Final[Mapping[str, Callable[[Atom], bool]]] = {
    "modifiers-first": _has_late_modifier,
    "removed-from-answer": lambda atom: _has_modifier(atom, REMOVE),
    "modifiers-never-hit": lambda atom: _has_modifier(atom, "!", REMOVE),
    "empty-options-ignored": _lacks_a_string,
    "first-colon": lambda atom: _is_near(atom) and any(":" in each for each in strings_of(atom)),
    "threshold-zero": lambda atom: _is_near(atom) and threshold_of(atom) == 0,
    "signs-as-multiset": lambda atom: atom.type is AtomType.CS,
}
"""6, 6a, 8, 7 and 11, 9, 10, 12."""
OF_NODES: Final[Mapping[str, Callable[[Node], bool]]] = {
    "length-in-signs": lambda node: _is_blank(node, "L"),
    "no-number-is-zero": lambda node: _is_blank(node, "F"),
    "empty-or-null": lambda node: _is_blank(node, "Q"),
}
"""1, 3 and 4, 5."""
