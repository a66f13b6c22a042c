"""Part 1 of the Unified State Exam in Russian of 2019: its tasks, their kinds and points.

Seed 001, «Описание датасета» and «Система оценивания»; schemes.md 1.1. Task 8 of the paper exam
is five tasks here, 8_0 to 8_4, so a whole variant has 30 answers and 34 points.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class AnswerKind(StrEnum):
    """How an answer is compared with the key."""

    MULTIPLE_CHOICE = "multiple_choice"
    TEXT = "text"
    MATCHING = "matching"


TYPES: Final[Mapping[str, AnswerKind]] = {
    "multiple_choice_based_on_text": AnswerKind.MULTIPLE_CHOICE,
    "multiple_choice_options_within_text": AnswerKind.MULTIPLE_CHOICE,
    "multiple_choice_independent_options": AnswerKind.MULTIPLE_CHOICE,
    "text": AnswerKind.TEXT,
    "matching": AnswerKind.MATCHING,
    "multiple_choice": AnswerKind.MULTIPLE_CHOICE,
}
"""``meta.type`` -> kind: the seed's five types, and multiple_choice without its subtype."""

TWO_POINTS: Final = "16"
MATCHING: Final = "26"
POSITIONS: Final = 4
"""Numbers in the key of task 26, one for each of the letters АБВГ."""

ORDER: Final = (
    *(str(number) for number in range(1, 8)),
    *(f"8_{part}" for part in range(5)),
    *(str(number) for number in range(9, 27)),
)
"""The names of the tasks, in the order of the exam."""

_TEXT: Final = frozenset({"2", "4", "5", "6", "7", "13", "14", "24"})
KINDS: Final[Mapping[str, AnswerKind]] = {
    name: AnswerKind.TEXT
    if name in _TEXT
    else AnswerKind.MATCHING
    if name == MATCHING
    else AnswerKind.MULTIPLE_CHOICE
    for name in ORDER
}
MAXIMA: Final[Mapping[str, int]] = {**dict.fromkeys(ORDER, 1), TWO_POINTS: 2, MATCHING: POSITIONS}
FULL: Final = sum(MAXIMA.values())
"""34, the points of a whole variant."""

HUMAN_POINTS: Final = 23.835
"""The mean points of those who took the exam in 2019, as the seed gives them."""
HUMAN_GRADE_NORM: Final = 0.701
"""The same as grade_norm, rounded as in the seed."""

TRAIN: Final = "train"
"""The split of incomplete variants, for which grade_norm is not defined."""
DEFAULT_SPLIT: Final = "test"
