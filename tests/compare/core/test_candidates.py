"""Candidates are the overlapping pairs of one begin or one code, split where they do not touch."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span
from compare.core.candidates import admissible, components
from compare.core.canonical import in_canonical_order
from tests.compare.core.peers import TEXT, crowded, exact_loss

PAIRS = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)))


def in_order(markup):
    order, places = in_canonical_order(markup)
    return [markup.fragments[index] for index in order], places


@given(crowded(8), crowded(8))
def test_admissible_pairs_are_those_whose_loss_is_below_two(left, right):
    (xs, left_places), (ys, right_places) = in_order(left), in_order(right)

    expected = [
        (i, k) for (i, x), (k, y) in product(enumerate(xs), enumerate(ys)) if exact_loss(x, y) < 2
    ]
    assert sorted(admissible(left_places, right_places)) == expected


@given(PAIRS)
def test_components_hold_every_pair_once_and_share_no_node(pairs):
    found = list(components(pairs))

    assert sorted(pair for component in found for pair in component) == sorted(pairs)
    for side in (0, 1):
        nodes = [{pair[side] for pair in component} for component in found]
        assert sum(map(len, nodes)) == len(set().union(*nodes))


@given(PAIRS)
def test_components_are_connected_and_in_ascending_order(pairs):
    for component in components(pairs):
        assert component == sorted(component)
        reached = {component[0]}
        for _ in component:
            reached |= {
                pair
                for pair in component
                if any(pair[0] == other[0] or pair[1] == other[1] for other in reached)
            }
        assert reached == set(component)


def test_canonical_order_is_whole_text_begin_end_code_subcode_correction():
    fragments = [
        Fragment(Span(2, 3), "а"),
        Fragment(Span(1, 3), "б"),
        Fragment(Span(1, 3), "А", correction="b"),
        Fragment(Span(1, 3), "а", correction="a"),
        Fragment(Span(1, 3), "а", subcode="s"),
        Fragment(Span(1, 2), "я"),
        Fragment(None, "я"),
    ]

    order, _ = in_canonical_order(Markup(TEXT, tuple(fragments)))

    assert order == [6, 5, 3, 2, 4, 1, 0]


def test_canonical_order_of_equal_fragments_is_the_given_one():
    twins = [Fragment(Span(0, 1), "а", id=number) for number in (3, 1, 2)]

    assert in_canonical_order(Markup(TEXT, tuple(twins)))[0] == [0, 1, 2]
