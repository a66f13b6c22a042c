"""Brackets, codes and elements that need no mending (Appendix 3, 1.2 and 1.3)."""

import pytest

from annotator.core.language import parse
from annotator.core.values import Kind, Markup, fold
from tests.annotator.core.language.places import over
from tests.strategies import english, fragment, whole_text


def read(marked):
    """The markup of a file without faults."""
    parsed = parse(marked, classifier=english())
    assert parsed.problems == ()
    return parsed.file.markup


ALL = {"comment": "к", "explanation": "п", "correction": "и", "tag": "т1"}


@pytest.mark.parametrize(
    "marked",
    [
        "a (* А.орф \\ b c \\ к :: п >> и # т1 *) d",
        "a (\\А.орф\\b c\\к::п>>и#т1\\) d",
        "a (\\\nА.орф\n\\\n\nb c\n\\ к\n::\tп >>\u00a0и # т1 \\) d",
        "a (\\ А.орф \\ b c # т1 >> и :: п \\ к \\) d",
    ],
)
def test_elements_are_known_by_their_signs_and_white_space_around_them_is_dropped(marked):
    assert read(marked) == Markup("a b c d", (fragment(2, 5, "А.орф", **ALL),))


@pytest.mark.parametrize("code", ["А.грамм", "а.грамм", "А.ГРАММ", "а.ГрАмМ"])
@pytest.mark.parametrize("subcode", ["множ", "МНОЖ", "Множ"])
def test_codes_are_known_in_any_letter_case(code, subcode):
    markup = read(f"(\\ {code} {subcode} \\ x \\)")

    assert [(fold(each.code), fold(each.subcode)) for each in markup.fragments] == [
        ("а.грамм", "множ")
    ]
    assert markup.fragments[0].kind is Kind.MISTAKE


def test_each_code_of_a_bracket_is_a_fragment_of_its_own_with_the_same_elements():
    markup = read("(* ЛМНЕНИЕ А.запас повтор А.лекс \\ Some people, >> x # 1 *) think.")

    span = {"correction": "x", "tag": "1"}
    assert markup == Markup(
        "Some people, think.",
        (
            fragment(0, 12, "ЛМНЕНИЕ", **span),
            fragment(0, 12, "А.запас", subcode="повтор", **span),
            fragment(0, 12, "А.лекс", **span),
        ),
    )


def test_a_subcode_belongs_to_the_type_before_it():
    markup = read("(\\ А.лекс слобр А.грамм слобр А.запас сочет \\ x \\)")

    assert [(each.code, each.subcode) for each in markup.fragments] == [
        ("А.лекс", "слобр"),
        ("А.грамм", "слобр"),
        ("А.запас", "сочет"),
    ]


def test_the_kind_of_a_fragment_is_that_of_its_code_whatever_the_bracket():
    markup = read("(\\ ВЫВОД \\ a \\) (* А.орф \\ b *)")

    assert [each.kind for each in markup.fragments] == [Kind.BLOCK, Kind.MISTAKE]


def test_fragments_stand_in_the_order_of_their_opening_brackets():
    markup = read("(* ПРОБЛЕМА \\ (\\ А.орф \\ a \\) (\\ А.лекс \\ (\\ А.пункт \\ b \\) \\) *)")

    assert markup == Markup(
        "a b",
        (
            fragment(0, 3, "ПРОБЛЕМА"),
            fragment(0, 1, "А.орф"),
            fragment(2, 3, "А.лекс"),
            fragment(2, 3, "А.пункт"),
        ),
    )


