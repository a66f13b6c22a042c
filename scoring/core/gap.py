"""Which marks two markups are apart by, criterion by criterion (screens.md 1.15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from annotator.core.values import Markup, fold
from compare.core.comparison import Comparison
from scoring.core.criteria.grader import Reasons


@dataclass(frozen=True, slots=True)
class Gap:
    """A criterion in which two markups give different points, and the marks that cause it.

    ``points``: of the left and of the right markup. ``left``, ``right``: indices of fragments.
    """

    criterion: str
    points: tuple[int, int]
    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def width(self) -> int:
        """How many points the two are apart."""
        return abs(self.points[0] - self.points[1])


def gaps(
    comparison: Comparison, left: Mapping[str, Reasons], right: Mapping[str, Reasons]
) -> tuple[Gap, ...]:
    """The criteria that differ, in their order, each with the marks that make the difference.

    These are the marks with a code that entered the criterion and was counted differently on the
    two sides, as far as the other side has no partner of the same code for them. Where all of
    them have one - tags or borders decide - they are the marks that cost the lower side points.
    """
    alike = [(pair.left, pair.right) for pair in comparison.pairs if not pair.loss.code]
    shared = {index for index, _ in alike}, {index for _, index in alike}
    return tuple(
        _gap(comparison, name, (left[name], right[name]), shared)
        for name in left
        if left[name].points != right[name].points
    )


def _gap(
    comparison: Comparison,
    name: str,
    why: tuple[Reasons, Reasons],
    shared: tuple[set[int], set[int]],
) -> Gap:
    codes = _counted_apart(why)
    markups = comparison.left, comparison.right
    blamed = [
        _marks_of(markup, codes) - known for markup, known in zip(markups, shared, strict=True)
    ]
    points = why[0].points, why[1].points
    if not any(blamed):
        lower = points.index(min(points))
        blamed[lower] = set(why[lower].fragments)
    return Gap(name, points, tuple(sorted(blamed[0])), tuple(sorted(blamed[1])))


def _counted_apart(why: tuple[Reasons, Reasons]) -> set[str]:
    """Codes and families («Г.») that entered the criterion with different counts."""
    left, right = why[0].counts, why[1].counts
    return {code for code in left.keys() | right.keys() if left.get(code, 0) != right.get(code, 0)}


def _marks_of(markup: Markup, codes: set[str]) -> set[int]:
    names = {fold(code) for code in codes}
    families = tuple(name for name in names if name.endswith("."))
    return {
        index
        for index, fragment in enumerate(markup.fragments)
        if fold(fragment.code) in names or (families and fold(fragment.code).startswith(families))
    }
