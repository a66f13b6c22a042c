"""The eight errors of Appendix 3, 1.6: what is read, and exactly where it is told."""

import pytest

from annotator.core.language import parse
from annotator.core.values import Markup
from tests.annotator.core.language.places import over, pointed
from tests.strategies import english, whole_text

ESSAY = "One.\nShe is more closer to me."


def read(marked, source=None):
    parsed = parse(marked, source=source, classifier=english())
    return parsed.file.markup, list(parsed.problems)


def test_1_an_unknown_field_is_skipped():
    marked, problems = pointed("Тема: x\n¦Школа: 7\n\nText.", ("unknown-field", {"name": "Школа"}))

    assert read(marked) == (Markup("Text."), problems)


@pytest.mark.parametrize("word", ["А.глагол", "х.zzz", "Ж.ы"])
def test_2_an_unknown_word_that_looks_like_a_code_is_left_out(word):
    marked, problems = pointed(
        f"One.\nShe is (\\ ¦{word} \\ more closer \\) to me.", ("unknown-code", {"word": word})
    )

    assert read(marked) == (Markup(ESSAY, (over(ESSAY, "more closer", ""),)), problems)


@pytest.mark.parametrize("word", ["срвн", "ант", "арт2", "множ."])
def test_2_an_unknown_word_after_a_type_is_left_out(word):
    marked, problems = pointed(
        f"One.\nShe is (\\ А.грамм ¦{word} \\ more closer \\) to me.",
        ("unknown-code", {"word": word}),
    )

    assert read(marked) == (Markup(ESSAY, (over(ESSAY, "more closer"),)), problems)


@pytest.mark.parametrize("word", ["А.грам", "A.грамм", "А.грамм."])
@pytest.mark.parametrize("before", ["", "А.лекс "])
@pytest.mark.parametrize(
    ("behind", "code"), [("арт", ""), ("срвн нет", ""), ("А.пункт", "А.пункт")]
)
def test_2_a_bad_code_with_a_subcode_is_left_out_with_it(word, before, behind, code):
    marked, problems = pointed(
        f"One.\nShe is (\\ {before}¦{word} {behind} \\ more closer >> closer \\) to me.",
        ("unknown-code", {"word": word}),
    )

    codes = [each for each in (before.strip(), code) if each] or [""]
    expected = tuple(over(ESSAY, "more closer", each, correction="closer") for each in codes)
    assert read(marked) == (Markup(ESSAY, expected), problems)


@pytest.mark.parametrize("word", ["т.е.", "e.g."])
def test_2_an_abbreviation_begins_the_text(word):
    marked, problems = pointed(
        f"She is (\\ А.грамм ¦{word} so \\ why \\) x", ("separator-forgotten", {"word": word})
    )

    text = f"She is {word} so x"
    expected = over(text, f"{word} so", comment="why")
    assert read(marked) == (Markup(text, (expected,)), problems)


def test_2_the_unmarked_essay_decides_whether_a_bad_code_is_text():
    marked = "See (\\ А.грамм site.ru now \\ why \\) x"

    markup, _problems = read(marked, source="See site.ru now x")

    assert markup == Markup("See site.ru now x", (over(markup.text, "site.ru now", comment="why"),))


@pytest.mark.parametrize("word", ["very", "9.9", "А.", ".лекс", "а_б.в"])
def test_2_any_other_unknown_word_before_a_separator_begins_the_text(word):
    marked, problems = pointed(f"She is (\\ ¦{word} \\ so \\) x", ("no-code", {"word": word}))

    text = f"She is {word} x"
    assert read(marked) == (Markup(text, (over(text, word, "", comment="so"),)), problems)


@pytest.mark.parametrize(
    ("tail", "elements"),
    [("", {}), (" >> closer #с1", {"correction": "closer", "tag": "с1"})],
)
def test_2_without_a_separator_the_first_unknown_word_begins_the_text(tail, elements):
    marked, problems = pointed(
        f"One.\nShe is (\\ А.грамм сравн ¦more closer{tail} \\) to me.",
        ("separator-forgotten", {"word": "more"}),
    )

    expected = over(ESSAY, "more closer", subcode="сравн", **elements)
    assert read(marked) == (Markup(ESSAY, (expected,)), problems)


