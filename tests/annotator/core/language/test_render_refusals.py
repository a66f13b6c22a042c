"""What the bracket language cannot say, and the place that is named."""

import pytest

from annotator.core.errors import CannotWriteError
from annotator.core.language import render
from annotator.core.values import Fragment, Kind, MarkedFile, Markup, Meta, Span, Subject
from tests.strategies import fragment, whole_text


def refused(text, *fragments, meta=None, stated=None):
    file = MarkedFile(meta or Meta(subject=Subject.ENGLISH), Markup(text, fragments), stated or {})
    with pytest.raises(CannotWriteError) as caught:
        render(file)
    return caught.value.code, caught.value.fields


def test_crossing_fragments_are_both_named():
    crossed = refused("one two three", fragment(4, 13, "А.орф"), fragment(0, 7, "ВЫВОД"))

    assert crossed == (
        "crossing-fragments",
        {
            "name": "ВЫВОД",
            "start": 0,
            "end": 7,
            "other_name": "А.орф",
            "other_start": 4,
            "other_end": 13,
        },
    )


def test_a_crossing_deep_in_a_nest_is_found():
    nest = [fragment(0, 9), fragment(0, 9), fragment(0, 5), fragment(1, 4), fragment(3, 7)]

    code, fields = refused("abcdefghi", *nest)

    assert code == "crossing-fragments"
    assert (fields["other_start"], fields["other_end"]) == (3, 7)


@pytest.mark.parametrize("sign", ["(\\", "(*", "\\)", "*)"])
def test_a_bracket_cannot_stand_anywhere_in_the_essay(sign):
    assert refused(f"ab {sign} c") == ("sign-in-text", {"sign": sign, "offset": 3})


@pytest.mark.parametrize("sign", ["\\", "::", ">>", "#"])
def test_a_sign_cannot_stand_inside_a_fragment(sign):
    essay = f"{sign} a {sign} b"

    found = refused(essay, fragment(essay.index("a"), len(essay)))

    assert found == ("sign-in-text", {"sign": sign, "offset": essay.rindex(sign)})


def test_a_sign_is_found_inside_any_of_several_fragments():
    essay = "a b c # d"

    found = refused(essay, fragment(0, 1), fragment(2, 3), fragment(4, 9), fragment(4, 5))

    assert found == ("sign-in-text", {"sign": "#", "offset": 6})


@pytest.mark.parametrize("sign", ["\\", "::", ">>", "#", "(\\", "(*", "\\)", "*)"])
@pytest.mark.parametrize("element", ["comment", "explanation", "correction", "tag"])
def test_a_sign_cannot_stand_inside_an_element(element, sign):
    found = refused("a b", fragment(0, 1), fragment(2, 3, **{element: f"x {sign} y"}))

    assert found == ("sign-in-element", {"number": 2, "element": element})


@pytest.mark.parametrize("value", [" x", "x\n", "\u00a0x", "a\rb", " "])
@pytest.mark.parametrize("element", ["comment", "explanation", "correction", "tag"])
def test_an_element_cannot_have_outer_white_space(element, value):
    found = refused("a b", fragment(0, 1), whole_text(**{element: value}))

    assert found == ("sign-in-element", {"number": 2, "element": element})


@pytest.mark.parametrize("text", [" a", "a ", "a\n", "\u00a0a", "\n", "\ta"])
def test_a_text_cannot_have_outer_white_space(text):
    assert refused(text) == ("text-has-outer-space", {})


def test_a_text_cannot_have_a_carriage_return():
    assert refused("ab\r\ncd") == ("text-has-carriage-return", {"offset": 2})


@pytest.mark.parametrize(("start", "end"), [(0, 2), (1, 3), (1, 2), (3, 5)])
def test_a_fragment_cannot_begin_or_end_with_white_space(start, end):
    found = refused("a b\n\u00a0c", fragment(0, 1), fragment(start, end))

    assert found == ("fragment-has-outer-space", {"number": 2})


