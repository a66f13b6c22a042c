from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.core.tags import common_tag, propose_tag
from annotator.core.values import Markup, fold
from tests.strategies import fragment, fragments, markups, whole_text

TEXT = "Some people think."
FULL = Markup(
    TEXT,
    tuple(fragment(at, at + 1, tag=f"{stem}{at}") for at in range(9) for stem in ("множ", "1")),
)


@pytest.mark.parametrize(
    ("marked", "tag"),
    [
        (fragment(0, 4, subcode="множ"), "множ1"),
        (fragment(0, 4, "А.орф"), "орф1"),
        (fragment(0, 4, "ПРОБЛЕМА"), "ПРОБЛЕМА1"),
        (whole_text("А.лекс", subcode="слово"), "слово1"),
        (fragment(0, 4, subcode="вид-вр. (2)"), "видвр21"),
        (fragment(0, 4, "А.орф", subcode="…"), "1"),
        (fragment(0, 4, ""), "1"),
        (fragment(0, 4, subcode="о" * 60), "о" * 40 + "1"),
    ],
)
def test_a_tag_is_the_subcode_or_the_code_and_a_number(marked, tag):
    assert propose_tag([], marked) == tag


@pytest.mark.parametrize(
    ("taken", "tag"),
    [
        (["множ1"], "множ2"),
        (["множ2"], "множ1"),
        (["множ1", "множ2", "множ4"], "множ3"),
        ([" МНОЖ1 "], "множ2"),
        (["множ", "множ10", "арт1"], "множ1"),
        ([f"множ{number}" for number in range(1, 10)], "множ10"),
    ],
)
def test_the_first_free_number_is_proposed(taken, tag):
    assert propose_tag(taken, fragment(5, 11, subcode="множ")) == tag


@given(
    st.just(FULL) | markups(max_size=12),
    fragments(len(TEXT)),
    st.text(max_size=60) | st.sampled_from(["множ", "МНОЖ", "т", ""]),
)
@example(FULL, fragment(0, 4), "")
@example(FULL, fragment(0, 4), "ß")
def test_a_proposed_tag_is_free_and_has_letters_and_digits_only(markup, marked, subcode):
    named = fragment(0, 4, marked.code, subcode=subcode)

    tags = [each.tag for each in markup.fragments]

    tag = propose_tag(tags, named)

    assert fold(tag) not in {fold(each) for each in tags}
    assert tag.isalnum()
    assert len(tag) <= 60


@given(st.lists(st.sampled_from(["множ", "Множ", "арт", ""]), max_size=20))
def test_tags_proposed_one_after_another_all_differ(subcodes):
    tags = []
    for subcode in subcodes:
        tags.append(propose_tag(tags, fragment(0, 4, "А.т", subcode=subcode)))

    assert len(set(map(fold, tags))) == len(subcodes)


@pytest.mark.parametrize(
    ("first", "second", "common"),
    [("", "", "множ1"), ("т1", "", "т1"), ("", "т2", "т2"), ("т1", "т2", "т1")],
)
def test_two_fragments_get_the_tag_either_has(first, second, common):
    one, other = fragment(0, 4, subcode="множ", tag=first), fragment(5, 11, tag=second)

    assert common_tag([first, second], one, other) == common