def test_2_without_a_separator_a_nested_bracket_begins_the_text():
    marked, problems = pointed(
        "One.\n(* ПРОБЛЕМА ¦(\\ А.грамм \\ She is \\) more closer to me. *)",
        ("separator-forgotten", {"word": "(\\"}),
    )

    outer = over(ESSAY, "She is more closer to me.", "ПРОБЛЕМА")
    assert read(marked) == (Markup(ESSAY, (outer, over(ESSAY, "She is"))), problems)


@pytest.mark.parametrize("marked", ["One.\nShe is ¦(\\ \\ more closer \\) to me."])
def test_3_without_a_code_the_fragment_has_an_empty_one(marked):
    marked, problems = pointed(marked, ("no-code", {}))

    assert read(marked) == (Markup(ESSAY, (over(ESSAY, "more closer", ""),)), problems)


def test_3_without_a_code_and_a_separator_the_text_begins_at_once():
    marked, problems = pointed(
        "One.\nShe is (* ¦more closer >> closer *) to me.", ("no-code", {"word": "more"})
    )

    expected = over(ESSAY, "more closer", "", correction="closer")
    assert read(marked) == (Markup(ESSAY, (expected,)), problems)


@pytest.mark.parametrize("bracket", ["(\\\\)", "(**)", "(\\ \\)"])
def test_3_an_empty_bracket_is_a_fragment_of_the_whole_text_without_a_code(bracket):
    marked, problems = pointed(f"{ESSAY} ¦{bracket}", ("no-code", {}))

    assert read(marked) == (Markup(ESSAY, (whole_text(""),)), problems)


def test_4_brackets_that_are_not_closed_end_with_the_text():
    marked, problems = pointed(
        "¦(* ПРОБЛЕМА \\ One.\nShe is ¦(\\ А.грамм \\ more closer to me.\n",
        ("not-closed", {"expected": "*)"}),
        ("not-closed", {"expected": "\\)"}),
    )

    fragments = (over(ESSAY, ESSAY, "ПРОБЛЕМА"), over(ESSAY, "more closer to me."))
    assert read(marked) == (Markup(ESSAY, fragments), problems)


def test_4_an_open_element_swallows_the_rest():
    marked, problems = pointed(
        "She is ¦(\\ А.грамм \\ more >> x\n\nto # me.", ("not-closed", {"expected": "\\)"})
    )

    text = "She is more"
    expected = over(text, "more", correction="x\n\nto", tag="me.")
    assert read(marked) == (Markup(text, (expected,)), problems)


def test_4_a_bracket_of_codes_alone_is_not_closed_either():
    marked, problems = pointed("Text. ¦(\\ А.объем", ("not-closed", {"expected": "\\)"}))

    assert read(marked) == (Markup("Text.", (whole_text("А.объем"),)), problems)


def test_5_a_closing_bracket_that_closes_nothing_is_dropped():
    marked, problems = pointed(
        "One.\nShe¦*) is (\\ А.грамм \\ more closer \\)¦\\) to me.",
        ("nothing-to-close", {"sign": "*)"}),
        ("nothing-to-close", {"sign": "\\)"}),
    )

    assert read(marked) == (Markup(ESSAY, (over(ESSAY, "more closer"),)), problems)


def test_6_a_bracket_of_the_wrong_kind_closes_the_innermost_one():
    marked, problems = pointed(
        "(* ПРОБЛЕМА \\ One.\nShe is (\\ А.грамм \\ more closer ¦*) to me. ¦\\)",
        ("other-bracket", {"expected": "\\)", "found": "*)"}),
        ("other-bracket", {"expected": "*)", "found": "\\)"}),
    )

    fragments = (over(ESSAY, ESSAY, "ПРОБЛЕМА"), over(ESSAY, "more closer"))
    assert read(marked) == (Markup(ESSAY, fragments), problems)