@pytest.mark.parametrize(
    "line", ["Тема: моя", "год : 2020", "K1: 5", "к 12:", "Исходный текст:", "ПРЕДМЕТ:история"]
)
def test_a_first_line_that_reads_as_a_field_is_refused(line):
    assert refused(f"{line}\nend") == ("text-reads-as-header", {"line": line})


def test_a_first_line_that_reads_as_a_field_may_stand_in_a_fragment():
    written = render(MarkedFile(Meta(), Markup("Тема: моя", (fragment(0, 9),))))

    assert written == "Тема: \n\n(\\ А.грамм \\ Тема: моя \\)\n"


@pytest.mark.parametrize("code", ["ИСП", "исп"])
def test_a_correction_that_corrects_nothing_is_refused(code):
    found = refused("a b", fragment(0, 1), fragment(2, 3, code, comment="x"))

    assert found == ("correction-is-missing", {"number": 2})


def test_a_code_the_subject_does_not_have_is_refused():
    strange = Fragment(Span(0, 1), "Г.упр")

    assert refused("a", strange) == ("code-not-in-classifier", {"number": 1, "name": "Г.упр"})


def test_without_a_subject_every_known_code_is_written_and_others_are_refused():
    anywhere = Fragment(Span(0, 1), "Г.упр")

    assert render(MarkedFile(Meta(), Markup("a", (anywhere,)))).endswith("(\\ Г.упр \\ a \\)\n")
    assert refused("a", Fragment(Span(0, 1), "Г.упp"), meta=Meta())[0] == "code-not-in-classifier"


@pytest.mark.parametrize(
    ("code", "subcode"), [("А.грамм", "конт"), ("А.орф", "множ"), ("", "множ"), ("А.грамм", " ")]
)
def test_a_subcode_the_code_does_not_have_is_refused(code, subcode):
    found = refused("a", fragment(0, 1, code, subcode=subcode))

    assert found == ("subcode-not-in-classifier", {"number": 1, "name": subcode})


@pytest.mark.parametrize(
    ("code", "kind"),
    [("А.грамм", Kind.BLOCK), ("ВЫВОД", Kind.MISTAKE), ("", Kind.BLOCK), ("ИСП", Kind.BLOCK)],
)
def test_a_kind_the_classifier_does_not_give_the_code_is_refused(code, kind):
    found = refused("a", Fragment(Span(0, 1), code, kind=kind, correction="b"))

    assert found == ("kind-differs", {"number": 1, "name": code})


@pytest.mark.parametrize("value", [" x", "x\t", " "])
def test_a_field_cannot_have_outer_white_space(value):
    found = refused("a", meta=Meta(expert=value))

    assert found == ("field-cannot-hold", {"name": "Эксперт"})


@pytest.mark.parametrize("value", ["*)\n\\)", "(* *) \\)"])
def test_a_field_cannot_need_both_brackets(value):
    assert refused("a", meta=Meta(task_text=value)) == (
        "field-cannot-hold",
        {"name": "Исходный текст"},
    )


@pytest.mark.parametrize(
    "stated",
    [
        {"K1": -1},
        {"total": 3},
        {"K": 1},
        {"K100": 1},
        {"K1": (1, -1)},
        {"K1": 10000},
        {"К1": 1},
        {"K01": 1},
    ],
)
def test_points_the_header_cannot_hold_are_refused_by_their_name(stated):
    assert refused("a", stated=stated) == ("bad-criterion", {"name": next(iter(stated))})


def test_codes_in_the_text_of_a_commented_fragment_would_be_read_as_codes():
    essay = "is А.орф so"

    found = refused(essay, fragment(9, 11), fragment(3, 8, "А.пункт", comment="к"))

    assert found == ("read-otherwise", {"number": 2})


def test_a_code_with_outer_white_space_would_be_read_without_it():
    found = refused("a b", fragment(2, 3, " А.орф"), fragment(0, 1, "А.орф"))

    assert found == ("read-otherwise", {"number": 1})
