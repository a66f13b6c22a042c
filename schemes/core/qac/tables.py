"""What scoring.pl prints and writes: the tables of scores and res.dat (seed 004, DESCRIPTION)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from schemes.core.qac.values import Match, Outcome, Score

RULE: Final = "-" * 58
WIDTH: Final = 12
UNDEFINED: Final = "-"
"""Stands for what cannot be divided."""
RIGHT: Final = "○"
WRONG: Final = "×"
NOTHING: Final = "φ"
"""Stands for no response."""
COUNTS: Final = ("Question", "Answer", "Output", "Correct")
RATES: Final = ("Recall", "Precision", "F-measure", "MRR/AFM")


def score_lines(score: Score) -> Iterator[str]:
    """The score and the two tables; rates have three decimals."""
    found = score.figures
    task = score.options.task.value
    yield f"Task{task} Results:"
    yield f"{found.marks:.1f} marks out of {found.questions:.1f} in TASK{task}"
    yield f"Average score: {_rate(found.average)}"
    counts = (found.questions, found.answers, found.responses, found.correct)
    yield from _table(COUNTS, [str(each) for each in counts])
    rates = (found.recall, found.precision, found.f_measure, found.average)
    yield from _table(RATES, [_rate(each) for each in rates])


def res_lines(score: Score) -> Iterator[str]:
    """res.dat, a line for each question of the key: what was said, each with ○ or ×."""
    for each in score.outcomes:
        yield f"{each.question.id}: {', '.join(_signed(each, score.options.match))}"


def _signed(outcome: Outcome, match: Match) -> Iterator[str]:
    """``φ ○`` only where the key has no answer either."""
    if not outcome.responses:
        yield f"{NOTHING} {sign(is_right=outcome.is_rightly_empty)}"
    for each in outcome.responses:
        yield f"{each.response.string} {sign(is_right=each.is_right(match))}"


def sign(*, is_right: bool) -> str:
    """○ or ×."""
    return RIGHT if is_right else WRONG


def _table(head: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    yield from ("", RULE, _columns(head), RULE, _columns(row), RULE)


def _columns(cells: Sequence[str]) -> str:
    return "".join(cell.rjust(WIDTH) for cell in cells)


def _rate(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.3f}"
