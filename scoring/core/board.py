"""A board: who stands where, by how much, and how sure that is (standings.md 1 to 5).

Regulation 2.13, 5.2, 5.3, 7.6, 7.7, 7.11 and Appendix 1. The board of a phase, the rank in a report
and ``razbor board`` come from here; other schemes bring points of items in place of essays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from scoring.core.accuracy import EssayAccuracy, otar, star, ster
from scoring.core.standings import place_among

FEWEST_ESSAYS: Final = 10
"""With fewer essays nothing is said of how sure a board is."""
MOST_RANKED: Final = 1000
"""With more ranked participants neither."""
FEWEST_DECIMALS: Final = 2
MOST_DECIMALS: Final = 12


class Standing(StrEnum):
    """Whether a participant's solution is ranked, and else why not."""

    RANKED = "ranked"
    ANNULLED = "annulled"
    EXCLUDED = "excluded"
    NO_ANSWERS = "no-answers"


class Unsure(StrEnum):
    """Why a board does not say how sure it is."""

    FEW_ESSAYS = "few-essays"
    MANY_RANKED = "many-ranked"
    NO_NUMPY = "no-numpy"


@dataclass(frozen=True, slots=True)
class Participant:
    """``accuracy``: of each essay M(A, E) for each expert E, in percent; may be none of them."""

    name: str
    standing: Standing
    accuracy: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure a row is: 95 % of its resampled scores and ranks lie within these ends.

    ``like``: whom the row cannot be told apart from, in the board's order.
    """

    interval: tuple[float, float]
    ranks: tuple[int, int]
    like: tuple[str, ...]


ROUNDED: Final = 1e-9
"""Percent points: resamples add up what was rounded to less than this (standings.md 4)."""
LARGEST_SEED: Final = 2**63 - 1
"""Of the resamples: the largest whole number that a database holds."""


def told_ranks(best: int, worst: int) -> str:
    """An interval of ranks in signs; one number where both ends are the same."""
    return str(best) if best == worst else f"{best}–{worst}"


@dataclass(frozen=True, slots=True)
class Row:
    """A ranked participant; figures in percent, ``counted`` essays."""

    rank: int
    name: str
    star: float
    otar: float | None
    counted: int
    sureness: Sureness | None = None


@dataclass(frozen=True, slots=True)
class Apart:
    """A participant without a rank, and why."""

    name: str
    reason: Standing
    star: float | None
    counted: int


@dataclass(frozen=True, slots=True)
class Board:
    """Rows in their order, those apart by name. ``unsure``: why no row has its sureness."""

    ster: float | None
    essays: int
    rows: tuple[Row, ...]
    apart: tuple[Apart, ...]
    unsure: Unsure | None


Values = Sequence[Mapping[str, float]]
"""Of each row: what each essay that counts adds to its score."""


class Resampling(Protocol):
    """How sure rows are: essays in order, values of each row, names -> a ``Sureness`` each."""

    def __call__(
        self, essays: Sequence[str], values: Values, names: Sequence[str], /
    ) -> Sequence[Sureness]: ...


def board(
    essays: Mapping[str, Sequence[float]],
    participants: Sequence[Participant],
    hardness: float,
    resampling: Resampling | None,
) -> Board:
    """The board over ``essays``, each with M(E, E') of its pairs of experts.

    ``hardness`` is H of STAR. Without ``resampling`` nothing is said of how sure it is. The
    accuracies are of listed essays.
    """
    read = {each.name: _accuracies(each, essays) for each in participants}
    apart = [
        Apart(each.name, _why(each, read[each.name]), _star(read[each.name], hardness), counted)
        for each in participants
        if (counted := len(read[each.name])) == 0 or each.standing is not Standing.RANKED
    ]
    outside = {each.name for each in apart}
    ranked = {name: found for name, found in read.items() if name not in outside}
    rows = _ranked(ranked, hardness)
    why = _unsure(len(essays), len(rows), resampling)
    if why is None and resampling and rows:
        values = [_values(ranked[row.name], hardness) for row in rows]
        found = resampling(sorted(essays), values, [row.name for row in rows])
        rows = [_sure(row, each) for row, each in zip(rows, found, strict=True)]
    return Board(
        ster(EssayAccuracy((), tuple(pairs)) for pairs in essays.values()),
        len(essays),
        tuple(rows),
        tuple(sorted(apart, key=lambda each: each.name)),
        why,
    )


def decimals_of(scores: Iterable[float]) -> int:
    """So many decimals tell those apart that differ, from 2 to 12 (standings.md 2)."""
    known = {*scores}
    for digits in range(FEWEST_DECIMALS, MOST_DECIMALS):
        if len({f"{score:.{digits}f}" for score in known}) == len(known):
            return digits
    return MOST_DECIMALS


def _accuracies(
    participant: Participant, essays: Mapping[str, Sequence[float]]
) -> dict[str, EssayAccuracy]:
    return {
        essay: EssayAccuracy(tuple(values), tuple(essays[essay]))
        for essay, values in participant.accuracy.items()
        if values
    }


def _values(found: Mapping[str, EssayAccuracy], hardness: float) -> dict[str, float]:
    added = {essay: each.star(hardness) for essay, each in found.items()}
    return {essay: value for essay, value in added.items() if value is not None}


def _star(found: Mapping[str, EssayAccuracy], hardness: float) -> float | None:
    return star(found.values(), hardness)


def _why(participant: Participant, found: Mapping[str, EssayAccuracy]) -> Standing:
    is_empty = participant.standing is Standing.RANKED and not found
    return Standing.NO_ANSWERS if is_empty else participant.standing


def _ranked(found: Mapping[str, Mapping[str, EssayAccuracy]], hardness: float) -> list[Row]:
    scores = {name: star(each.values(), hardness) for name, each in found.items()}
    known = {name: score for name, score in scores.items() if score is not None}
    rising = sorted(known.values())
    return [
        Row(
            place_among(rising, score),
            name,
            score,
            otar([*found[name].values()]),
            len(found[name]),
        )
        for name, score in sorted(known.items(), key=lambda each: (-each[1], each[0]))
    ]


def _unsure(essays: int, ranked: int, resampling: Resampling | None) -> Unsure | None:
    if essays < FEWEST_ESSAYS:
        return Unsure.FEW_ESSAYS
    if ranked > MOST_RANKED:
        return Unsure.MANY_RANKED
    return None if resampling else Unsure.NO_NUMPY


def _sure(row: Row, sureness: Sureness) -> Row:
    low, high = (_snapped(end, row.star) for end in sureness.interval)
    snapped = replace(sureness, interval=(low, high))
    return Row(row.rank, row.name, row.star, row.otar, row.counted, snapped)


def _snapped(end: float, star: float) -> float:
    """An end that lies beside STAR only because what essays add was rounded is STAR."""
    return star if abs(end - star) < ROUNDED else end
