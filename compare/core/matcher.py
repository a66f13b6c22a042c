"""The one matcher: which fragment of one markup answers which of the other.

Regulation, Appendix 2, 3: among all matchings the one that minimises the sum of the losses of
its pairs and 1 for every fragment that stays alone. Always exact, never exponential.
"""

from __future__ import annotations

from annotator.core.values import Fragment, Markup
from compare.core.assignment import Edge
from compare.core.canonical import Place, in_canonical_order, place
from compare.core.comparison import Comparison, Loss, Pair, others
from compare.core.optimum import optimal_pairs


def loss(left: Fragment, right: Fragment) -> Loss:
    """L of two fragments of one text (Appendix 2, 3); J counts characters, codes have no case.

    A whole-text mistake coincides with another one and does not overlap with anything else.
    """
    return _loss(place(left), place(right))


def match(left: Markup, right: Markup) -> Comparison:
    """The optimal matching of two markups of one text (Appendix 2, 3).

    Of several with the same Q it is the one with the most pairs, then with the most equal codes,
    subcodes, corrections, then with the greatest sum of products of canonical ranks. What is
    still tied is decided by the algorithm, which gets the fragments in canonical order and the
    canonically smaller markup first. So neither the order of the fragments nor the order of the
    markups matters: ``match(b, a)`` is the mirror image of ``match(a, b)``. Only fragments that
    are alike in every field but ``id`` can stand for each other.

    Time: n log n for typical markups, at worst cubic in the number of fragments.
    """
    left_order, left_places = in_canonical_order(left)
    right_order, right_places = in_canonical_order(right)
    ranks = ranks_of(left_places, right_places)
    found = sorted((left_order[i], right_order[k], i, k) for i, k in ranks)
    return Comparison(
        left,
        right,
        pairs=tuple(Pair(a, b, _loss(left_places[i], right_places[k])) for a, b, i, k in found),
        only_left=others(left, {a for a, _, _, _ in found}),
        only_right=others(right, {b for _, b, _, _ in found}),
    )


def ranks_of(left: list[Place], right: list[Place]) -> list[Edge]:
    """The ranks of the places that ``match`` pairs; both lists in canonical order."""
    if left <= right:
        return optimal_pairs(left, right)
    return [(i, k) for k, i in optimal_pairs(right, left)]


def _loss(x: Place, y: Place) -> Loss:
    shared = max(0, min(x.end, y.end) - max(x.start, y.start))
    union = x.end - x.start + y.end - y.start - shared
    return Loss(
        jaccard=(union - shared) / union,
        apart=shared == 0,
        begin=x.start != y.start,
        code=x.code != y.code,
    )
