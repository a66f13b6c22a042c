"""Appendix 2, 3 of the regulation, and the traps of markup.md 1.1."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span
from compare.core.comparison import Comparison, Loss, Pair
from compare.core.matcher import loss, match
from tests.compare.core.peers import TEXT, crowded
from tests.strategies import markups, texts

WHOLE = Fragment(None, "А.уров")


def marked(start, end, code="а", **fields):
    return Fragment(Span(start, end), code, **fields)


def markup(*fragments):
    return Markup("x" * 40, fragments)


def pairs(comparison):
    return [(pair.left, pair.right) for pair in comparison.pairs]


def values(comparison):
    """The pairs as values, for fragments that are equal but for their number."""
    return Counter(comparison.fragments(pair) for pair in comparison.pairs)


@pytest.mark.parametrize(
    ("left", "right", "expected", "total"),
    [
        (marked(0, 4), marked(0, 4), Loss(0.0, apart=False, begin=False, code=False), 0.0),
        (marked(0, 4), marked(0, 8), Loss(0.5, apart=False, begin=False, code=False), 0.5),
        (marked(0, 4, "а"), marked(0, 4, "б"), Loss(0.0, apart=False, begin=False, code=True), 1.0),
        (marked(0, 4), marked(2, 4), Loss(0.5, apart=False, begin=True, code=False), 1.5),
        (
            marked(0, 3, "а"),
            marked(1, 4, "б"),
            Loss(0.5, apart=False, begin=True, code=True),
            2.5,
        ),
        (marked(0, 4), marked(4, 8), Loss(1.0, apart=True, begin=True, code=False), 3.0),
        (
            marked(0, 4, "а"),
            marked(9, 10, "б"),
            Loss(1.0, apart=True, begin=True, code=True),
            4.0,
        ),
    ],
)
def test_loss_follows_the_table_of_the_regulation(left, right, expected, total):
    assert (loss(left, right), loss(left, right).total) == (expected, total)


def test_loss_takes_codes_in_any_letter_case_and_without_outer_spaces():
    assert not loss(marked(0, 4, "А.ГРАММ"), marked(0, 4, " а.грамм ")).code


def test_loss_does_not_take_latin_letters_for_cyrillic_ones():
    assert loss(marked(0, 4, "А.грамм"), marked(0, 4, "A.грамм")).code


def test_loss_counts_code_points_not_words_or_bytes():
    assert loss(marked(0, 3), marked(0, 2)).jaccard == pytest.approx(1 / 3)


def test_loss_puts_two_whole_text_mistakes_in_one_place():
    assert loss(WHOLE, WHOLE) == Loss(0.0, apart=False, begin=False, code=False)


def test_loss_keeps_a_whole_text_mistake_apart_from_a_fragment_at_the_beginning():
    apart = Loss(1.0, apart=True, begin=True, code=False)

    assert loss(WHOLE, marked(0, 9, "А.уров")) == loss(marked(0, 9, "А.уров"), WHOLE) == apart


def test_match_gives_pairs_losses_and_the_fragments_left_alone():
    left = markup(marked(20, 30), marked(0, 4), marked(8, 9, "б"))
    right = markup(marked(0, 8), marked(20, 30), marked(33, 34), marked(10, 12, "б"))

    assert match(left, right) == Comparison(
        left,
        right,
        pairs=(
            Pair(0, 1, Loss(0.0, apart=False, begin=False, code=False)),
            Pair(1, 0, Loss(0.5, apart=False, begin=False, code=False)),
        ),
        only_left=(2,),
        only_right=(2, 3),
    )


def test_match_of_empty_markups_is_empty_and_costs_nothing():
    comparison = match(markup(), markup())

    assert comparison == Comparison(markup(), markup(), (), (), ())
    assert comparison.loss == 0


def test_match_with_an_empty_markup_leaves_every_fragment_alone():
    comparison = match(markup(marked(0, 1), WHOLE), markup())

    assert (comparison.only_left, comparison.loss) == ((0, 1), 2)


def test_match_leaves_overlapping_fragments_alone_when_begin_and_code_differ():
    assert pairs(match(markup(marked(0, 9, "а")), markup(marked(1, 9, "б")))) == []


def test_match_does_not_pair_fragments_that_only_touch():
    assert pairs(match(markup(marked(0, 9)), markup(marked(9, 12)))) == []


def test_match_avoids_the_greedy_trap():
    # The closest pair, [0, 10) and [0, 9), would leave the other two alone: Q = 2.1.
    left = markup(marked(0, 10), marked(0, 5))
    right = markup(marked(0, 9), marked(6, 10))

    comparison = match(left, right)

    assert pairs(comparison) == [(0, 1), (1, 0)]
    assert comparison.loss == pytest.approx(1.6 + 4 / 9)


def test_match_combines_pairs_of_different_components():
    # The pseudo-code of the regulation, taken literally, keeps one of the two: Q = 2.1.
    left = markup(marked(0, 10), marked(20, 30))
    right = markup(marked(0, 9), marked(20, 29))

    comparison = match(left, right)

    assert pairs(comparison) == [(0, 0), (1, 1)]
    assert comparison.loss == pytest.approx(0.2)


def test_match_takes_more_pairs_when_q_is_the_same():
    # [0, 6) with [0, 3) alone costs 2.5 as well, and those two have the same subcode.
    left = markup(marked(0, 2, "а", subcode="t"), marked(0, 6, "б", subcode="s"))
    right = markup(marked(0, 3, "б", subcode="s"), marked(1, 6, "б", subcode="u"))

    comparison = match(left, right)

    assert comparison.loss == 2.5
    assert pairs(comparison) == [(0, 0), (1, 1)]


def test_match_prefers_equal_codes_when_q_and_pairs_are_the_same():
    # IoU is 1/3 with both; a common begin is worth as much as a common code.
    left = markup(marked(2, 6, "а"))
    right = markup(marked(0, 4, "а"), marked(2, 14, "б"))

    comparison = match(left, right)

    assert comparison.loss == pytest.approx(1 + 2 / 3 + 1)
    assert pairs(comparison) == [(0, 0)]


def test_match_prefers_equal_subcodes_to_equal_corrections():
    left = markup(marked(0, 4, subcode="s", correction="be"))
    right = markup(marked(0, 4, subcode="S "), marked(0, 4, subcode="t", correction="be"))

    assert pairs(match(left, right)) == [(0, 0)]


def test_match_counts_two_missing_subcodes_as_equal():
    left = markup(marked(0, 4))
    right = markup(marked(0, 4), marked(0, 4, subcode="s"))

    assert pairs(match(left, right)) == [(0, 0)]


def test_match_prefers_equal_corrections_whatever_their_white_space():
    left = markup(marked(0, 4, correction="to be"))
    right = markup(marked(0, 4, correction="to\n be "), marked(0, 4, correction="zo be"))

    assert pairs(match(left, right)) == [(0, 0)]


def test_match_tells_corrections_in_another_letter_case_apart():
    left = markup(marked(0, 4, correction="The"))
    right = markup(marked(0, 4, correction="The"), marked(0, 4, correction="the"))

    assert pairs(match(left, right)) == [(0, 0)]


def test_match_does_not_count_two_missing_corrections_as_equal():
    # Ranks decide: of twins the canonically later one, here the one that corrects.
    left = markup(marked(0, 4))
    right = markup(marked(0, 4), marked(0, 4, correction="be"))

    assert pairs(match(left, right)) == [(0, 1)]


def test_match_pairs_twins_in_canonical_order():
    left = markup(marked(0, 4, comment="c"), marked(0, 4, comment="a"), marked(0, 4, comment="b"))
    right = markup(marked(0, 4, comment="x"), marked(0, 4, comment="z"), marked(0, 4, comment="y"))

    assert pairs(match(left, right)) == [(0, 1), (1, 0), (2, 2)]


def test_match_uses_each_of_several_equal_fragments_once():
    comparison = match(markup(*[marked(0, 4)] * 3), markup(*[marked(0, 4)] * 2))

    assert len(comparison.pairs) == 2
    assert comparison.loss == 1


def test_match_of_a_whole_text_mistake_is_another_one_and_no_fragment_at_the_beginning():
    left = markup(WHOLE, marked(0, 7, "А.уров"))
    right = markup(marked(0, 9, "А.уров"), Fragment(None, "А.объем"), Fragment(None, "а.уров"))

    comparison = match(left, right)

    assert pairs(comparison) == [(0, 2), (1, 0)]
    assert comparison.only_right == (1,)


def test_match_pairs_whole_text_mistakes_of_different_codes_when_nothing_better_is_left():
    comparison = match(markup(WHOLE), markup(Fragment(None, "А.объем")))

    assert (pairs(comparison), comparison.loss) == ([(0, 0)], 1)


def test_match_decides_what_no_preference_tells_apart_in_one_way():
    # Two matchings are equal in Q, pairs, codes, subcodes, corrections and products of ranks.
    first = [marked(3, 5, "б", subcode="s"), marked(4, 7, "б"), marked(4, 7, "б", subcode="s")]
    second = [
        *[marked(0, 3, "б", subcode="s"), marked(1, 5, "б"), marked(1, 5, "б", subcode="s")],
        *[marked(1, 5, "а", subcode="s"), marked(4, 5, "а")],
    ]
    rng = random.Random(0)
    found = set()
    for _ in range(40):
        rng.shuffle(first)
        rng.shuffle(second)
        found.add(frozenset(values(match(markup(*first), markup(*second)))))
        mirrored = values(match(markup(*second), markup(*first)))
        found.add(frozenset((right, left) for left, right in mirrored))

    assert len(found) == 1


@given(crowded(8), crowded(8))
def test_match_places_every_fragment_once(left, right):
    comparison = match(left, right)

    paired = Counter(pair.left for pair in comparison.pairs)
    assert paired + Counter(comparison.only_left) == Counter(range(len(left.fragments)))
    paired = Counter(pair.right for pair in comparison.pairs)
    assert paired + Counter(comparison.only_right) == Counter(range(len(right.fragments)))


@given(crowded(8), crowded(8))
def test_match_lists_pairs_and_fragments_alone_in_ascending_order(left, right):
    comparison = match(left, right)

    assert pairs(comparison) == sorted(pairs(comparison))
    assert list(comparison.only_left) == sorted(comparison.only_left)
    assert list(comparison.only_right) == sorted(comparison.only_right)


@given(crowded(8), crowded(8))
def test_match_tells_the_loss_of_each_pair(left, right):
    comparison = match(left, right)

    assert [pair.loss for pair in comparison.pairs] == [
        loss(*comparison.fragments(pair)) for pair in comparison.pairs
    ]


@given(crowded(8), crowded(8))
def test_match_of_mirrored_markups_is_the_mirror_image(left, right):
    there, back = match(left, right), match(right, left)

    assert there == back.mirrored()


@given(crowded(8), crowded(8), st.randoms(use_true_random=False))
def test_match_does_not_depend_on_the_order_of_fragments(left, right, rng):
    shuffled = Markup(TEXT, tuple(rng.sample(left.fragments, len(left.fragments))))

    assert values(match(shuffled, right)) == values(match(left, right))


@given(texts().flatmap(lambda text: st.tuples(markups(text), markups(text))))
def test_match_of_any_markups_never_costs_more_than_leaving_everything_alone(both):
    left, right = both

    assert match(left, right).loss <= len(left.fragments) + len(right.fragments)


@given(crowded(8))
def test_match_of_a_markup_with_itself_is_complete_and_costs_nothing(itself):
    comparison = match(itself, itself)

    assert pairs(comparison) == [(index, index) for index in range(len(itself.fragments))]
    assert comparison.loss == 0
