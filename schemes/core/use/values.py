"""The nouns of the USE scheme: tasks, predictions, and what they score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from schemes.core.use.answers import key_numbers, words_of_key
from schemes.core.use.errors import RecordError
from schemes.core.use.exam import (
    FULL,
    KINDS,
    MATCHING,
    MAXIMA,
    POSITIONS,
    TWO_POINTS,
    TYPES,
    AnswerKind,
)
from schemes.core.use.problems import NOWHERE, Place, Problem


@dataclass(frozen=True, slots=True)
class Task:
    """One task of a variant with its key. Raises ``RecordError`` if it could not be scored.

    ``id``, ``id_task`` and ``variant`` are strings, since files write them as numbers as well
    (schemes.md 1.2, 11); ``id_type`` tells which, and is empty where a format does not know.
    ``type`` is one of ``exam.TYPES``; ``key`` is what ``outputs`` says.
    """

    id: str
    id_task: str
    variant: str
    type: str
    key: str
    place: Place = NOWHERE
    id_type: str = ""

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise RecordError("unknown-type", "meta.type", name=self.type)
        if self.id_task not in MAXIMA:
            raise RecordError("unknown-task", "meta.id_task", name=self.id_task)
        if self.kind is not self.expected_kind and self._is_bound:
            raise RecordError(
                "type-does-not-fit",
                "meta.type",
                name=self.type,
                task=self.id_task,
                expected=self.expected_kind.value,
            )
        self._refuse_key()

    @property
    def kind(self) -> AnswerKind:
        """How answers to this task are compared."""
        return TYPES[self.type]

    @property
    def expected_kind(self) -> AnswerKind:
        """The kind of the exam's task of this name."""
        return KINDS[self.id_task]

    @property
    def maximum(self) -> int:
        """The points of a right answer: 2 for task 16, 4 for task 26, else 1."""
        return MAXIMA[self.id_task]

    @property
    def _is_bound(self) -> bool:
        """Points other than 0 and 1 are defined for one kind only."""
        return self.id_task in (TWO_POINTS, MATCHING) or self.kind is AnswerKind.MATCHING

    def _refuse_key(self) -> None:
        if self.kind is AnswerKind.TEXT:
            if not words_of_key(self.key):
                raise RecordError("empty-key", "outputs")
            return
        numbers = key_numbers(self.key)
        if numbers is None:
            raise RecordError("key-not-numbers", "outputs", key=self.key)
        if not numbers:
            raise RecordError("empty-key", "outputs")
        if self.kind is AnswerKind.MATCHING and len(numbers) != POSITIONS:
            raise RecordError("key-length", "outputs", expected=POSITIONS, got=len(numbers))


@dataclass(frozen=True, slots=True)
class Prediction:
    """The answer to the task of this id, as the model wrote it."""

    id: str
    answer: str
    place: Place = NOWHERE
    id_type: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """What is not the seed's own rule and therefore off.

    ``lenient``: blanks, semicolons and full stops separate numbers too (schemes.md 1.2, 2).
    ``yo``: ё and е are one letter (1.2, 7).
    """

    lenient: bool = False
    yo: bool = False


DEFAULTS: Final = Options()


class ReadingCode(StrEnum):
    """The readings of schemes.md 1.2 that can change a number; the values are stable codes."""

    WRONG_LENGTH = "wrong-length-is-zero"
    STRICT = "strict-separators"
    LENIENT = "lenient-separators"
    TRIMMED = "outer-blanks-trimmed"
    REPEATED = "repeated-numbers-once"
    SINGLE_KEY = "single-number-key"
    ANY_ORDER = "any-word-order"
    KEY_LETTERS = "key-letters-only"
    YO_DIFFERS = "yo-differs"
    YO_ALIKE = "yo-alike"
    MISSING = "missing-is-zero"
    INCOMPLETE = "incomplete-by-34"
    LAST = "last-of-id"
    AS_TEXT = "ids-as-text"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an answer has its points: a stable code and its fields, worded in ``messages``.

    * right; no-prediction; empty-answer
    * numbers-differ: ``missing`` and ``extra`` numbers, and ``missing_count``, ``extra_count``
    * words-differ: ``tried``, the accepted strings; ``read``, the answer's letters
    * positions-differ: ``wrong`` positions, counted from 1; ``expected`` of all
    * wrong-length: ``expected`` and ``got``, counts of numbers

    Of an answer of numbers that is not right and has a blank in it, ``blank_in`` is that answer.
    """

    code: str
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one task scores. ``answer`` is ``None`` when the predictions have none.

    ``readings``: those under which another reading would give this answer other points.
    """

    task: Task
    answer: str | None
    points: int
    reason: Reason
    readings: tuple[ReadingCode, ...] = ()

    @property
    def answered(self) -> bool:
        """True when the predictions have the task, be the answer empty."""
        return self.answer is not None

    @property
    def lost(self) -> int:
        """Points short of the maximum."""
        return self.task.maximum - self.points


@dataclass(frozen=True, slots=True)
class Variant:
    """One exam paper: its points of 34.

    ``missing``: names of tasks the key does not have; ``unanswered``: names of those without a
    prediction. Both cost their points.
    """

    name: str
    points: int
    missing: tuple[str, ...] = ()
    unanswered: tuple[str, ...] = ()
    maximum: int = FULL


@dataclass(frozen=True, slots=True)
class Taken:
    """A reading that was taken, and for how many tasks, variants or ids another one differs."""

    code: ReadingCode
    count: int


@dataclass(frozen=True, slots=True)
class Key:
    """The tasks of a split as far as they could be read; ``split`` is unknown to some formats."""

    tasks: tuple[Task, ...]
    split: str | None = None
    problems: tuple[Problem, ...] = ()
    has_splits: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Predictions:
    """The answers of a model as far as they could be read."""

    answers: tuple[Prediction, ...]
    split: str | None = None
    problems: tuple[Problem, ...] = ()
    has_splits: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Score:
    """The whole: grade_norm from 0 to 1, or ``None`` where it is not defined.

    Variants and outcomes are ordered by variant and by task, whatever the order of the files.
    """

    grade_norm: float | None
    variants: tuple[Variant, ...]
    outcomes: tuple[Outcome, ...]
    warnings: tuple[Problem, ...] = ()
    readings: tuple[Taken, ...] = ()