@pytest.mark.parametrize("tail", ["", " >>", " >> ", " \\ нет # т1", " >> #т1"])
def test_7_a_correction_that_corrects_nothing_is_left_out_but_its_text_stays(tail):
    marked, problems = pointed(
        f"One.\nShe is ¦(\\ исп \\ more closer{tail} \\) to me.", ("no-correction", {})
    )

    assert read(marked) == (Markup(ESSAY), problems)


def test_7_other_codes_of_the_same_bracket_stay():
    marked, problems = pointed(
        "One.\nShe is ¦(\\ ИСП А.грамм \\ more closer \\) to me.", ("no-correction", {})
    )

    assert read(marked) == (Markup(ESSAY, (over(ESSAY, "more closer"),)), problems)


def test_8_the_place_where_the_text_leaves_the_essay_is_told():
    marked, problems = pointed(
        "Тема: x\n\nOne.\nShe is (\\ А.грамм \\ m¦uch closer \\) to me.",
        ("text-differs", {"found": "uch closer to me."}),
    )

    text = "One.\nShe is much closer to me."
    assert read(marked, ESSAY) == (Markup(text, (over(text, "much closer"),)), problems)


@pytest.mark.parametrize(
    ("marked", "found"),
    [
        ("One.\nShe is more closer to¦", ""),
        ("One.\nShe is more closer to me.¦!", "!"),
        ("¦no One.\nShe is more closer to me.", "no One.\nShe is more closer to "),
        ("One.\nShe is more (\\ А.лекс \\ close¦st \\) to me.", "st to me."),
    ],
)
def test_8_the_place_is_found_at_the_beginning_the_end_and_inside_a_word(marked, found):
    marked, problems = pointed(marked, ("text-differs", {"found": found}))

    assert read(marked, ESSAY)[1] == problems


@pytest.mark.parametrize(
    "marked",
    ["One.  She\n\nis more closer\tto me.", "  One.\r\nShe is\u00a0more closer to me.\n\n"],
)
def test_8_white_space_may_differ(marked):
    assert read(marked, ESSAY)[1] == []


def test_8_words_glued_together_are_told_where_they_are():
    problems = read("One.\nShe is morecloser to me.", ESSAY)[1]

    assert [(problem.code, problem.line) for problem in problems] == [("text-differs", 2)]


def test_8_a_word_torn_apart_is_told_where_it_is():
    problems = read("One.\nShe is more clo ser to me.", ESSAY)[1]

    assert [(problem.code, problem.line) for problem in problems] == [("text-differs", 2)]


def test_problems_stand_in_the_order_of_the_file():
    marked, problems = pointed(
        "Тема: x\n¦Школа: 7\n\n(* ПРОБЛЕМА \\ ¦(\\ \\ a \\) b¦\\)¦\\) c ¦(\\ А.лекс ¦d",
        ("unknown-field", {"name": "Школа"}),
        ("no-code", {}),
        ("other-bracket", {"expected": "*)", "found": "\\)"}),
        ("nothing-to-close", {"sign": "\\)"}),
        ("not-closed", {"expected": "\\)"}),
        ("separator-forgotten", {"word": "d"}),
    )

    text = "a b c d"
    fragments = (over(text, "a b", "ПРОБЛЕМА"), over(text, "a", ""), over(text, "d", "А.лекс"))
    assert read(marked) == (Markup(text, fragments), problems)


def test_the_first_thousand_problems_are_listed_and_the_others_counted():
    marked, problems = pointed("¦\\)" * 1500, *[("nothing-to-close", {"sign": "\\)"})] * 1500)

    parsed = parse(marked)

    assert (parsed.problems, parsed.unlisted) == (tuple(problems[:1000]), 500)


def test_fields_and_brackets_share_the_thousand_that_are_listed():
    parsed = parse("Тема: x\n" + "нет\n" * 1500 + "\n" + "\\)" * 1500)

    assert (len(parsed.problems), parsed.unlisted) == (1000, 2000)
