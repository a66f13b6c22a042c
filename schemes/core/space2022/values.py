"""The nouns of SpaCE2022, subtask 2: reasons of a spatial anomaly, and what they score.

Indices count the characters (code points) of a question's context from 0 and need not be
contiguous (seed 003, note 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from schemes.core.space2022.problems import NOWHERE, Place, Problem

ROLES: Final[Mapping[str, tuple[str, ...]]] = {
    "A": ("text1", "text2"),
    "B": ("S1", "P1", "E1", "S2", "P2", "E2"),
    "C": ("S", "P", "E"),
}
"""The types of reasons with their roles: A 搭配不当, B 语义冲突, C 不符合常识或背景信息."""


class Fragment(NamedTuple):
    """Characters of the context that play a role; ``text`` is only shown, indices count."""

    role: str
    indices: tuple[int, ...]
    text: object = None


class Reason(NamedTuple):
    """Why a context is anomalous: fragments by role, in the order of the file.

    ``number`` counts the reasons of a record from 1. ``roles`` has the characters of every role;
    ``size`` sums them, so that a character in two roles counts twice. ``repeats``: a role, or an
    index within a fragment, stands twice.
    """

    number: int
    type: str
    fragments: tuple[Fragment, ...]
    roles: Mapping[str, frozenset[int]]
    size: int
    repeats: bool

    @property
    def characters(self) -> frozenset[int]:
        """Those of all roles together; made anew each time, since keeping them takes much room."""
        return frozenset().union(*self.roles.values())


def reason_of(number: int, type_: str, fragments: Sequence[Fragment]) -> Reason:
    """A reason with its sets of characters: of fragments with one role the union is taken."""
    roles: dict[str, frozenset[int]] = {}
    size = written = 0
    for role, indices, _text in fragments:
        roles[role] = found = frozenset(indices)
        size += len(found)
        written += len(indices)
    repeats = size != written or len(roles) != len(fragments)
    if len(roles) != len(fragments):
        roles = _united(fragments)
        size = sum(map(len, roles.values()))
    return Reason(number, type_, tuple(fragments), roles, size, repeats)


def _united(fragments: Iterable[Fragment]) -> dict[str, frozenset[int]]:
    united: dict[str, set[int]] = {}
    for role, indices, _text in fragments:
        united.setdefault(role, set()).update(indices)
    return {role: frozenset(found) for role, found in united.items()}


@dataclass(frozen=True, slots=True)
class Question:
    """A context with its reference reasons; ``context`` is ``None`` where the file has none."""

    qid: str
    context: str | None
    reasons: tuple[Reason, ...]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Prediction:
    """The reasons a system gave for a question, of every type as many as it wrote."""

    qid: str
    reasons: tuple[Reason, ...]
    place: Place = NOWHERE

    @property
    def candidates(self) -> tuple[Reason, ...]:
        """The first reason of each type (seed 003, 3.2, step 1)."""
        first: dict[str, Reason] = {}
        for reason in self.reasons:
            first.setdefault(reason.type, reason)
        return tuple(first.values())


@dataclass(frozen=True, slots=True)
class Answers:
    """The questions of an answer file as far as they could be read."""

    questions: tuple[Question, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Predictions:
    """The predictions of a system as far as they could be read."""

    predictions: tuple[Prediction, ...]
    problems: tuple[Problem, ...] = ()


class Tally(NamedTuple):
    """Characters both sides have, those of the candidate, those of the reference."""

    hit: int
    candidate: int
    reference: int

    @property
    def f1(self) -> float:
        """2·hit / (candidate + reference), the F1 of precision and recall; 0 without a hit."""
        return 2 * self.hit / (self.candidate + self.reference) if self.hit else 0.0

    def beats(self, other: Tally) -> bool:
        """Whether the F1 is greater, decided in whole numbers."""
        ours, theirs = self.candidate + self.reference, other.candidate + other.reference
        return self.hit * theirs > other.hit * ours if other.hit else self.hit > 0


NOTHING: Final = Tally(0, 0, 0)


class Figure(NamedTuple):
    """A question's best pair by one of the figures; without reasons where no pair has a hit."""

    tally: Tally
    candidate: Reason | None = None
    reference: Reason | None = None


class Level(StrEnum):
    """The levels of the published script: elements with types, or characters alone."""

    STRICT = "strict"
    LOOSE = "loose"


class ScriptFigures(NamedTuple):
    """What the published script has of a question: three figures of its best pair, the type."""

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0
    type_is_right: bool = False


class ReadingCode(StrEnum):
    """The readings of schemes.md 3.2 that can change a number; the values are stable codes."""

    HEADLINE = "headline-element"
    OMITTED = "omitted-roles-cost-recall"
    OTHER_TYPE = "roles-of-the-type-only"
    INDICES = "indices-not-text"
    TYPE_AT_TEXT = "type-of-best-text-pair"
    FIRST_PAIR = "first-of-equal-pairs"
    LITERAL = "roles-as-written"
    UNION = "repeated-once"
    LAST = "last-of-qid"
    OUTSIDE = "outside-context-refused"
    MISSING = "missing-is-zero"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question scores. ``prediction`` is ``None`` where there is no usable one.

    ``element`` and ``text`` are the figures of the best pairs, which may be different pairs;
    ``type_is_right``: both reasons of the best text pair have one type. ``readings``: those
    under which another reading may give this question other figures.
    """

    question: Question
    prediction: Prediction | None
    element: Figure
    text: Figure
    type_is_right: bool
    strict: ScriptFigures
    loose: ScriptFigures
    readings: tuple[ReadingCode, ...] = ()

    @property
    def is_perfect(self) -> bool:
        """True when no character was missed or extra in any role."""
        hit, candidate, reference = self.element.tally
        return hit > 0 and 2 * hit == candidate + reference


@dataclass(frozen=True, slots=True)
class Taken:
    """A reading that was taken, and for how many questions or records another one may differ."""

    code: ReadingCode
    count: int


@dataclass(frozen=True, slots=True)
class ScriptScore:
    """The five figures of the published script, under its own names."""

    type_accuracy: float
    micro_f1: float
    macro_f1: float
    avg_precision: float
    avg_recall: float


@dataclass(frozen=True, slots=True)
class Score:
    """The whole: three means over the reference questions, ``None`` where there is no question.

    Outcomes stand in the order of the answer file.
    """

    element_f1: float | None
    text_f1: float | None
    type_accuracy: float | None
    outcomes: tuple[Outcome, ...]
    script: Mapping[Level, ScriptScore]
    warnings: tuple[Problem, ...] = ()
    readings: tuple[Taken, ...] = ()
