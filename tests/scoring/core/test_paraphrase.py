from __future__ import annotations

import pytest

from annotator.core.values import Fragment
from scoring.core.paraphrase import corrections_agree, same_words, subcodes_agree
from tests.strategies import fragment

STANDARD = "Нарушение лексической сочетаемости"
"""The standard comment of А.лекс сочет (Appendix 3, 3)."""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Артикль", "артикль"),
        ("Всё не так", "все не так"),
        ("Нет, нужен предлог.", "нет нужен предлог"),
        ("лишняя  запятая\n", "лишняя запятая"),
        ("Straße", "STRASSE"),
        ("до-потом", "до — потом"),
    ],
)
def test_case_yo_punctuation_and_space_do_not_make_another_comment(first, second):
    assert same_words(first, second)


@pytest.mark.parametrize(
    ("first", "second"), [("артикль", "предлог"), ("2 раза", "3 раза"), ("a + b", "a b")]
)
def test_other_words_make_another_comment(first, second):
    assert not same_words(first, second)


def lexical(code: str = "А.лекс", **fields: str) -> Fragment:
    return fragment(0, 4, code, **fields)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lexical(), lexical()),
        (lexical(subcode="слобр"), lexical(subcode=" СЛОБР ")),
        (lexical(subcode="слобр"), lexical("А.грамм", subcode="слобр")),
        (lexical(subcode="слобр", comment="то"), lexical(subcode="слобр", comment="сё")),
        (lexical(subcode="слобр", comment="То!"), lexical(subcode="конт", comment="то")),
        (lexical(comment="один довод"), lexical()),
        (lexical(comment=" "), lexical(comment="довод")),
        (lexical(comment=STANDARD), lexical(subcode="сочет")),
        (lexical(comment=STANDARD.upper() + "."), lexical(subcode="СОЧЕТ")),
        (lexical(comment=STANDARD, subcode="конт"), lexical(subcode="сочет")),
    ],
)
def test_subcodes_agree_whichever_side_is_left(left, right):
    assert (subcodes_agree(left, right), subcodes_agree(right, left)) == (True, True)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lexical(subcode="слобр"), lexical()),
        (lexical(subcode="слобр"), lexical(subcode="конт")),
        (lexical(comment="то"), lexical(comment="сё")),
        (lexical(subcode="слобр", comment="то"), lexical(subcode="конт", comment="сё")),
        (lexical(comment="то"), lexical(subcode="сочет")),
        (lexical(comment=STANDARD), lexical("А.запас", subcode="сочет")),
        (lexical(comment=STANDARD), lexical("А.нет", subcode="сочет")),
        (lexical(comment="…"), lexical(subcode="неведомый")),
        (lexical(comment="то", subcode="конт"), lexical()),
    ],
)
def test_subcodes_disagree_whichever_side_is_left(left, right):
    assert (subcodes_agree(left, right), subcodes_agree(right, left)) == (False, False)


def test_another_notion_of_paraphrase_can_be_brought():
    left, right = lexical(comment="глагол"), lexical(comment="глаголы")

    assert subcodes_agree(left, right, lambda one, other: other.startswith(one))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (lexical(subcode="слобр"), lexical(subcode="конт")),
        (lexical(subcode="слобр"), lexical()),
        (lexical(comment="то", subcode="неведомый"), lexical()),
        (lexical(comment="то"), lexical(subcode="неведомый")),
    ],
)
def test_a_predicate_is_asked_about_comments_only(left, right):
    def whatever(*_: str) -> bool:
        return True

    assert not subcodes_agree(left, right, whatever)
    assert not subcodes_agree(right, left, whatever)


@pytest.mark.parametrize(
    ("left", "right", "agreed"),
    [
        ("the cat", " the \n cat ", True),
        ("The cat", "the cat", False),
        ("", "", False),
        (" ", " ", False),
        ("the", "", False),
        ("a n", "an", False),
    ],
)
def test_corrections_agree_to_the_letter_case_but_not_to_the_space(left, right, agreed):
    assert corrections_agree(lexical(correction=left), lexical(correction=right)) is agreed
