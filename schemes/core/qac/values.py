"""The nouns of the QAC scheme: questions, responses, and what they score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Final

from schemes.core.qac.decoding import Encoding
from schemes.core.qac.grammar import Answer
from schemes.core.qac.problems import NOWHERE, Place, Problem

RANKED: Final = 5
"""Responses to a question of task 1 that the task asks for; more are counted, with a warning."""


class Task(IntEnum):
    """1: ranked responses, the mean reciprocal rank. 2, 3: lists, the mean F-measure."""

    RANKED = 1
    LIST = 2
    SERIES = 3


class Match(StrEnum):
    """What of a response must stand in the key (schemes.md 4.3, 1)."""

    ARTICLE = "article"
    STRING = "string"

    @property
    def other(self) -> Match:
        """The other reading."""
        return Match.STRING if self is Match.ARTICLE else Match.ARTICLE


@dataclass(frozen=True, slots=True)
class Options:
    """How to score. ``nfkc``: strings are compared after Unicode's NFKC (schemes.md 4.3, 2)."""

    task: Task = Task.RANKED
    match: Match = Match.ARTICLE
    nfkc: bool = False


DEFAULTS: Final = Options()


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the key: its right answers in their order, and its text if that is known.

    ``has_answers``: false when only its text was given, which says that there is no answer.
    """

    id: str
    answers: tuple[Answer, ...] = ()
    text: str = ""
    place: Place = NOWHERE
    has_answers: bool = True


@dataclass(frozen=True, slots=True)
class Key:
    """The questions as far as they could be read; ``broken``: ids of those that could not.

    ``trimmed``: strings whose outer blanks were dropped.
    """

    questions: tuple[Question, ...]
    broken: frozenset[str] = frozenset()
    trimmed: int = 0
    encoding: Encoding = Encoding.UTF_8
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """What a system said to a question, in its order; nothing says that there is no answer."""

    id: str
    responses: tuple[Answer, ...] = ()
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Responses:
    """What a system said, as far as it could be read; the rest as in ``Key``."""

    given: tuple[Given, ...]
    broken: frozenset[str] = frozenset()
    trimmed: int = 0
    encoding: Encoding = Encoding.UTF_8
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of questions by their ids, from a file of their own."""

    by_id: Mapping[str, str]
    encoding: Encoding = Encoding.UTF_8
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A response and the key.

    ``number``: of the distinct right answer with its string, counted from 1, or ``None``;
    ``same_article``: whether the key has that string with this article.
    """

    response: Answer
    number: int | None = None
    same_article: bool = False

    def is_right(self, match: Match) -> bool:
        """Whether the response is right under a reading."""
        return self.number is not None and (self.same_article or match is Match.STRING)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question and the responses to it.

    ``numbers``: the number of the distinct string, for each of the question's answers.
    ``is_given``: whether the responses have a line for it; ``is_broken``: whether that could not
    be read, so that nothing is known of it.
    """

    question: Question
    numbers: tuple[int, ...]
    responses: tuple[Judged, ...] = ()
    is_given: bool = True
    is_broken: bool = False

    @property
    def distinct(self) -> int:
        """Distinct right answers the key has (異り解答数)."""
        return max(self.numbers, default=0)

    @property
    def is_rightly_empty(self) -> bool:
        """Neither the key nor the system has an answer: φ ○."""
        return not (self.numbers or self.responses or self.is_broken)

    def found(self, match: Match) -> int:
        """Distinct right answers among the responses."""
        return len({each.number for each in self.responses if each.is_right(match)})

    def mark(self, task: Task, match: Match) -> float:
        """What the question is worth, from 0 to 1 (seed 004: Task 1, 2, 3; schemes.md 4.2)."""
        if self.is_rightly_empty:
            return 1.0
        if task is Task.RANKED:
            return self._reciprocal_rank(match)
        return self._f_measure(match)

    def _reciprocal_rank(self, match: Match) -> float:
        for rank, each in enumerate(self.responses, 1):
            if each.is_right(match):
                return 1 / rank
        return 0.0

    def _f_measure(self, match: Match) -> float:
        """2PR / (P + R), with P = found / responses and R = found / distinct."""
        found = self.found(match)
        return 2 * found / (len(self.responses) + self.distinct) if found else 0.0


@dataclass(frozen=True, slots=True)
class Figures:
    """The two tables. ``None`` is what cannot be divided: nothing was asked, or nothing given."""

    marks: float
    questions: int
    answers: int
    responses: int
    correct: int

    @property
    def average(self) -> float | None:
        """MRR of task 1, AFM of the others: marks / questions."""
        return self.marks / self.questions if self.questions else None

    @property
    def recall(self) -> float | None:
        """Correct / Answer."""
        return self.correct / self.answers if self.answers else None

    @property
    def precision(self) -> float | None:
        """Correct / Output."""
        return self.correct / self.responses if self.responses else None

    @property
    def f_measure(self) -> float | None:
        """2 Recall Precision / (Recall + Precision); 0 when nothing is right."""
        size = self.answers + self.responses
        return 2 * self.correct / size if size else None


class ReadingCode(StrEnum):
    """The readings of schemes.md 4.3 that can change a number; the values are stable codes."""

    ARTICLE = "article-too"
    STRING = "string-alone"
    EXACT = "no-folding"
    NFKC = "nfkc"
    TRIMMED = "outer-blanks-trimmed"
    REPEATED = "repeated-counts-once"
    EMPTY_RIGHT = "nothing-for-no-answer"
    DISTINCT = "distinct-in-the-tables"
    FLAT = "mean-over-every-id"
    NOT_CUT = "more-than-five-ranks"
    ABSENT = "absent-is-no-response"
    UNKNOWN = "unknown-is-ignored"
    TEXT_ONLY = "text-only-is-no-answer"
    BROKEN = "broken-is-not-scored"


@dataclass(frozen=True, slots=True)
class Taken:
    """A reading that was taken, and how many questions or responses it concerns."""

    code: ReadingCode
    count: int


@dataclass(frozen=True, slots=True)
class Score:
    """The whole, in the order of the key; ``by_match`` has the figures of both readings."""

    options: Options
    outcomes: tuple[Outcome, ...]
    by_match: Mapping[Match, Figures]
    warnings: tuple[Problem, ...] = ()
    readings: tuple[Taken, ...] = ()
    encodings: Mapping[str, Encoding] = field(default_factory=dict)

    @property
    def figures(self) -> Figures:
        """Those of the reading that was chosen."""
        return self.by_match[self.options.match]
