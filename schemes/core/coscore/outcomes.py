"""What comes out of scoring an answer, and why it came out so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from schemes.core.coscore.matching import Sight
from schemes.core.coscore.problems import Problem
from schemes.core.coscore.values import Number, Value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule says about an answer.

    ``score``: from 0 to 10, not rounded; ``None`` when there are ``errors``. ``points``: what each
    combo gives before the score is clamped; ``None`` where it has no value. ``readings``: codes of
    the open questions of the language that this rule touches.
    """

    score: Number | None
    points: Mapping[str, Number | None]
    errors: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """The value of a part of an expression; ``start`` and ``end`` are its place there."""

    start: int
    end: int
    source: str
    value: Value


@dataclass(frozen=True, slots=True)
class AskedAtom:
    """What an atom said about a text, and what became of each of its answer strings."""

    atom: str
    text: str
    logic: bool
    value: Number
    sights: tuple[Sight, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """An outcome and how it came about.

    ``steps``: of each combo, the parts of its expression that were computed, inner ones first.
    ``asked``: each atom with each text once, in the order of asking.
    """

    outcome: Outcome
    steps: Mapping[str, tuple[Step, ...]]
    asked: tuple[AskedAtom, ...]
