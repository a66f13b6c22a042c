"""Problems of a markup for its subject (files.md 1.8), each once with and once without."""

from itertools import combinations

import pytest
from hypothesis import given, settings

from annotator.core.classifier import classifier_of
from annotator.core.problems import Problem
from annotator.core.validation import compare_criteria, every_crossing, repeats, validate
from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from tests.annotator.core.growth import LINEAR, growth
from tests.examples import examples
from tests.strategies import english, fragment, markups, whole_text

TEXT = "Sport unites people."


def problems(*fragments, text=TEXT, subject=Subject.ENGLISH, **options):
    return validate(Markup(text, fragments), classifier_of(subject), **options)


def problem(code, number, /, *, blocks=True, **fields):
    return Problem(code, fragment=number, blocks=blocks, fields=fields)


def test_a_markup_without_faults_has_no_problems():
    assert problems() == ()
    assert (
        problems(
            fragment(0, 20, "ПРОБЛЕМА"),
            fragment(0, 5, "а.ГРАММ", subcode="МНОЖ", tag="т1"),
            fragment(6, 12, "ИСП", correction="joins"),
            fragment(6, 12, "А.грамм", tag=" Т1 "),
            whole_text("А.объем"),
            whole_text("А.уров", subcode="прост"),
        )
        == ()
    )


@pytest.mark.parametrize("code", ["", " ", "\n"])
def test_empty_type(code):
    assert problems(fragment(0, 5), fragment(6, 12, code)) == (problem("empty-type", 2),)


@pytest.mark.parametrize("code", ["Г.упр", "А.грам", "A.грамм", "множ"])
def test_bad_error_type(code):
    found = problems(fragment(0, 5), fragment(6, 12, code))

    assert found == (problem("bad-error-type", 2, name=code),)


@pytest.mark.parametrize("code", ["Г.упр", "г.УПР", " Г.упр "])
def test_no_bad_error_type_in_the_subject_that_has_the_code(code):
    assert problems(Fragment(Span(0, 5), code), subject=Subject.RUSSIAN) == ()


@pytest.mark.parametrize("subcode", ["конт", "множ1", "А.лекс", "множ арт"])
def test_bad_subtype(subcode):
    found = problems(fragment(0, 5, "а.грамм", subcode=subcode))

    assert found == (problem("bad-subtype", 1, code="А.грамм", name=subcode),)


@pytest.mark.parametrize("correction", ["", " ", "\n"])
@pytest.mark.parametrize("code", ["ИСП", "исп"])
def test_empty_correction(code, correction):
    found = problems(fragment(0, 5, code, correction=correction))

    assert found == (problem("empty-correction", 1),)


@pytest.mark.parametrize("code", ["А.грамм", "ВЫВОД"])
def test_no_empty_correction_for_other_codes(code):
    assert problems(fragment(0, 5, code)) == ()


@pytest.mark.parametrize(
    ("code", "subject"), [("А.объем", Subject.ENGLISH), ("С.композ", Subject.LITERATURE)]
)
def test_full_text_err_coordinates(code, subject):
    mistake = Fragment(Span(0, 5), code)

    found = problems(mistake, subject=subject)

    assert found == (problem("full-text-err-coordinates", 1, code=code, name=""),)
    assert problems(Fragment(None, code), subject=subject) == ()


def test_any_mistake_may_be_one_of_the_whole_text():
    assert problems(whole_text("А.грамм"), whole_text("А.лекс", subcode="конт")) == ()


@pytest.mark.parametrize(
    ("code", "subject"), [("ПРОБЛЕМА", Subject.ENGLISH), ("роль", Subject.HISTORY)]
)
def test_a_block_is_never_one_of_the_whole_text(code, subject):
    found = problems(Fragment(None, code), subject=subject)

    assert found == (problem("block-without-place", 1, code=code.upper(), name=""),)
    assert problems(Fragment(Span(0, 5), code), subject=subject) == ()


def test_err_unique_tag():
    found = problems(
        fragment(0, 5, tag="т1"), fragment(6, 12, tag="т2"), fragment(13, 19, tag="Т1")
    )

    assert found == (problem("err-unique-tag", 2, blocks=False, name="т2"),)


def test_a_tag_links_fragments_of_several_codes_and_of_the_whole_text():
    assert problems(fragment(0, 5, "А.грамм", tag="1"), fragment(6, 12, "А.лекс", tag="1")) == ()
    assert problems(fragment(0, 5, "ВЫВОД", tag="1"), whole_text(tag="1 ")) == ()


@pytest.mark.parametrize("tag", ["", " ", "\t"])
def test_no_tag_is_no_lonely_tag(tag):
    assert problems(fragment(0, 5, tag=tag)) == ()


def repeated(*fragments):
    return [(each.fragment, each.blocks, each.fields) for each in repeats(Markup(TEXT, fragments))]


def test_the_same_mark_made_twice_is_remarked_on():
    one = fragment(0, 5, subcode="син", tag="т1", comment="a")

    assert repeated(
        one,
        fragment(0, 5, "А.ГРАММ", subcode="СИН", tag="Т1"),
        fragment(0, 5),
        fragment(0, 6, subcode="син", tag="т1"),
        whole_text(),
        whole_text(),
    ) == [(2, False, {"other": 1}), (6, False, {"other": 5})]


def test_crossing_fragments():
    found = problems(fragment(0, 12, "ВЫВОД"), fragment(6, 20))

    assert found == (problem("crossing-fragments", 2, other=1),)


def test_crossing_fragments_are_found_whatever_their_order():
    found = problems(fragment(6, 20), fragment(0, 12, "ВЫВОД"))

    assert found == (problem("crossing-fragments", 1, other=2),)


