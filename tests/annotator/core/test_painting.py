"""Overlapping fragments as flat coloured runs (Appendix 3, 1.8; screens.md 0)."""

import random

import pytest
from hypothesis import given, settings

from annotator.core.painting import LANES, Paint, Run, lanes, paint
from annotator.core.values import Fragment, Kind, Markup, Span
from tests.annotator.core.growth import LINEAR, growth
from tests.examples import examples
from tests.strategies import fragment, markups, whole_text


def runs(text, *fragments):
    return [(run.text, run.paint.value, run.step) for run in paint(Markup(text, fragments))]


def oracle(markup, position):
    """What lies over one code point, found by looking at every fragment."""
    over = [
        index
        for index, each in enumerate(markup.fragments)
        if each.span and each.span.start <= position < each.span.end
    ]
    lying = [markup.fragments[index] for index in over]
    corrections = [each for each in lying if each.code.casefold() == "исп"]
    blocks = [each for each in lying if each.kind is Kind.BLOCK]
    mistakes = [each for each in lying if each not in blocks and each not in corrections]
    if mistakes and blocks:
        colour = Paint.BOTH
    elif mistakes:
        colour = Paint.MISTAKE
    elif corrections:
        colour = Paint.CORRECTION
    else:
        colour = Paint.BLOCK if blocks else Paint.PLAIN
    return set(over), colour, min(5, len(over)), len(blocks), len(mistakes), len(corrections)


def assert_painted(markup):
    painted = paint(markup)

    assert "".join(run.text for run in painted) == markup.text
    at = 0
    for run in painted:
        assert run.span.start == at
        at = run.span.end
        assert markup.text[run.span.start : run.span.end] == run.text
        found = (set(run.over), run.paint, run.step, run.blocks, run.mistakes, run.corrections)
        assert all(found == oracle(markup, place) for place in range(run.span.start, run.span.end))
        assert run.block_step == min(5, run.blocks)
    assert at == len(markup.text)
    for name, edge in (("begins", "start"), ("ends", "end")):
        told = [(index, getattr(run.span, edge)) for run in painted for index in getattr(run, name)]
        places = [
            (index, getattr(each.span, edge))
            for index, each in enumerate(markup.fragments)
            if each.span
        ]
        assert sorted(told) == places


@given(markups(max_size=10))
@settings(deadline=None, max_examples=examples(100))
def test_runs_spell_the_essay_once_and_agree_with_a_look_at_every_character(markup):
    assert_painted(markup)


def random_markup(dice):
    size = dice.randint(1, 60)
    codes = [("ВЫВОД", Kind.BLOCK), ("А.грамм", Kind.MISTAKE), ("Исп", Kind.MISTAKE)]
    drawn = []
    for _ in range(dice.randint(0, 25)):
        start = dice.randrange(size)
        code, kind = dice.choice(codes)
        span = Span(start, dice.randint(start + 1, size)) if dice.random() < 0.95 else None
        drawn.append(Fragment(span, code, tag=dice.choice(["", "1"]), kind=kind))
    return Markup("я" * size, tuple(drawn))


def test_two_hundred_random_sets_of_spans_are_painted_as_the_oracle_says():
    dice = random.Random(18)

    for _ in range(200):
        assert_painted(random_markup(dice))


@given(markups(max_size=10))
@settings(deadline=None, max_examples=examples(100))
def test_outer_fragments_stand_before_inner_ones_and_marks_at_the_end_the_other_way(markup):
    def outer_first(index):
        span = markup.fragments[index].span
        return span.start, -span.end, index

    for run in paint(markup):
        assert list(run.over) == sorted(run.over, key=outer_first)
        assert list(run.begins) == sorted(run.begins, key=outer_first)
        assert list(run.ends) == sorted(run.ends, key=outer_first)
        tags = [markup.fragments[index].tag for index in reversed(run.ends)]
        assert list(run.tags) == list(dict.fromkeys(filter(None, tags)))


def test_a_run_tells_everything_of_its_place():
    block, mistake = fragment(0, 9, "ВЫВОД", tag="б"), fragment(4, 9, tag="о")

    painted = paint(Markup("one two, three", (mistake, block)))

    assert painted == (
        Run(Span(0, 4), "one ", (1,), (1,), (), Paint.BLOCK, 1, 0, 0, ()),
        Run(Span(4, 9), "two, ", (1, 0), (0,), (1, 0), Paint.BOTH, 1, 1, 0, ("о", "б")),
        Run(Span(9, 14), "three", (), (), (), Paint.PLAIN, 0, 0, 0, ()),
    )


def test_rule_1_a_block_is_green_and_rule_2_a_mistake_red():
    painted = runs("ab c", fragment(0, 1, "ВЫВОД"), fragment(1, 2))

    assert painted == [("a", "block", 1), ("b", "mistake", 1), (" c", "plain", 0)]


def test_rule_3_a_mistake_in_a_block_is_yellow():
    painted = runs("abc", fragment(0, 3, "ВЫВОД"), fragment(1, 2))

    assert painted == [("a", "block", 1), ("b", "both", 2), ("c", "block", 1)]


