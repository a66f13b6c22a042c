"""What an entry's pairs say of it: figures over its essays, and digests of what was compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from operator import attrgetter
from typing import Final, NamedTuple

from scoring.core.accuracy import EssayAccuracy, mean, mean_of_defined, otar, star
from scoring.core.counts import Counts

METRICS: Final = 6
NAMES: Final = tuple(Counts.__dataclass_fields__)
AS_COUNTED: Final = f"(Counts({', '.join(f'{name}=%r' for name in NAMES)}), %r)"
"""A pair in its digest: as a tuple of ``Counts`` and M1 is printed, which earlier runs keep."""
BY_MARKUPS: Final = attrgetter("essay", "assessed", "reference")


class Compared(NamedTuple):
    """A pair of a run: the essay's number, its markups, and what it measures, in percent.

    ``counts``: the values of ``Counts``, in their order.
    """

    essay: str
    assessed: int
    reference: int
    counts: Sequence[float]
    m1: float | None
    accuracy: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """``counted`` essays have an accuracy. STAR, OTAR and ``metrics``, M1 to M6, are percent.

    ``markups`` and ``counts`` are digests: of which markups were compared, and what was counted.
    """

    counted: int
    star: float | None
    otar: float | None
    metrics: tuple[float | None, ...]
    markups: str
    counts: str


def figures_of(
    pairs: Sequence[Compared], experts: Mapping[str, Sequence[float]], hardness: float
) -> Figures:
    """The figures of an entry by its pairs; ``experts``: M(E, E') of each essay. H is 0 to 1."""
    ordered = sorted(pairs, key=BY_MARKUPS)
    places = _places(ordered)
    accuracies = _defined([each.accuracy for each in ordered], places.values())
    essays = [
        EssayAccuracy(tuple(values), tuple(experts.get(essay, ())))
        for essay, values in zip(places, accuracies, strict=True)
        if values
    ]
    metrics = tuple(
        mean_of_defined(map(mean, _defined(each, places.values()))) for each in _metrics(ordered)
    )
    return Figures(
        len(essays),
        star(essays, hardness),
        otar(essays),
        metrics,
        _digest(str((each.assessed, each.reference)) for each in ordered),
        _digest(AS_COUNTED % (*each.counts, each.m1) for each in ordered),
    )


def _places(ordered: Sequence[Compared]) -> dict[str, slice]:
    """Where the pairs of each essay stand among those of all."""
    sizes = Counter(each.essay for each in ordered)
    stops = [*accumulate(sizes.values())]
    return dict(zip(sizes, map(slice, [0, *stops], stops), strict=False))


def _defined(values: Sequence[float | None], essays: Iterable[slice]) -> list[list[float]]:
    """The defined values of each essay."""
    return [[value for value in values[each] if value is not None] for each in essays]


def _metrics(pairs: Sequence[Compared]) -> list[Sequence[float | None]]:
    """M1 to M6, of each its values pair by pair; none of no pairs. Needs numpy: a run of a thousand
    entries has more than a million pairs, and only workers compute one.
    """
    import numpy as np  # noqa: PLC0415 - who only shows figures goes without

    from scoring.core.batch import CountColumns, measure_all  # noqa: PLC0415 - needs it too

    if not pairs:
        return [()] * METRICS
    columns = (np.array(column) for column in zip(*(each.counts for each in pairs), strict=True))
    others = measure_all(CountColumns(*columns))
    return [[each.m1 for each in pairs], *others.T.tolist()]


def _digest(rows: Iterable[str]) -> str:
    return sha256("".join(rows).encode()).hexdigest()
