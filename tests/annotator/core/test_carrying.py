from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.core.carrying import carry_onto
from annotator.core.values import Markup
from tests.examples import examples
from tests.strategies import fragment, nested_markups, whole_text


def test_borders_move_with_their_words_when_white_space_differs():
    markup = Markup("a  bc\n\nd", (fragment(3, 5), fragment(0, 8, "ВЫВОД"), whole_text()))

    assert carry_onto(markup, "a bc d") == Markup(
        "a bc d", (fragment(2, 4), fragment(0, 6, "ВЫВОД"), whole_text())
    )


def test_other_words_cannot_be_carried():
    assert carry_onto(Markup("a b", (fragment(0, 1),)), "a c") is None
    assert carry_onto(Markup("a b", (fragment(0, 1),)), "ab") is None


def test_a_fragment_of_white_space_alone_cannot_be_found_again():
    assert carry_onto(Markup("a  b", (fragment(1, 3),)), "a b") is None


def test_the_same_text_is_left_as_it_is():
    markup = Markup(" a ", (fragment(0, 3),))

    assert carry_onto(markup, " a ") is markup


@given(nested_markups(), st.data())
@settings(deadline=None, max_examples=examples(150))
def test_every_fragment_covers_the_same_words_after_the_move(markup, data):
    spaces = st.sampled_from([" ", "  ", "\n", " \n\n"])
    words = markup.text.split()
    text = "".join(word + data.draw(spaces) for word in words)

    carried = carry_onto(markup, text)

    assert carried.text == text
    pairs = zip(markup.fragments, carried.fragments, strict=True)
    for before, after in pairs:
        assert carried.covered(after).split() == markup.covered(before).split()
        assert carried.covered(after) == carried.covered(after).strip()