def test_rule_4_nested_fragments_are_more_intense_up_to_five_steps():
    nest = [fragment(0, 7 - depth, "ВЫВОД") for depth in range(7)]

    assert [step for _, _, step in runs("abcdefg", *nest)] == [5, 5, 5, 4, 3, 2, 1]
    (deep, *_) = paint(Markup("abcdefg", tuple(nest)))
    assert (deep.blocks, deep.step, deep.block_step) == (7, 5, 5)


def test_the_step_of_the_blocks_alone_leaves_mistakes_out():
    (run,) = paint(Markup("a", (fragment(0, 1, "ВЫВОД"), fragment(0, 1), fragment(0, 1, "ИСП"))))

    assert (run.step, run.block_step) == (3, 1)


@pytest.mark.parametrize("code", ["ИСП", "исп"])
def test_rule_5_a_correction_is_blue_inside_a_block_too(code):
    painted = runs("abc", fragment(0, 3, "ВЫВОД"), fragment(1, 3, code), fragment(2, 3, code))

    assert painted == [("a", "block", 1), ("b", "correction", 2), ("c", "correction", 3)]


def test_a_mistake_wins_over_a_correction():
    assert runs("ab", fragment(0, 2, "ИСП"), fragment(1, 2)) == [
        ("a", "correction", 1),
        ("b", "mistake", 2),
    ]
    every = [fragment(0, 1, "ИСП"), fragment(0, 1), fragment(0, 1, "ВЫВОД")]
    assert runs("a", *every) == [("a", "both", 3)]


def test_linked_fragments_that_end_at_one_place_have_their_tag_once():
    marks = fragment(0, 3, tag="Т1"), fragment(1, 3, tag="т2"), fragment(2, 3, tag="т1")
    (*_others, last) = paint(Markup("abc", marks))

    assert last.tags == ("т1", "т2")


def test_rule_6_the_tag_stands_where_its_fragment_ends_and_only_there():
    painted = paint(
        Markup("abcd", (fragment(0, 3, "ВЫВОД", tag="1"), fragment(1, 2, tag="2"), fragment(2, 3)))
    )

    assert [(run.text, run.tags) for run in painted] == [
        ("a", ()),
        ("b", ("2",)),
        ("c", ("1",)),
        ("d", ()),
    ]


def test_crossing_fragments_share_the_run_where_they_overlap():
    painted = runs("abcde", fragment(0, 3, "ВЫВОД"), fragment(2, 5))

    assert painted == [("ab", "block", 1), ("c", "both", 2), ("de", "mistake", 1)]


def test_mistakes_of_the_whole_text_paint_nothing():
    assert runs("abc", whole_text(tag="1"), whole_text("А.объем")) == [("abc", "plain", 0)]


def test_an_empty_text_has_no_runs():
    assert paint(Markup("", (whole_text(),))) == ()


def test_code_points_are_never_torn():
    painted = runs("a👩‍🏫b", fragment(1, 4), fragment(2, 4, "ВЫВОД"))

    assert painted == [
        ("a", "plain", 0),
        ("👩", "mistake", 1),
        ("\u200d🏫", "both", 2),
        ("b", "plain", 0),
    ]


def test_inner_mistakes_are_underlined_nearer_to_the_text_and_blocks_not_at_all():
    markup = Markup(
        "abcdef",
        (
            fragment(0, 6),
            fragment(0, 6, "ВЫВОД"),
            fragment(1, 4, "ИСП"),
            fragment(1, 2),
            fragment(3, 4),
            fragment(4, 6),
            whole_text(),
        ),
    )

    assert lanes(markup) == {0: 2, 2: 1, 3: 0, 4: 0, 5: 0}


def test_equal_mistakes_are_underlined_the_later_one_nearer_and_deep_ones_share_the_last_lane():
    assert lanes(Markup("ab", (fragment(0, 2),) * 6)) == {5: 0, 4: 1, 3: 2, 2: 3, 1: 3, 0: 3}


@given(markups(max_size=10))
@settings(deadline=None, max_examples=examples(100))
def test_underlines_that_overlap_share_the_last_lane_only(markup):
    found = lanes(markup)

    mistakes = {
        index: each.span
        for index, each in enumerate(markup.fragments)
        if each.span and each.kind is Kind.MISTAKE
    }
    assert found.keys() == mistakes.keys()
    for one, inner in mistakes.items():
        assert 0 <= found[one] < LANES
        for other, outer in mistakes.items():
            if one != other and inner.overlap(outer):
                assert found[one] != found[other] or found[one] == LANES - 1
                if inner.overlap(outer) == len(inner) < len(outer):
                    assert found[one] < found[other] or found[one] == LANES - 1


@pytest.mark.parametrize(
    "make",
    [lambda n: [Span(at, at + 1) for at in range(n)], lambda n: [Span(0, n)] * n],
    ids=["touching", "equal"],
)
def test_twice_the_underlines_take_at_most_two_and_a_half_times_as_long(make):
    def markup(n):
        return Markup("x" * n, tuple(Fragment(span, "А.грамм") for span in make(n)))

    assert growth(lanes, markup) <= LINEAR


def test_twice_the_fragments_side_by_side_take_at_most_two_and_a_half_times_as_long():
    def markup(n):
        return Markup("x" * n, tuple(fragment(at, at + 1) for at in range(n)))

    assert growth(paint, markup) <= LINEAR
