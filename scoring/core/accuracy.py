"""Accuracy over experts and essays: Mopt, Mavg, STAR, STER, OTAR, in percent.

Regulation, Appendix 1 and Appendix 2, 2; the readings are markup.md 1.3. Values may exceed 100:
an algorithm may agree with the experts better than they agree with each other. ``None`` is
undefined, never 0. An essay without experts says nothing of an algorithm and is left out of
STAR; an essay with a single expert says nothing of the experts and is left out of STER.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, isfinite


@dataclass(frozen=True, slots=True)
class EssayAccuracy:
    """Pairwise accuracies of one essay.

    ``algorithm``: M(A, E) for each expert E. ``experts``: M(E, E') for each ordered pair of
    different experts, since M is not symmetric; empty when there is one expert.
    """

    algorithm: tuple[float, ...]
    experts: tuple[float, ...]

    @property
    def mopt(self) -> float | None:
        """Mopt: the best M(A, E) as a share of the worst M(E, E')."""
        return _percent(max(self.algorithm, default=None), min(self.experts, default=None))

    @property
    def mavg(self) -> float | None:
        """Mavg: the mean M(A, E) as a share of the mean M(E, E')."""
        return _percent(mean(self.algorithm), self.ster)

    @property
    def ster(self) -> float | None:
        """What the essay adds to STER: the mean M(E, E')."""
        return mean(self.experts)

    def star(self, hardness: float) -> float | None:
        """What the essay adds to STAR: H times the mean M(A, E), 1 - H times the best."""
        usual = mean(self.algorithm)
        if usual is None:
            return None
        return hardness * usual + (1 - hardness) * max(self.algorithm)


def star(essays: Iterable[EssayAccuracy], hardness: float = 1) -> float | None:
    """STAR, the mean accuracy of an algorithm; ``hardness`` is H, from 0 to 1."""
    return mean_of_defined(essay.star(hardness) for essay in essays)


def ster(essays: Iterable[EssayAccuracy]) -> float | None:
    """STER, the mean accuracy of the experts: the mean over essays of the mean M(E, E')."""
    return mean_of_defined(essay.ster for essay in essays)


def otar(essays: Sequence[EssayAccuracy]) -> float | None:
    """OTAR, the relative accuracy of an algorithm: STAR at H = 1 as a share of STER."""
    return _percent(star(essays), ster(essays))


def mean(values: Sequence[float]) -> float | None:
    """The mean, exactly rounded whatever the order; ``None`` of no values."""
    return fsum(values) / len(values) if values else None


def mean_of_defined(values: Iterable[float | None]) -> float | None:
    """The mean of those of the values that are defined."""
    return mean([value for value in values if value is not None])


def _percent(part: float | None, whole: float | None) -> float | None:
    """``None`` as well when nothing is there to divide by, or too little for a number to hold."""
    share = 100 * part / whole if part is not None and whole else None
    return share if share is not None and isfinite(share) else None
