from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Span
from annotator.core.versions import Carried, carry
from tests.strategies import fragment, whole_text

TEXT = "Some people think that sport unite people, while others does not agree. I believe in it."
WORDS = ["a", "b", "sport", "people", "не", "и", "unite,", "agree."]


def marked(text, words, which=1):
    """A fragment of these words, the first time they stand there or a later one."""
    at = -1
    for _ in range(which):
        at = text.index(words, at + 1)
    return fragment(at, at + len(words))


def words_of(carried, after):
    return [after[each.span.start : each.span.end] for _, each in carried.kept if each.span]


@pytest.mark.parametrize(
    ("words", "which", "after", "found"),
    [
        # before a change, after it, and beside it
        ("Some", 1, TEXT.replace("unite", "unites"), 0),
        ("people", 2, TEXT.replace("unite", "unites"), 36),
        ("while others", 1, "Well: " + TEXT, 49),
        ("I believe", 1, TEXT.replace("while others does not agree", "so"), 47),
        # touched by the change
        ("unite", 1, TEXT.replace("unite", "unites"), None),
        ("sport unite", 1, TEXT.replace("unite", "unites"), None),
        ("people", 2, TEXT.replace("unite people", "unite all"), None),
        # between two changes: in a run of words, or too short for one
        ("sport", 1, TEXT.replace("Some", "Many").replace("believe", "trust"), 23),
        ("people", 2, TEXT.replace("unite", "unites").replace(", while", " and"), None),
        # moved as a whole: found again where its words stand once in either text
        ("I believe in it", 1, "I believe in it. Some people think that sport unite people.", 0),
        ("people", 1, "I believe in it. We people.", None),
    ],
)
def test_words_are_found_where_they_still_stand_for_certain(words, which, after, found):
    carried = carry([marked(TEXT, words, which)], TEXT, after)

    kept = ((0, fragment(found, found + len(words))),) if found is not None else ()
    assert carried == Carried(kept, () if kept else (0,))


def test_mistakes_of_the_whole_text_stay_so():
    assert carry([whole_text("А.логика")], TEXT, "Other.").kept == ((0, whole_text("А.логика")),)


def test_everything_said_about_a_fragment_comes_along():
    before = Fragment(Span(0, 4), "А.грамм", "множ", "one", "two", "three", "множ1")
    after = Fragment(Span(2, 6), "А.грамм", "множ", "one", "two", "three", "множ1")

    assert carry([before], "Some text", "A Some text") == Carried(((0, after),), ())


def spans_in(words):
    """Fragments from one word of the joined words to another, with the numbers of these."""
    starts = [len(" ".join(words[:at])) + bool(at) for at in range(len(words))]
    pairs = st.tuples(st.integers(0, len(words) - 1), st.integers(0, len(words) - 1))
    return pairs.map(sorted).map(
        lambda pair: (pair, fragment(starts[pair[0]], starts[pair[1]] + len(words[pair[1]])))
    )


@st.composite
def edits(draw):
    """Words, fragments of whole words of them, and a place where other words are put in or out."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=20))
    found = draw(st.lists(spans_in(words), max_size=6))
    at = draw(st.integers(0, len(words)))
    return words, found, at, draw(st.lists(st.sampled_from(WORDS), max_size=6))


@given(edits())
def test_what_no_change_touches_is_kept(edit):
    words, found, at, more = edit
    untouched = [mark for (first, last), mark in found if last < at or first >= at]
    before, after = " ".join(words), " ".join([*words[:at], *more, *words[at:]])

    put_in = carry(untouched, before, after)
    covered = [before[each.span.start : each.span.end] for each in untouched]

    assert (words_of(put_in, after), put_in.left) == (covered, ())


@given(edits())
def test_what_is_kept_has_the_same_words_and_nothing_is_lost(edit):
    words, found, _at, more = edit
    before, after = " ".join(words), " ".join(more)
    marks = [mark for _pair, mark in found]

    carried = carry(marks, before, after)

    same = [before[marks[index].span.start : marks[index].span.end] for index, _ in carried.kept]
    assert words_of(carried, after) == same
    assert sorted([*(index for index, _ in carried.kept), *carried.left]) == [*range(len(marks))]


@given(edits())
def test_the_same_text_keeps_every_fragment_where_it_is(edit):
    words, found, _at, _more = edit
    marks = [mark for _pair, mark in found]

    assert carry(marks, " ".join(words), " ".join(words)) == Carried(tuple(enumerate(marks)), ())
