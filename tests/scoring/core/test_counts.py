from __future__ import annotations

from annotator.core.values import Markup
from compare.core.comparison import Comparison, Loss, Pair
from scoring.core.counts import Counts, count
from tests.scoring.core.essays import paired
from tests.strategies import fragment, whole_text

TEXT = "one two three four five"


def test_count_sums_what_the_pairs_have_in_common():
    comparison = Comparison(
        left=Markup(
            TEXT,
            (
                fragment(0, 7, "А.лекс", subcode="слобр", correction="two"),
                fragment(8, 13, "А.грамм", correction="Three"),
                fragment(14, 18, "А.орф"),
                fragment(19, 23, "А.орф"),
            ),
        ),
        right=Markup(
            TEXT,
            (
                whole_text("А.уров"),
                fragment(8, 13, "А.лекс", subcode="конт", correction="three"),
                fragment(0, 3, "А.лекс", subcode="слобр", correction=" two"),
            ),
        ),
        pairs=(
            Pair(0, 2, Loss(0.5, False, False, False)),
            Pair(1, 1, Loss(0.0, False, False, True)),
        ),
        only_left=(2, 3),
        only_right=(0,),
    )

    counts = count(comparison)

    assert counts == Counts(
        n=4,
        m=3,
        found=2,
        equal_codes=1,
        equal_subcodes=1,
        localization=1.5,
        equal_corrections=1,
    )
    assert (counts.missed, counts.invented) == (1, 2)


def test_count_of_nothing_is_nothing():
    empty = Markup(TEXT)

    assert count(Comparison(empty, empty, (), (), ())) == Counts(n=0, m=0)


def test_count_asks_the_given_predicate_about_comments():
    comparison = paired(
        (fragment(0, 3, comment="глагол"), fragment(0, 3, comment="глаголы")),
        (fragment(4, 7, comment="предлог"), fragment(4, 7, comment="союз")),
    )

    assert count(comparison).equal_subcodes == 0
    assert count(comparison, paraphrase=lambda one, other: one in other).equal_subcodes == 1


def test_the_sum_of_localization_does_not_depend_on_the_order_of_pairs():
    words = " ".join("abcdefghijklmnopqrstuvwxyz")
    pairs = [(fragment(0, 2 * size - 1), fragment(0, 1)) for size in range(1, 12)]

    forth, back = (
        count(paired(*each, text=words)).localization for each in (pairs, reversed(pairs))
    )

    assert forth == back
