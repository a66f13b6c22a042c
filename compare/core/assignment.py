"""The heaviest bipartite matching, exactly, in whole numbers.

The method is the Hungarian one (H. W. Kuhn, "The Hungarian method for the assignment problem",
1955; J. Munkres, 1957) in the form of successive shortest augmenting paths with prices
(N. Tomizawa, 1971; J. Edmonds and R. M. Karp, 1972), after a quick guess that does most of the
work, as in R. Jonker and A. Volgenant, "A shortest augmenting path algorithm for dense and sparse
linear assignment problems", 1987. Every node has a price, never below 0, such that

    price[i] + price[k] >= weight[i, k]     for every edge,
    price[i] + price[k] == weight[i, k]     when i and k are partners.

A node that is alone and has a price is in debt. When nobody is, the matching is the heaviest: no
matching weighs more than the sum of all prices, and this one weighs just that. So any prices will
do for a beginning, and then the debts are settled one by one: a node in debt looks for the
shortest chain of nodes of its side, each taking the partner of the next, to one that takes a
free partner or can stay alone for nothing. That is Dijkstra's search; the length of an edge is
what its prices have to spare. Settling a debt makes no other, so there are at most as many
searches as nodes, whatever the guess was worth.

The guess: nodes take their heaviest free partner, exchange partners where that pays, and prices
are then raised as Bellman and Ford would do it to prove this matching the heaviest, a few rounds
only. Where all edges are alike up to the order of the nodes - a hundred marks on one word - this
is all there is to do, while searches from prices of 0 would each go through all nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

Edge = tuple[int, int]
"""The numbers of two nodes, one on the left and one on the right."""

ROUNDS: Final = 4
"""How often the guess goes through all edges to raise prices; more rarely helps."""


@dataclass(frozen=True, slots=True)
class Matching:
    """A heaviest matching, and the prices of all nodes that prove it (see the module)."""

    edges: tuple[Edge, ...]
    left_price: dict[int, int]
    right_price: dict[int, int]


@dataclass(slots=True)
class _Side:
    """The nodes of one side: their edges by the other end, their prices, their partners."""

    edges: dict[int, dict[int, int]] = field(default_factory=dict)
    price: dict[int, int] = field(default_factory=dict)
    partner: dict[int, int] = field(default_factory=dict)


def heaviest_matching(edges: Sequence[Edge], weights: Sequence[int]) -> Matching:
    """Of the edges those without a common node whose weights, all above 0, have the greatest sum.

    With n and m nodes on the two sides it takes O((n + m) * n * m) at worst. Of equally heavy
    matchings the order of the edges and the numbers of the nodes choose one, and nothing else.
    """
    left, right = _Side(), _Side()
    for (start, end), weight in zip(edges, weights, strict=True):
        left.edges.setdefault(start, {})[end] = weight
        right.edges.setdefault(end, {})[start] = weight
    rows, columns = (left, right) if len(left.edges) <= len(right.edges) else (right, left)
    _guess(rows, columns)
    for near, far in ((rows, columns), (columns, rows)):
        for node in sorted(near.edges, reverse=True):
            if near.price[node] and node not in near.partner:
                _settle(near, far, node)
    return Matching(tuple(left.partner.items()), left.price, right.price)


def _guess(rows: _Side, columns: _Side) -> None:
    """Prices for all nodes and partners for most; nothing here is needed for the result."""
    _take_best_free(rows, columns)
    _exchange(rows, columns)
    price = columns.price = dict.fromkeys(columns.edges, 0)
    for row, edges in rows.edges.items():
        if row not in rows.partner:
            price.update((column, max(weight, price[column])) for column, weight in edges.items())
    for _ in range(ROUNDS):
        if not _raise_prices(rows, price):
            break
    for row, edges in rows.edges.items():
        spare = max([weight - price[column] for column, weight in edges.items()])
        rows.price[row] = max(0, spare)
        partner = rows.partner.get(row)
        if partner is not None and rows.price[row] + price[partner] > edges[partner]:
            del rows.partner[row], columns.partner[partner]


def _take_best_free(rows: _Side, columns: _Side) -> None:
    """Rows with the heaviest edges choose first."""
    heaviest = {row: max(edges.values()) for row, edges in rows.edges.items()}
    for row in sorted(heaviest, key=heaviest.__getitem__, reverse=True):
        best = 0
        for column, weight in rows.edges[row].items():
            if weight > best and column not in columns.partner:
                best, rows.partner[row] = weight, column
        if best:
            columns.partner[rows.partner[row]] = row


def _exchange(rows: _Side, columns: _Side) -> None:
    """Two rows exchange columns where that makes the matching heavier."""
    for row, edges in rows.edges.items():
        if row not in rows.partner:
            continue
        column = rows.partner[row]
        for wanted, weight in edges.items():
            rival = columns.partner.get(wanted)
            if rival is None:
                continue
            theirs = rows.edges[rival]
            if column in theirs and weight + theirs[column] > edges[column] + theirs[wanted]:
                rows.partner[row], columns.partner[wanted] = wanted, row
                rows.partner[rival], columns.partner[column] = column, rival
                column = wanted


def _raise_prices(rows: _Side, price: dict[int, int]) -> bool:
    """Raise columns until no row would rather have another than its own; one round."""
    raised = False
    for row in sorted(rows.partner):
        edges = rows.edges[row]
        own = rows.partner[row]
        # What the row keeps for itself is not below 0.
        less = max(0, edges[own] - price[own])
        for column, weight in edges.items():
            if weight - less > price[column]:
                price[column] = weight - less
                raised = True
    return raised


def _settle(near: _Side, far: _Side, debtor: int) -> None:
    """Find the debtor a partner by the shortest chain, or a price of 0."""
    search = _Search(near, far, debtor)
    reached: int | None = debtor
    while reached is not None:
        search.visit(reached)
        reached = search.next_node()
    search.move_prices()
    node, partner = search.end
    while node != debtor:
        handed = near.partner.pop(node)
        _marry(near, far, node, partner)
        node, partner = search.via[handed], handed
    _marry(near, far, node, partner)


def _marry(near: _Side, far: _Side, node: int, partner: int | None) -> None:
    if partner is not None:
        near.partner[node] = partner
        far.partner[partner] = node


class _Search:
    """Dijkstra's search for the shortest chain from a node in debt.

    ``reach`` and ``via``: how far a partner taken by another node lies, and from which node it
    was reached; ``closed``: those whose distance is final, ``ready``: those at this distance.
    """

    def __init__(self, near: _Side, far: _Side, debtor: int) -> None:
        self.near = near
        self.far = far
        # To let the debtor go without its price is the first chain; only shorter ones matter.
        self.length = near.price[debtor]
        self.end: tuple[int, int | None] = (debtor, None)
        self.distance = 0
        self.reach: dict[int, int] = {}
        self.via: dict[int, int] = {}
        self.closed: set[int] = set()
        self.ready: list[int] = []
        self.visited: list[tuple[int, int]] = []

    def visit(self, node: int) -> None:
        """Go along all edges of a node that lies at the present distance."""
        base = self.distance + self.near.price[node]
        self.visited.append((node, self.distance))
        if base < self.length:
            self.length, self.end = base, (node, None)
        closed, price, reach, length = self.closed, self.far.price, self.reach, self.length
        for other, weight in self.near.edges[node].items():
            if other in closed:
                continue
            step = base - weight + price[other]
            if step < length and step < reach.get(other, length):
                reach[other] = step
                self.via[other] = node
                if other not in self.far.partner:
                    length, self.end = step, (node, other)
                elif step == self.distance:
                    self.ready.append(other)
        self.length = length

    def next_node(self) -> int | None:
        """The owner of the nearest partner, unless the shortest chain is known by now."""
        if not self.ready and self.length > self.distance:
            waiting = [other for other in self.reach if other not in self.closed]
            self.distance = min([self.reach[other] for other in waiting], default=self.length)
            self.ready = [other for other in waiting if self.reach[other] == self.distance]
        if self.length <= self.distance:
            return None
        nearest = self.ready.pop()
        self.closed.add(nearest)
        return self.far.partner[nearest]

    def move_prices(self) -> None:
        """Nodes give up, and partners gain, by how much nearer than the end they lie."""
        for node, distance in self.visited:
            self.near.price[node] -= self.length - distance
        for other in self.closed:
            self.far.price[other] += self.length - self.reach[other]