def test_crossing_fragments_where_the_contest_allows_them():
    crossing = [fragment(0, 12, "ВЫВОД"), fragment(6, 20)]

    assert problems(*crossing, allow_crossing=True) == ()


@pytest.mark.parametrize(
    "spans",
    [
        [(0, 20), (0, 20)],
        [(0, 20), (0, 5), (15, 20), (6, 12)],
        [(0, 5), (5, 12), (12, 20)],
        [(0, 5), (0, 12), (0, 20), (4, 5)],
    ],
)
def test_nested_equal_and_touching_fragments_do_not_cross(spans):
    assert problems(*(fragment(*span) for span in spans), whole_text()) == ()


def test_a_fragment_that_crosses_several_is_told_once():
    found = problems(fragment(0, 6), fragment(0, 7), fragment(0, 8), fragment(5, 20))

    assert [(each.code, each.fragment) for each in found] == [("crossing-fragments", 4)]
    assert found[0].fields["other"] in (1, 2, 3)


@given(markups(text="x" * 12, max_size=8))
@settings(deadline=None, max_examples=examples(150))
def test_every_two_that_cross_are_told_once(markup):
    spans = dict(enumerate((each.span for each in markup.fragments), 1))
    crossing = [
        {one, other}
        for one, other in combinations(spans, 2)
        if spans[one] and spans[other] and spans[one].crosses(spans[other])
    ]

    told = [{each.fragment, each.fields["other"]} for each in every_crossing(markup)]

    assert sorted(map(sorted, told)) == sorted(map(sorted, crossing))


@given(markups(text="x" * 12, max_size=8))
@settings(deadline=None, max_examples=examples(150))
def test_crossings_are_told_once_each_and_without_them_nothing_crosses(markup):
    spans = dict(enumerate((each.span for each in markup.fragments), 1))
    told = [p for p in validate(markup, english()) if p.code == "crossing-fragments"]

    assert len({each.fragment for each in told}) == len(told)
    assert all(spans[each.fragment].crosses(spans[each.fields["other"]]) for each in told)
    left = [span for number, span in spans.items() if number not in {p.fragment for p in told}]
    solid = [span for span in left if span]
    assert not any(one.crosses(other) for one in solid for other in solid)


@given(markups())
@settings(deadline=None, max_examples=examples(100))
def test_problems_name_fragments_that_exist_in_their_order(markup):
    found = validate(markup, english(), allow_crossing=True)

    numbers = [each.fragment for each in found if each.code != "err-unique-tag"]
    assert numbers == sorted(numbers)
    assert all(1 <= each.fragment <= len(markup.fragments) for each in found)


def test_every_problem_of_a_fragment_is_told():
    found = problems(fragment(0, 5, "А.объем", subcode="x", tag="t"), fragment(3, 8, ""))

    assert [(each.code, each.fragment) for each in found] == [
        ("bad-subtype", 1),
        ("full-text-err-coordinates", 1),
        ("empty-type", 2),
        ("err-unique-tag", 1),
        ("crossing-fragments", 2),
    ]


def test_the_kind_of_a_fragment_is_not_asked_for():
    assert problems(Fragment(Span(0, 5), "А.грамм", kind=Kind.BLOCK)) == ()


def test_criteria_mismatch():
    found = compare_criteria({"K3": 2, "K4": 1, "K9": 1}, {"K3": 3, "K4": 1, "K5": 0}, {})

    assert found == (
        Problem(
            "criteria-mismatch",
            path="criteria",
            blocks=False,
            fields={"name": "K3", "stated": "2", "graded": 3},
        ),
    )


def test_what_a_failed_gate_explains_is_told_once():
    stated = {"K1": 1, "K2": 2, "K3": (1, 2), "K4": 0}

    found = compare_criteria(
        stated, dict.fromkeys(stated, 0), dict.fromkeys(["K2", "K3", "K4"], "K1 is 0")
    )

    assert [problem.fields for problem in found] == [
        {"name": "K1", "stated": "1", "graded": 0},
        {"name": "K2, K3", "stated": "2, 1; 2", "graded": 0, "gate": "K1 is 0"},
    ]


@pytest.mark.parametrize(
    ("points", "shown"), [(3.5, "3.5"), ((3, 2), "3; 2"), ((2, 2.5), "2; 2.5")]
)
def test_a_half_and_points_left_open_are_no_points_of_a_sheet(points, shown):
    (problem,) = compare_criteria({"K3": points}, {"K3": 3}, {})

    assert problem.fields == {"name": "K3", "stated": shown, "graded": 3}


@pytest.mark.parametrize("stated", [{}, {"K3": 3}, {"K3": 3, "K4": 0}, {"K9": 2}, {"K3": (3, 3)}])
def test_no_criteria_mismatch(stated):
    assert compare_criteria(stated, {"K3": 3, "K4": 0}, {}) == ()


NESTS = {
    "equal": lambda n: [Span(0, n)] * n,
    "nested": lambda n: [Span(at, 2 * n - at) for at in range(n)],
    "touching": lambda n: [Span(at, at + 1) for at in range(n)],
    "crossing": lambda n: [Span(at, at + n) for at in range(n)],
    "crossing an equal nest": lambda n: [Span(0, n)] * n + [Span(1, n + 1)] * n,
}


@pytest.mark.parametrize("name", NESTS)
def test_twice_the_fragments_take_at_most_two_and_a_half_times_as_long(name):
    def make(n):
        return Markup("x" * 2 * n, tuple(Fragment(span, "А.грамм") for span in NESTS[name](n)))

    assert growth(lambda markup: validate(markup, english()), make) <= LINEAR
