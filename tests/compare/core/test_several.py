"""One markup against several: threads of fragments that belong together."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span
from compare.core.matcher import match
from compare.core.rows import State
from compare.core.several import Thread, lay_out
from tests.strategies import markups, texts

TEXT = "x" * 40


def marked(start, end, code="а", **fields):
    return Fragment(Span(start, end), code, **fields)


def laid(base, *others):
    return lay_out(Markup(TEXT, tuple(base)), [Markup(TEXT, tuple(each)) for each in others])


def test_a_fragment_of_the_base_is_tied_to_its_partner_in_every_other_markup():
    several = laid(
        [marked(0, 4), marked(10, 14)],
        [marked(0, 4)],
        [marked(0, 3), marked(10, 14, "б")],
    )

    assert several.threads == (Thread(0, (0, 0)), Thread(1, (None, 1)))
    assert [several.states(thread) for thread in several.threads] == [
        (State.SAME, State.BORDERS),
        (State.ONLY_LEFT, State.CODE),
    ]


def test_what_the_base_lacks_is_tied_among_the_others():
    several = laid(
        [marked(20, 24)],
        [marked(0, 4), marked(30, 34)],
        [marked(0, 5)],
        [marked(30, 34), marked(36, 38)],
    )

    assert several.threads == (
        Thread(None, (0, 0, None)),
        Thread(0, (None, None, None)),
        Thread(None, (1, None, 0)),
        Thread(None, (None, None, 1)),
    )
    assert several.states(several.threads[0]) == (State.ONLY_RIGHT, State.ONLY_RIGHT, None)


def test_whole_text_mistakes_come_last():
    several = laid([Fragment(None, "а"), marked(5, 6)], [Fragment(None, "а")])

    assert several.threads == (Thread(1, (None,)), Thread(0, (0,)))


@given(data=st.data())
def test_every_fragment_stands_in_one_thread_and_pairs_with_the_base_are_the_matchers(data):
    text = data.draw(texts())
    base, *others = [data.draw(markups(text=text)) for _ in range(3)]

    several = lay_out(base, others)

    columns = zip(*((each.base, *each.others) for each in several.threads), strict=True)
    for markup, column in zip((base, *others), columns, strict=False):
        placed = sorted(index for index in column if index is not None)
        assert placed == list(range(len(markup.fragments)))
    for place, other in enumerate(others):
        tied = [
            (each.base, each.others[place])
            for each in several.threads
            if each.base is not None and each.others[place] is not None
        ]
        assert sorted(tied) == [(pair.left, pair.right) for pair in match(base, other).pairs]