@pytest.mark.parametrize(
    ("bracket", "fragments"),
    [
        ("(* А.объем *)", [whole_text("А.объем")]),
        ("(\\А.объем\\)", [whole_text("А.объем")]),
        ("(* А.объем \\ *)", [whole_text("А.объем")]),
        ("(* А.объем :: мало *)", [whole_text("А.объем", explanation="мало")]),
        ("(* А.объем \\:: мало *)", [whole_text("А.объем", explanation="мало")]),
        ("(* А.объем \\\\ мало *)", [whole_text("А.объем", comment="мало")]),
        ("(* А.объем \\ >> больше *)", [whole_text("А.объем", correction="больше")]),
        ("(* А.объем # т *)", [whole_text("А.объем", tag="т")]),
        (
            "(* А.объем А.уров прост *)",
            [whole_text("А.объем"), whole_text("А.уров", subcode="прост")],
        ),
    ],
)
@pytest.mark.parametrize("marked", ["Two words.\n{}", "{} Two words.", "Two words. {}\n\n"])
def test_a_bracket_without_text_is_a_mistake_of_the_whole_text(marked, bracket, fragments):
    assert read(marked.format(bracket)) == Markup("Two words.", tuple(fragments))


def test_a_mistake_of_the_whole_text_leaves_the_white_space_around_it():
    assert read("Two (\\ А.объем \\) words.").text == "Two  words."


@pytest.mark.parametrize("element", ["comment", "explanation", "correction", "tag"])
def test_brackets_inside_an_element_are_kept_as_they_are(element):
    sign = {"comment": "\\", "explanation": "::", "correction": ">>", "tag": "#"}[element]
    inner = "см. (\\ А.орф \\ x :: y (* z # 1 *) \\) и (* >> *)"

    markup = read(f"(* А.лекс \\ word {sign} {inner} *) end")

    assert markup == Markup("word end", (fragment(0, 4, "А.лекс", **{element: inner}),))


def test_after_brackets_inside_an_element_the_next_element_begins():
    markup = read("(* А.лекс \\ word \\ a (\\ b \\) c >> d *)")

    assert markup.fragments == (fragment(0, 4, "А.лекс", comment="a (\\ b \\) c", correction="d"),)


def test_signs_outside_brackets_are_text():
    text = "See #1 :: it >> is \\ here (and * there) /\\ 2*2"

    assert read(text) == Markup(text)


@pytest.mark.parametrize(
    "marked",
    ["think(\\ А.пункт \\ , \\) that", "think(\\ А.пункт   \\ , >> не нужна # не 1\\) that"],
)
def test_a_fragment_may_begin_inside_a_word(marked):
    markup = read(marked)

    assert (markup.text, markup.covered(markup.fragments[0])) == ("think, that", ",")


def test_white_space_inside_a_bracket_is_markup_and_outside_it_is_text():
    marked = "a  (\\  А.орф  \\  b   c  \\)  \n d"

    assert read(marked) == Markup("a  b   c  \n d", (fragment(3, 8, "А.орф"),))


def test_positions_count_code_points_of_the_stripped_text():
    marked = "\ufeff\r\n\r\n  e\u0301👩‍🏫 (\\ А.орф \\ b\r\nc \\)\r"

    assert read(marked) == Markup("e\u0301👩‍🏫 b\nc", (fragment(6, 9, "А.орф"),))


def test_the_worked_example_of_the_definition_has_every_element():
    marked = "She have two (\\ А.грамм множ \\ childs \\ особая форма >> children #множ1 \\)."

    text = "She have two childs."
    elements = {"comment": "особая форма", "correction": "children", "tag": "множ1"}
    assert read(marked) == Markup(text, (over(text, "childs", subcode="множ", **elements),))


def test_the_subject_of_the_header_chooses_the_classifier():
    parsed = parse("Предмет: история\n\n(\\ А.грамм \\ x \\) (* РОЛЬ \\ y *)")

    assert [each.code for each in parsed.file.markup.fragments] == ["", "РОЛЬ"]
    assert [problem.code for problem in parsed.problems] == ["unknown-code"]


def test_without_a_subject_the_codes_of_all_subjects_are_known():
    parsed = parse("(\\ А.грамм множ \\ x \\) (* РОЛЬ \\ y *) (\\ Г.упр \\ z \\)")

    assert [each.code for each in parsed.file.markup.fragments] == ["А.грамм", "РОЛЬ", "Г.упр"]
    assert parsed.problems == ()
