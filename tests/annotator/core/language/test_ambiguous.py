"""Recovery 2 where the unmarked essay is known: the reading that reproduces it wins."""

import pytest

from annotator.core.language import parse
from annotator.core.values import Markup
from tests.annotator.core.language.places import over
from tests.strategies import english


def read(marked, source=None):
    parsed = parse(marked, source=source, classifier=english())
    return parsed.file.markup, [problem.code for problem in parsed.problems]


MORE = "She is more closer to me."
VERY = "She is very to me."


@pytest.mark.parametrize(
    ("codes", "source", "code", "problems"),
    [
        ("А.глагол", None, "", ["unknown-code"]),
        ("А.глагол", MORE, "", ["unknown-code"]),
        ("very", MORE, "", ["unknown-code"]),
        ("very much", MORE, "", ["unknown-code"]),
        ("А.грамм срвн", MORE, "А.грамм", ["unknown-code"]),
        ("А.грамм глаг время", MORE, "А.грамм", ["unknown-code"]),
    ],
)
def test_words_the_essay_does_not_have_are_a_bad_code(codes, source, code, problems):
    marked = f"She is (\\ {codes} \\ more closer \\) to me."

    assert read(marked, source) == (Markup(MORE, (over(MORE, "more closer", code),)), problems)


@pytest.mark.parametrize(
    ("codes", "text", "code", "problems"),
    [
        ("very", "very", "", ["no-code"]),
        ("А.грамм very", "very", "А.грамм", ["separator-forgotten"]),
        ("А.грамм  very\nmuch", "very\nmuch", "А.грамм", ["separator-forgotten"]),
        ("х.zzz", "х.zzz", "", ["no-code"]),
    ],
)
def test_words_the_essay_has_are_its_text(codes, text, code, problems):
    essay = f"She is {text} to me."

    read_as = read(f"She is (\\ {codes} \\ почти \\) to me.", essay.replace("\n", " "))

    assert read_as == (Markup(essay, (over(essay, text, code, comment="почти"),)), problems)


def test_neither_reading_reproduces_the_essay_so_the_look_of_the_word_decides():
    marked = "She is (\\ А.глагол \\ more closer \\) to me."

    essay = "She is closer."
    expected = Markup(MORE, (over(MORE, "more closer", ""),))
    assert read(marked, essay) == (expected, ["unknown-code", "text-differs"])


@pytest.mark.parametrize("code", ["ПРБЛЕМА", "А.глагол", "А.грамм срвн"])
def test_the_essay_decides_before_a_nested_bracket_too(code):
    markup, problems = read(f"(* {code} \\ (\\ А.лекс \\ She \\) is so. *)", "She is so.")

    assert markup.text == "She is so."
    assert [item.span for item in markup.fragments] == [
        over(markup.text, "She is so.").span,
        over(markup.text, "She").span,
    ]
    assert problems == ["unknown-code"]


def test_codes_in_two_groups_are_read_as_codes():
    marked = "(*ЛМНЕНИЕ\\ А.запас повтор \\ А.лекс\\ Some people, *) x"

    text = "Some people, x"
    expected = [
        over(text, "Some people,", "ЛМНЕНИЕ"),
        over(text, "Some people,", "А.запас", subcode="повтор"),
        over(text, "Some people,", "А.лекс"),
    ]
    assert read(marked) == (Markup(text, tuple(expected)), [])


@pytest.mark.parametrize("source", ["А.лекс is a code.", "А.лекс  is\na code."])
def test_codes_the_essay_itself_is_about_are_its_text(source):
    marked = "(\\ А.грамм \\ А.лекс \\ почему? \\) is a code."

    text = "А.лекс is a code."
    assert read(marked, source) == (Markup(text, (over(text, "А.лекс", comment="почему?"),)), [])


def test_known_words_with_an_unknown_one_among_them_are_no_second_group():
    marked = "(\\ А.грамм \\ А.лекс here \\ почему? \\)"

    text = "А.лекс here"
    assert read(marked) == (Markup(text, (over(text, text, comment="почему?"),)), [])


def test_codes_without_a_separator_after_them_are_no_second_group():
    text = "А.лекс"
    assert read("(\\ А.грамм \\ А.лекс >> А.орф \\)") == (
        Markup(text, (over(text, text, correction="А.орф"),)),
        [],
    )
