"""Small components solved by trying all their matchings, those of one shape at once.

The gains of a component are whole numbers of its common denominator, so its matchings are compared
exactly. Where that is too great a number they are rounded, and only what is certain is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Final

import numpy as np

from compare.core.batch.columns import Columns, Flags, Ints
from compare.core.batch.settling import (
    MOST_MATCHED,
    UNIT,
    Edges,
    certain,
    unions_of,
    weights_of,
)

SHAPES: Final = ((1, 6), (2, 2), (2, 4), (2, 6), (3, 3), (3, 4), (4, 4), (3, 6), (4, 5))
"""Nodes of the shorter and of the longer side, at most; a component takes the first that fits."""
MOST_CELLS: Final = max(rows * columns for rows, columns in SHAPES)
AT_ONCE: Final = 5000
"""So many components have all their matchings in memory at once."""
ABSENT: Final = -(2**60)
"""The weight of an edge that is not there: a matching with it is worse than without."""


@dataclass(frozen=True, slots=True)
class Components:
    """Which edges hang together.

    ``of_edge``: of each edge its component, from 0. ``row`` and ``column``: of each edge its node
    among those of the shorter and of the longer side of its component. ``rows``, ``columns``: how
    many nodes the sides of each component have.
    """

    of_edge: Ints
    row: Ints
    column: Ints
    rows: Ints
    columns: Ints


def components(edges: Edges) -> Components:
    """The connected components of edges."""
    of_x, x = np.unique(edges.x, return_inverse=True)
    of_y, y = np.unique(edges.y, return_inverse=True)
    label = _labels(x, y, len(of_x), len(of_y))
    found, of_edge = np.unique(label[x], return_inverse=True)
    at_x, at_y = np.zeros((2, max(len(of_x), len(of_y))), dtype=np.int64)
    at_x[x] = of_edge
    at_y[y] = of_edge
    place_x, size_x = _places(at_x[: len(of_x)], len(found))
    place_y, size_y = _places(at_y[: len(of_y)], len(found))
    turned = (size_x > size_y)[of_edge]
    return Components(
        of_edge,
        row=np.where(turned, place_y[y], place_x[x]),
        column=np.where(turned, place_x[x], place_y[y]),
        rows=np.minimum(size_x, size_y),
        columns=np.maximum(size_x, size_y),
    )


def solved(columns: Columns, edges: Edges) -> tuple[Ints, Ints]:
    """Edges of the heaviest matchings of all components for which there is but one for certain.

    Second: the edges of the other components, those too big to try among them.
    """
    parts = components(edges)
    common = denominators(parts, unions_of(columns, edges))
    unit = np.where(common, common, UNIT)
    least = np.where(common, 0, certain(2 * MOST_MATCHED))
    weights = weights_of(columns, edges, unit[parts.of_edge])
    settled: Flags = np.zeros(len(parts.rows), dtype=bool)
    waiting: Flags = np.ones(len(parts.rows), dtype=bool)
    taken = [parts.of_edge[:0]]
    for shape in SHAPES:
        fit = np.flatnonzero(waiting & (parts.rows <= shape[0]) & (parts.columns <= shape[1]))
        waiting[fit] = False
        for begin in range(0, len(fit), AT_ONCE):
            some = fit[begin : begin + AT_ONCE]
            found, ahead = _tried(parts, some, weights, shape)
            sure = ahead > least[some]
            settled[some[sure]] = True
            taken.append(found[sure].ravel())
    chosen = np.concatenate(taken)
    return chosen[chosen >= 0], np.flatnonzero(~settled[parts.of_edge])


def denominators(parts: Components, unions: Ints) -> Ints:
    """Of each component the least common multiple of its unions; 0 where it exceeds ``UNIT``.

    0 as well for a component of more edges than the largest of ``SHAPES`` has.
    """
    place, sizes = _places(parts.of_edge, len(parts.rows))
    common = np.where(sizes <= MOST_CELLS, 1, 0)
    for number in range(min(MOST_CELLS, int(sizes.max(initial=0)))):
        edge = np.flatnonzero(place == number)
        component = parts.of_edge[edge]
        multiple = np.lcm(common[component], unions[edge])
        common[component] = np.where(multiple > UNIT, 0, multiple)
    return common


def _tried(
    parts: Components, chosen: Ints, weights: Ints, shape: tuple[int, int]
) -> tuple[Ints, Ints]:
    """Of chosen components the heaviest matchings, and by how much they are ahead of the next.

    A row of the matchings has the edges of a component, and -1 for each node that stays alone.
    """
    rows, columns = shape
    place = np.full(len(parts.rows), -1)
    place[chosen] = np.arange(len(chosen))
    edge = np.flatnonzero(place[parts.of_edge] >= 0)
    component = place[parts.of_edge[edge]]
    cell = parts.row[edge] * columns + parts.column[edge]
    # The last cell stands for a row that stays alone.
    weight = np.full((len(chosen), rows * columns + 1), ABSENT)
    weight[:, -1] = 0
    weight[component, cell] = weights[edge]
    number = np.full(weight.shape, -1)
    number[component, cell] = edge
    matchings = all_matchings(rows, columns)
    total = sum((weight[:, cells] for cells in matchings.T), start=np.zeros(1, dtype=np.int64))
    every = np.arange(len(chosen))
    best = total.argmax(axis=1)
    most = total[every, best]
    total[every, best] = ABSENT
    return number[every[:, None], matchings[best]], most - total.max(axis=1)


@cache
def all_matchings(rows: int, columns: int) -> Ints:
    """All matchings of so many nodes: (matchings, rows), of each row its cell.

    Cells are numbered row by row; one more, the last, is where rows go that stay alone.
    """
    return np.array(list(_matchings(rows, columns)))


def _matchings(rows: int, columns: int) -> Iterator[list[int]]:
    for size in range(min(rows, columns) + 1):
        for some in combinations(range(rows), size):
            for partners in permutations(range(columns), size):
                cells = [rows * columns] * rows
                for row, column in zip(some, partners, strict=True):
                    cells[row] = row * columns + column
                yield cells


def _labels(x: Ints, y: Ints, nodes_x: int, nodes_y: int) -> Ints:
    """Of each node of x the least node of its component; a round for each step of the way."""
    label = np.arange(nodes_x)
    other = np.full(nodes_y, nodes_x)
    while True:
        before = label.copy()
        np.minimum.at(other, y, label[x])
        np.minimum.at(label, x, other[y])
        if np.array_equal(label, before):
            return label


def _places(component: Ints, components: int) -> tuple[Ints, Ints]:
    """Of each node its number within its component, and how many each component has."""
    sizes = np.bincount(component, minlength=components)
    order = np.argsort(component, kind="stable")
    place = np.empty(len(component), dtype=np.int64)
    place[order] = np.arange(len(component)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place, sizes
