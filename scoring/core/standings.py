"""The table of an essay set: STAR of its algorithms and their places, STER of its experts.

Regulation, 5.2, 5.3 and Appendix 1. A markup whose score is still to come does not take its author
out of the table: until then the former one counts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.core.accuracy import EssayAccuracy, otar, star, ster


class Present(NamedTuple):
    """The markup an author has submitted last, by their numbers.

    ``origin``: where an algorithm's answers come from; those of each are a solution of their own.
    """

    essay: int
    markup: int
    author: int
    is_expert: bool
    origin: str = ""


class Score(NamedTuple):
    """M of a markup against an expert's one, present or former; ``None`` where undefined."""

    essay: int
    assessed: int
    author: int
    reference: int
    expert: int
    accuracy: float | None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An algorithm's figures over the ``essays`` that count, in percent.

    ``place`` is shared by equal figures; ``None`` where an essay is missing.
    """

    author: int
    essays: int
    star: float | None
    otar: float | None
    place: int | None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """The lines, in no order; ``essays`` have two experts, ``measured`` ones at least one."""

    lines: tuple[Line, ...]
    ster: float | None
    essays: int
    measured: int


def table(present: Sequence[Present], scores: Iterable[Score], hardness: float) -> Table:
    """The table of what is present, by its scores and by former ones where those are missing.

    ``hardness`` is H of STAR, from 0 to 1.
    """
    experts = {(each.essay, each.author) for each in present if each.is_expert}
    measured = len({essay for essay, _author in experts})
    counted = _counted(score for score in scores if (score.essay, score.expert) in experts)
    between: dict[int, list[float]] = defaultdict(list)
    algorithms: dict[tuple[int, str], dict[int, list[float]]] = defaultdict(dict)
    for each in present:
        values = counted.get((each.essay, each.author, each.origin), [])
        if values and each.is_expert:
            between[each.essay] += values
        elif values:
            algorithms[each.author, each.origin][each.essay] = values
    lines = [_line(whose, essays, between, hardness) for whose, essays in algorithms.items()]
    stars = sorted(line.star for line in lines if line.star is not None and line.essays == measured)
    return Table(
        tuple(_placed(line, stars, measured) for line in lines),
        ster(EssayAccuracy((), tuple(pairs)) for pairs in between.values()),
        len(between),
        measured,
    )


def essays_in_want(present: Sequence[Present], scores: Iterable[Score]) -> set[int]:
    """The essays in which some markup lacks its score against some expert's one.

    ``scores`` are those of present markups.
    """
    experts = Counter(each.essay for each in present if each.is_expert)
    scored = Counter(score.assessed for score in scores)
    return {
        each.essay for each in present if scored[each.markup] < experts[each.essay] - each.is_expert
    }


def _counted(scores: Iterable[Score]) -> dict[tuple[int, int, str], list[float]]:
    """By essay, author and origin: M of one markup against the newest of every expert.

    It is the newest markup of those scored against the most experts: the figures of one moment
    stand together.
    """
    markups: dict[tuple[int, int, str], dict[int, dict[int, float | None]]] = defaultdict(dict)
    for score in sorted(scores, key=lambda score: score.reference):
        place = score.essay, score.author, score.origin
        by_expert = markups[place].setdefault(score.assessed, {})
        by_expert[score.expert] = score.accuracy
    counted = {}
    for place, by_markup in markups.items():
        _, newest = max((len(values), number) for number, values in by_markup.items())
        counted[place] = [value for value in by_markup[newest].values() if value is not None]
    return counted


def _line(
    whose: tuple[int, str],
    essays: Mapping[int, Sequence[float]],
    between: Mapping[int, Sequence[float]],
    hardness: float,
) -> Line:
    accuracies = [
        EssayAccuracy(tuple(values), tuple(between.get(essay, ())))
        for essay, values in essays.items()
    ]
    author, origin = whose
    figures = star(accuracies, hardness), otar(accuracies)
    return Line(author, len(essays), *figures, None, origin)


def place_among(rising: Sequence[float], figure: float) -> int:
    """Equal figures share a place and the next one is skipped: 1, 2, 2, 4."""
    return 1 + len(rising) - bisect_right(rising, figure)


def _placed(line: Line, stars: Sequence[float], measured: int) -> Line:
    if line.star is None or line.essays < measured:
        return line
    return replace(line, place=place_among(stars, line.star))
