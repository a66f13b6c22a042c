"""The analytic report of a solution: its figures beside those of people (regulation 2.23).

A solution is what an author sent for a set of essays in one session, or freely. Figures are those
of ``accuracy`` and ``codes``, in percent, nothing rounded, ``None`` where undefined; when answers
came, and which files were annulled, is handed in (``Exchange``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from annotator.core.values import Subject
from annotator.core.visibility import FEWEST_TOLD
from scoring.core.accuracy import EssayAccuracy, mean, mean_of_defined, otar, star, ster
from scoring.core.codes import Codes, Meetings, codes_of
from scoring.core.exchange import Exchange
from scoring.core.metrics import Metrics

METRICS: Final = ("M2", "M3", "M4", "M5", "M6")
SHOWN: Final = 5
"""So many of the worst and of the best essays are told apart."""


Measured = tuple[Metrics, float | None]
"""A pair of markups in figures: M2 to M6, and the accuracy by weights."""


@dataclass(frozen=True, slots=True)
class Against:
    """The solution's markup against an expert's. ``reference``: whose that is."""

    reference: str
    measured: Measured
    meetings: Meetings


@dataclass(frozen=True, slots=True)
class Answer:
    """The solution's markup of an essay against each expert's.

    ``people``: each ordered pair of experts. A pair of undefined accuracy does not count.
    """

    essay: str
    subject: Subject | None
    against: tuple[Against, ...]
    people: tuple[Measured, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """A figure of the solution beside that of people."""

    name: str
    ours: float | None
    people: float | None

    @property
    def gap(self) -> float | None:
        """How far the solution lies below people; negative above them."""
        known = self.ours is not None and self.people is not None
        return self.people - self.ours if known else None  # type: ignore[operator]


@dataclass(frozen=True, slots=True)
class EssayLine:
    """An essay that counts: what it adds to STAR, and to STER where it has two experts.

    Fragments over all its references: ``found`` with a partner, ``recoded`` of these under another
    code, ``missed`` and ``invented`` without one. ``references``: against whom, in their order.
    """

    essay: str
    accuracy: float
    people: float | None
    found: int
    recoded: int
    missed: int
    invented: int
    references: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A solution beside an earlier one of the same author.

    ``star``: by how much STAR rose; ``difference``: the mean over the ``common`` essays, of which
    so many got ``better`` and ``worse``. ``than``: the earlier one, by its origin or its folder;
    ``than_at``: when its last answer came (ISO 8601), where that is known.
    """

    star: float | None
    common: int
    difference: float | None
    better: int
    worse: int
    than: str | None = None
    than_at: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The report. ``lines`` are the essays that count, by their names; the rest follows from them.

    ``ster``: STER over those of these essays that have two experts. ``exchange``: of a session.
    ``untold``: essays that count and that nothing is told of one by one.
    """

    hardness: float
    star: float | None
    ster: float | None
    otar: float | None
    metrics: tuple[Beside, ...]
    subjects: tuple[Codes, ...]
    lines: tuple[EssayLine, ...]
    exchange: Exchange | None = None
    untold: int = 0

    @property
    def size(self) -> int:
        """How many essays count."""
        return len(self.lines) + self.untold

    @property
    def worst(self) -> tuple[EssayLine, ...]:
        """The essays of least accuracy, the worst first."""
        return tuple(sorted(self.lines, key=lambda line: (line.accuracy, line.essay))[:SHOWN])

    @property
    def best(self) -> tuple[EssayLine, ...]:
        """The essays of most accuracy that are none of the worst, the best first."""
        worst = {line.essay for line in self.worst}
        others = [line for line in self.lines if line.essay not in worst]
        return tuple(sorted(others, key=lambda line: (-line.accuracy, line.essay))[:SHOWN])

    @property
    def like_people(self) -> int:
        """Essays the solution marks no less exactly than people repeat each other."""
        return sum(line.people is not None and line.accuracy >= line.people for line in self.lines)


def report(answers: Iterable[Answer], hardness: float, exchange: Exchange | None = None) -> Report:
    """The report of these answers; ``hardness`` is H of STAR.

    Essays without an expert, or of undefined accuracy, do not count; neither do those an
    ``exchange`` names as annulled (regulation 7.6).
    """
    annulled = {each.essay for each in exchange.annulled} if exchange else set()
    counted = [
        (answer, accuracy)
        for answer in sorted(answers, key=lambda answer: answer.essay)
        if answer.essay not in annulled and (accuracy := _accuracy(answer)).algorithm
    ]
    accuracies = [accuracy for _answer, accuracy in counted]
    lines = [_line(answer, accuracy, hardness) for answer, accuracy in counted]
    used = [answer for answer, _accuracy in counted]
    return Report(
        hardness,
        star(accuracies, hardness),
        ster(accuracies),
        otar(accuracies),
        tuple(_beside(used, place, name) for place, name in enumerate(METRICS, 1)),
        _by_subject(used),
        tuple(lines),
        exchange,
    )


def guarded(found: Report) -> Report:
    """A report of a test set for a participant: of few essays STAR, OTAR and M2 to M6 alone."""
    if found.size >= FEWEST_TOLD:
        return found
    metrics = tuple(Beside(each.name, each.ours, None) for each in found.metrics)
    return replace(found, ster=None, metrics=metrics, subjects=(), lines=(), untold=found.size)


def change(now: Report, before: Report) -> Change:
    """What became better and worse since ``before``; figures of both have one H."""
    former = {line.essay: line.accuracy for line in before.lines}
    steps = [line.accuracy - former[line.essay] for line in now.lines if line.essay in former]
    known = now.star is not None and before.star is not None
    return Change(
        now.star - before.star if known else None,  # type: ignore[operator]
        len(steps),
        mean(steps),
        sum(step > 0 for step in steps),
        sum(step < 0 for step in steps),
    )


def _accuracy(answer: Answer) -> EssayAccuracy:
    ours = (each.measured for each in answer.against)
    return EssayAccuracy(_known(ours), _known(answer.people))


def _known(pairs: Iterable[Measured]) -> tuple[float, ...]:
    return tuple(accuracy for _metrics, accuracy in pairs if accuracy is not None)


def _line(answer: Answer, accuracy: EssayAccuracy, hardness: float) -> EssayLine:
    sums: dict[str, int] = defaultdict(int)
    for each in answer.against:
        for (theirs, ours), count in each.meetings.items():
            sums["missed" if not ours else "invented" if not theirs else "found"] += count
            sums["recoded"] += count if theirs and ours and theirs != ours else 0
    return EssayLine(
        answer.essay,
        accuracy.star(hardness) or 0.0,
        accuracy.ster,
        sums["found"],
        sums["recoded"],
        sums["missed"],
        sums["invented"],
        tuple(each.reference for each in answer.against),
    )


def _beside(answers: Sequence[Answer], place: int, name: str) -> Beside:
    """A metric as the mean over essays of its mean over experts, and over pairs of experts."""
    ours = ([each.measured for each in answer.against] for answer in answers)
    people = (answer.people for answer in answers)
    return Beside(name, _mean_over(ours, place), _mean_over(people, place))


def _mean_over(essays: Iterable[Sequence[Measured]], place: int) -> float | None:
    """The mean over essays that have pairs of the mean of one metric over these."""
    return mean_of_defined(
        mean_of_defined(each.values[place] for each, _accuracy in pairs) for pairs in essays
    )


def _by_subject(answers: Iterable[Answer]) -> tuple[Codes, ...]:
    meetings: dict[Subject | None, list[Meetings]] = defaultdict(list)
    for answer in answers:
        meetings[answer.subject] += [each.meetings for each in answer.against]
    order: list[Subject | None] = [*Subject, None]
    return tuple(codes_of(each, meetings[each]) for each in order if each in meetings)
