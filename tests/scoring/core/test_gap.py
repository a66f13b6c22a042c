"""The marks two markups' points are apart by."""

import pytest

from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from compare.core.matcher import match
from scoring.core.criteria import explain
from scoring.core.gap import Gap, gaps

TEXT = " ".join(["word"] * 200)
PLAN = (
    "ПРОБЛЕМА",
    "ЛМНЕНИЕ",
    "АРГУМЕНТ",
    "АРГУМЕНТ",
    "АРГУМЕНТ",
    "ПРМНЕНИЕ",
    "ОБОСНОВАНИЕ",
    "ВЫВОД",
)
BLOCKS = tuple(
    Fragment(Span(100 * place, 100 * place + 60), code, kind=Kind.BLOCK)
    for place, code in enumerate(PLAN)
)


def mark(word, code, **fields):
    """A mark on one word of the text."""
    return Fragment(Span(5 * word, 5 * word + 4), code, **fields)


def found(left, right, subject=Subject.ENGLISH):
    comparison = match(Markup(TEXT, (*BLOCKS, *left)), Markup(TEXT, (*BLOCKS, *right)))
    return gaps(comparison, explain(subject, comparison.left), explain(subject, comparison.right))


def test_equal_points_have_no_gap():
    assert found([mark(1, "А.лекс")], [mark(7, "А.лекс")]) == ()


def test_marks_both_sides_have_are_no_cause():
    shared = [mark(1, "А.грамм"), mark(2, "А.грамм")]

    assert found(shared, [*shared, mark(9, "А.грамм")]) == (Gap("K4", (3, 2), (), (10,)),)


def test_marks_of_the_higher_side_count_too_when_the_other_lacks_them():
    left = [mark(word, "А.лекс") for word in (1, 2)]
    right = [mark(word, "А.лекс") for word in (5, 6, 7, 8)]

    (gap,) = found(left, right)

    assert gap == Gap("K3", (2, 1), (8, 9), (8, 9, 10, 11))
    assert gap.width == 1


def test_a_pair_of_different_codes_is_a_cause_on_both_sides():
    twice = [mark(1, "А.грамм"), mark(2, "А.грамм")]
    left, right = [*twice, mark(5, "А.орф"), mark(6, "А.орф")], [*twice, mark(5, "А.грамм")]

    assert found(left, right) == (
        Gap("K4", (3, 2), (), (10,)),
        Gap("K5", (1, 2), (10, 11), ()),
    )


def test_a_missing_block_is_the_block_the_other_side_has():
    text = TEXT
    without = [block for block in BLOCKS if block.code != "ВЫВОД"]
    comparison = match(Markup(text, BLOCKS), Markup(text, tuple(without)))

    assert gaps(
        comparison,
        explain(Subject.ENGLISH, comparison.left),
        explain(Subject.ENGLISH, comparison.right),
    ) == (Gap("K2", (3, 2), (7,), ()),)


def test_where_only_tags_differ_the_marks_of_the_lower_side_are_the_cause():
    left = [mark(word, "А.грамм", tag="x") for word in (1, 2, 3)]
    right = [mark(word, "А.грамм") for word in (1, 2, 3)]

    assert found(left, right) == (Gap("K4", (3, 2), (), (8, 9, 10)),)


@pytest.mark.parametrize("subject", Subject)
def test_every_criterion_that_differs_is_named_in_every_subject(subject):
    comparison = match(Markup(TEXT, BLOCKS), Markup(TEXT))
    left, right = explain(subject, comparison.left), explain(subject, comparison.right)

    named = [(gap.criterion, gap.points) for gap in gaps(comparison, left, right)]

    assert named == [
        (name, (left[name].points, right[name].points))
        for name in left
        if left[name].points != right[name].points
    ]
