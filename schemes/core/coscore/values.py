"""The nouns of a rule: atoms, combos, and how combos make a score.

Source: the CoScore rule manual, 1 to 2.3 (the document's numbers are cited in this package).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

Number = int | float
Value = bool | int | float | str
"""What an expression can give (2.2.1.5, and a text on the way there)."""


class AtomType(StrEnum):
    """How an atom looks at a text (2.1.1 to 2.1.4)."""

    EM = "EM"
    SM = "SM"
    OP = "OP"
    CS = "CS"


class Mode(StrEnum):
    """How a combo's value becomes points (2.2.2)."""

    LOGIC = "logic"
    VALUE = "value"


class ComboMode(StrEnum):
    """How the combos' points become a score (2.3)."""

    ADD = "ADD"
    MAX = "MAX"


@dataclass(frozen=True, slots=True)
class Atom:
    """2.1: a kind of matching and the strings it matches, as they are written."""

    type: AtomType
    desc: str


@dataclass(frozen=True, slots=True)
class Combo:
    """2.2: an expression, as it is written, and the points it is worth."""

    expression: str
    score: Number
    mode: Mode


@dataclass(frozen=True, slots=True)
class Rule:
    """1: atoms and combos by their ids, in the order of the rule. Read one with ``read_rule``."""

    atoms: Mapping[str, Atom]
    combos: Mapping[str, Combo]
    combo_mode: ComboMode
