"""The heaviest matching is heaviest, and its prices prove it."""

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compare.core.assignment import Matching, heaviest_matching
from tests.examples import examples

NODES = st.integers(0, 6)


def graphs(most=6):
    """Edges and their weights; small weights, so that many matchings weigh the same."""
    edges = st.dictionaries(st.tuples(NODES, NODES), st.integers(1, most), max_size=30)
    return edges.map(lambda found: dict(sorted(found.items())))


def solve(graph):
    return heaviest_matching(list(graph), list(graph.values()))


def heaviest(graph):
    """The greatest weight, by trying everything."""

    def best(lefts, free):
        if not lefts:
            return 0
        first, *others = lefts
        ways = (
            graph[first, right] + best(others, free - {right})
            for right in free
            if (first, right) in graph
        )
        return max([best(others, free), *ways])

    return best(sorted({left for left, _ in graph}), frozenset(right for _, right in graph))


def assert_proved(graph, matching):
    """No matching can weigh more than all prices together, and this one weighs as much."""
    left, right = matching.left_price, matching.right_price
    assert len({i for i, _ in matching.edges}) == len(matching.edges)
    assert len({k for _, k in matching.edges}) == len(matching.edges)
    assert all(price >= 0 for price in [*left.values(), *right.values()])
    assert all(left[i] + right[k] >= weight for (i, k), weight in graph.items())
    assert sum(graph[edge] for edge in matching.edges) == sum(left.values()) + sum(right.values())


def test_matching_without_edges_is_empty():
    assert heaviest_matching([], []) == Matching((), {}, {})


def test_matching_of_one_edge_is_that_edge():
    found = solve({(3, 5): 7})

    assert found.edges == ((3, 5),)
    assert found.left_price[3] + found.right_price[5] == 7


def test_matching_gives_up_the_heaviest_edge_for_two_others():
    assert set(solve({(0, 0): 5, (0, 1): 4, (1, 0): 4}).edges) == {(0, 1), (1, 0)}


def test_matching_leaves_nodes_alone_when_that_is_heavier():
    assert solve({(0, 0): 2, (0, 1): 5, (1, 1): 2}).edges == ((0, 1),)


def test_matching_tells_huge_weights_apart_by_one():
    huge = 10**200
    graph = {(0, 0): huge, (0, 1): huge + 1, (1, 0): huge, (1, 1): huge}

    assert set(solve(graph).edges) == {(0, 1), (1, 0)}


@settings(max_examples=examples(300))
@given(graphs())
def test_matching_is_the_heaviest_of_all(graph):
    found = solve(graph)

    assert sum(graph[edge] for edge in found.edges) == heaviest(graph)


@settings(max_examples=examples(300))
@given(graphs(most=10**30))
def test_prices_prove_the_matching(graph):
    assert_proved(graph, solve(graph))


DICE = random.Random(1)
WEIGHTS = {
    "products": lambda i, k: (i + 1) * (k + 1),
    "near products": lambda i, k: 10**4 + (i + 1) * (k + 1) * (1 + (i + k) % 3),
    "near the diagonal": lambda i, k: 1000 - abs(i - k) * DICE.randrange(1, 4),
    "few weights": lambda *_: DICE.randrange(1, 4),
    "any weights": lambda *_: DICE.randrange(1, 10**9),
}


@pytest.mark.parametrize("size", [(40, 40), (60, 25), (25, 60)])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_prices_prove_big_matchings_whatever_the_guess_was_worth(size, weights):
    edges = product(range(size[0]), range(size[1]))
    graph = {(i, k): WEIGHTS[weights](i, k) for i, k in edges}

    assert_proved(graph, solve(graph))


@given(graphs())
def test_matching_of_the_mirrored_graph_weighs_the_same(graph):
    mirrored = {(k, i): weight for (i, k), weight in graph.items()}

    assert sum(graph[edge] for edge in solve(graph).edges) == sum(
        mirrored[edge] for edge in solve(mirrored).edges
    )
