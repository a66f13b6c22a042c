"""Answer and key -> points and the reason: the seed's «Система оценивания» for each kind.

Each rule also says which readings mattered: those under which the answer would have other
points if the other reading of schemes.md 1.2 were taken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from schemes.core.use.answers import (
    is_any_order,
    key_numbers,
    letters_of,
    numbers_of,
    words_of_key,
)
from schemes.core.use.exam import TWO_POINTS, AnswerKind
from schemes.core.use.values import (
    DEFAULTS,
    Options,
    Outcome,
    ReadingCode,
    Reason,
    Task,
)
from schemes.core.wording import has_blank

RIGHT: Final = Reason("right")
EMPTY: Final = Reason("empty-answer")
NO_PREDICTION: Final = Reason("no-prediction")
SHOWN: Final = 20
"""A reason lists so many strings at most."""

NumberRule = Callable[[Sequence[str], Sequence[str]], tuple[int, Reason]]
"""Numbers of the key, items of the answer -> points and reason."""


def score_answer(task: Task, answer: str | None, options: Options = DEFAULTS) -> Outcome:
    """Score one answer; ``None`` is no prediction: 0 points (schemes.md 1.2, 8)."""
    if answer is None:
        return Outcome(task, None, 0, NO_PREDICTION, (ReadingCode.MISSING,))
    if not answer.strip():
        return Outcome(task, answer, 0, EMPTY)
    if task.kind is AnswerKind.TEXT:
        return _text(task, answer, options)
    return _numbers(task, answer, options)


def one_point(key: Sequence[str], items: Sequence[str]) -> tuple[int, Reason]:
    """Tasks of multiple choice: 1 point when the two sets are equal, in any order."""
    missing, extra = _differences(key, items)
    return (0, _numbers_differ(missing, extra)) if missing or extra else (1, RIGHT)


def two_points(key: Sequence[str], items: Sequence[str]) -> tuple[int, Reason]:
    """Task 16: 2 points; 1 with one number missing, one too many, or one in place of another.

    An answer in which no number is right gives none, be the key of one number (1.2, 5).
    """
    missing, extra = _differences(key, items)
    if not missing and not extra:
        return 2, RIGHT
    near = len(missing) <= 1 and len(extra) <= 1 and len(missing) < len(set(key))
    return int(near), _numbers_differ(missing, extra)


def four_positions(key: Sequence[str], items: Sequence[str]) -> tuple[int, Reason]:
    """Task 26: 1 point for each position that equals the key's; none if their number differs.

    schemes.md 1.2, 1: the answer stands for the letters АБВГ one by one, so with another number
    of entries it is not known which entry belongs to which letter.
    """
    if len(items) != len(key):
        return 0, Reason("wrong-length", {"expected": len(key), "got": len(items)})
    pairs = enumerate(zip(key, items, strict=True), 1)
    wrong = tuple(position for position, (one, other) in pairs if one != other)
    fields = {"wrong": wrong, "expected": len(key)}
    return len(key) - len(wrong), Reason("positions-differ", fields) if wrong else RIGHT


def _numbers(task: Task, answer: str, options: Options) -> Outcome:
    rule = _rule(task)
    key = key_numbers(task.key) or []
    items = numbers_of(answer.strip(), lenient=options.lenient)
    points, reason = rule(key, items)
    if reason is not RIGHT and not options.lenient and has_blank(answer.strip()):
        reason = replace(reason, fields={**reason.fields, "blank_in": answer.strip()})
    readings = (
        *_separator_readings(rule, key, answer, points, options),
        *_number_readings(task, key, items, points),
    )
    return Outcome(task, answer, points, reason, readings)


def _rule(task: Task) -> NumberRule:
    if task.kind is AnswerKind.MATCHING:
        return four_positions
    return two_points if task.id_task == TWO_POINTS else one_point


def _separator_readings(
    rule: NumberRule, key: Sequence[str], answer: str, points: int, options: Options
) -> Iterator[ReadingCode]:
    trimmed = answer.strip()
    other = numbers_of(trimmed, lenient=not options.lenient)
    if rule(key, other)[0] != points:
        yield ReadingCode.LENIENT if options.lenient else ReadingCode.STRICT
    if trimmed != answer and not options.lenient and rule(key, numbers_of(answer))[0] != points:
        yield ReadingCode.TRIMMED


def _number_readings(
    task: Task, key: Sequence[str], items: Sequence[str], points: int
) -> Iterator[ReadingCode]:
    if task.kind is AnswerKind.MATCHING:
        literal = sum(one == other for one, other in zip(key, items, strict=False))
        if len(items) != len(key) and literal:
            yield ReadingCode.WRONG_LENGTH
        return
    if points and len(set(items)) < len(items):
        yield ReadingCode.REPEATED
    if task.id_task == TWO_POINTS and not points and len(set(key)) == len(set(items)) == 1:
        yield ReadingCode.SINGLE_KEY


def _text(task: Task, answer: str, options: Options) -> Outcome:
    accepted = words_of_key(task.key, yo=options.yo)
    read = letters_of(answer, yo=options.yo)
    if not any(is_any_order(read, words) for words in accepted):
        tried = tuple("".join(words) for words in accepted[:SHOWN])
        reason = Reason("words-differ", {"tried": tried, "read": read})
        yo = not options.yo and _is_right(task, answer, yo=True)
        return Outcome(task, answer, 0, reason, (ReadingCode.YO_DIFFERS,) if yo else ())
    return Outcome(task, answer, 1, RIGHT, tuple(_text_readings(task, answer, options)))


def _is_right(task: Task, answer: str, *, yo: bool) -> bool:
    read = letters_of(answer, yo=yo)
    return any(is_any_order(read, words) for words in words_of_key(task.key, yo=yo))


def _text_readings(task: Task, answer: str, options: Options) -> Iterator[ReadingCode]:
    """Of a right answer: whether it is in the key as written, or only as it is read here."""
    read = letters_of(answer, yo=options.yo)
    key = task.key.replace("ё", "е") if options.yo else task.key
    if read not in key.split(","):
        glued = {"".join(words) for words in words_of_key(task.key, yo=options.yo)}
        yield ReadingCode.KEY_LETTERS if read in glued else ReadingCode.ANY_ORDER
    if options.yo and not _is_right(task, answer, yo=False):
        yield ReadingCode.YO_ALIKE


def _differences(
    key: Sequence[str], items: Sequence[str]
) -> tuple[Collection[str], Collection[str]]:
    """Numbers of the key that the answer lacks, items of the answer that the key lacks."""
    wanted, given = dict.fromkeys(key), dict.fromkeys(items)
    missing = [number for number in wanted if number not in given]
    return missing, [item for item in given if item not in wanted]


def _numbers_differ(missing: Collection[str], extra: Collection[str]) -> Reason:
    return Reason(
        "numbers-differ",
        {
            "missing": tuple(missing)[:SHOWN],
            "extra": tuple(extra)[:SHOWN],
            "missing_count": len(missing),
            "extra_count": len(extra),
        },
    )
