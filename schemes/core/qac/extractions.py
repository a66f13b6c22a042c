"""The five extractions of scoring.pl (seed 004, --extract; schemes.md 4.2), as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from schemes.core.qac.errors import ExtractionError
from schemes.core.qac.values import Match, Outcome, Score, Task


def extract(score: Score, number: int) -> Iterator[str]:
    """The lines of an extraction, 1 to 5, question by question in the order of the key.

    Raises ``ExtractionError`` for another number and for a task that does not have it.
    """
    if number not in EXTRACTIONS:
        raise ExtractionError("no-extraction", number=number)
    task = ONLY_FOR.get(number)
    if task and task is not score.options.task:
        raise ExtractionError("other-task", number=number, task=task.value)
    return _extracted(score, EXTRACTIONS[number])


def _extracted(score: Score, of_question: Extraction) -> Iterator[str]:
    for outcome in score.outcomes:
        yield from of_question(outcome, score.options.match)


def _key(outcome: Outcome, _match: Match) -> Iterator[str]:
    """1: answers in all and distinct; then the number, string and article of each."""
    yield f"{outcome.question.id} {len(outcome.numbers)} {outcome.distinct}"
    for number, answer in zip(outcome.numbers, outcome.question.answers, strict=True):
        yield f"{number} {answer.string} {answer.article}"


def _responses(outcome: Outcome, _match: Match) -> Iterator[str]:
    """2: responses; then the number (from 0), string and article of each."""
    if not outcome.is_given:
        return
    yield f"{outcome.question.id} {len(outcome.responses)}"
    for number, each in enumerate(outcome.responses):
        yield f"{number} {each.response.string} {each.response.article}"


def _found(outcome: Outcome, _match: Match) -> Iterator[str]:
    """3: for each response with a string of the key, its number; "-": the article differs."""
    for each in outcome.responses:
        if each.number is not None:
            yield f"{each.response.string} | {'' if each.same_article else '-'}{each.number}"


def _scores(outcome: Outcome, match: Match) -> Iterator[str]:
    """4: distinct answers, responses, distinct right answers found, F-measure."""
    counts = f"{outcome.distinct} {len(outcome.responses)} {outcome.found(match)}"
    yield f"{outcome.question.id}: {counts} {outcome.mark(Task.LIST, match):.6f}"


def _checking(outcome: Outcome, match: Match) -> Iterator[str]:
    """5: the question, its distinct answers, its responses with an asterisk at those right."""
    question = outcome.question
    text = question.text.replace('"', '""')
    yield f'{question.id} "{text}"'
    distinct = {
        number: answer.string
        for number, answer in reversed(list(zip(outcome.numbers, question.answers, strict=True)))
    }
    yield " ".join(["CORRECT ANSWER:", *(distinct[number] for number in sorted(distinct))])
    for each in outcome.responses:
        yield f"{each.response.string} *" if each.is_right(match) else each.response.string


Extraction = Callable[[Outcome, Match], Iterator[str]]
EXTRACTIONS: Final[Mapping[int, Extraction]] = {
    1: _key,
    2: _responses,
    3: _found,
    4: _scores,
    5: _checking,
}
ONLY_FOR: Final[Mapping[int, Task]] = {4: Task.LIST, 5: Task.RANKED}
"""Extractions that belong to one task."""
