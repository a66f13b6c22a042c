from __future__ import annotations

import pytest

from annotator.core.classifier import classifier_of
from annotator.core.language import parse
from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from scoring.core.criteria import explain, grade
from scoring.core.criteria.sheet import CriteriaSheet
from tests.scoring.core.essays import essay

WRONG_PERSON = ("И.личность", "И.лсвязь", "И.лпериод", "И.лроль", "И.лдейств")
PERSONS = ("РОЛЬ#р1", "РОЛЬ#р2")
LINKS = ("ПРИЧИНА#п1", "СЛЕДСТВИЕ#п1", "ПРИЧИНА#п2", "СЛЕДСТВИЕ#п2")


def points(name: str, *marks: str) -> int:
    return grade(Subject.HISTORY, essay(Subject.HISTORY, "2 СЯП", *marks)).points[name]


def test_an_essay_with_all_blocks_and_no_mistake_has_full_points():
    markup = essay(Subject.HISTORY, "2 СЯП", *PERSONS, *LINKS, "ОЦЕНКА", words=10)

    assert grade(Subject.HISTORY, markup) == CriteriaSheet(
        {"K1": 2, "K2": 2, "K3": 2, "K4": 1, "K5": 1, "K6": 3, "K7": 1}
    )


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        (["СЯП"], 1),
        (["3 СЯП"], 2),
        (["2 СЯП", "И.сяп"], 1),
        (["2 СЯП", "И.сяп", "И.период"], 0),
        (["СЯП", "3 И.период"], 0),
        (["2 СЯП#а"], 1),
    ],
)
def test_k1_by_events(marks, given):
    assert grade(Subject.HISTORY, essay(Subject.HISTORY, *marks)).points["K1"] == given


def test_an_essay_without_events_has_no_points():
    markup = essay(Subject.HISTORY, "СЯП", "И.сяп", *PERSONS, *LINKS, "ОЦЕНКА")

    assert grade(Subject.HISTORY, markup).total == 0


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        ([], 0),
        (["РОЛЬ"], 1),
        (["2 РОЛЬ"], 2),
        (["3 РОЛЬ"], 2),
        (["2 РОЛЬ#р1"], 1),
        ([*PERSONS, "И.лроль#р1"], 1),
        ([*PERSONS, "И.лроль#Р1"], 1),
        ([*PERSONS, "И.лроль#р1", "И.лдейств#р1"], 1),
        ([*PERSONS, "И.лроль#р1", "И.лдейств#р2"], 0),
        ([*PERSONS, "И.личность"], 1),
        ([*PERSONS, "И.личность", "И.лпериод#р1"], 1),
        ([*PERSONS, "И.личность", "И.лпериод#р2"], 0),
        ([*PERSONS, "РОЛЬ#р3", "И.лсвязь#р3"], 2),
        ([*PERSONS, "И.лсвязь#р9"], 2),
        (["2 РОЛЬ", "И.лроль"], 1),
        (["И.лроль"], 0),
    ],
)
def test_k2_by_persons(marks, given):
    assert points("K2", *marks) == given


@pytest.mark.parametrize("mistake", WRONG_PERSON)
def test_any_mistake_about_a_person_takes_the_point(mistake):
    assert points("K2", *PERSONS, f"{mistake}#р2") == 1


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        ([], 0),
        (LINKS, 2),
        (["ПРИЧИНА#п1", "СЛЕДСТВИЕ#п2"], 0),
        (["ПРИЧИНА", "СЛЕДСТВИЕ"], 1),
        (["2 ПРИЧИНА", "2 СЛЕДСТВИЕ"], 2),
        (["2 ПРИЧИНА", "СЛЕДСТВИЕ"], 1),
        ([*LINKS, "И.причин#п1"], 1),
        ([*LINKS, "И.причин#п1", "И.следств#п1"], 1),
        ([*LINKS, "И.следств"], 1),
        ([*LINKS, "И.следств", "И.причин#п2"], 0),
        (["ПРИЧИНА#п0", *LINKS], 1),
        ([*LINKS, "ПРИЧИНА#п3", "И.причин#п3"], 2),
        (["ПРИЧИНА#п1", *LINKS[2:], "И.следств#п1"], 0),
    ],
)
def test_k3_by_causes_with_their_consequences(marks, given):
    assert points("K3", *marks) == given


def test_the_first_two_persons_are_those_of_the_text_not_of_the_file():
    third, first, second = (
        Fragment(Span(start, start + 1), "РОЛЬ", tag=tag, kind=Kind.BLOCK)
        for start, tag in ((9, "р3"), (1, "р1"), (5, "р2"))
    )
    mistake = Fragment(Span(2, 3), "И.лроль", tag="р3")
    event = Fragment(Span(0, 1), "СЯП", kind=Kind.BLOCK)

    markup = Markup("a" * 20, (third, first, second, mistake, event))

    assert grade(Subject.HISTORY, markup).points["K2"] == 2


def placed(*marks):
    """A markup with two events and fragments at these places: ``(start, end, code, tag)``."""
    kind = classifier_of(Subject.HISTORY).kind
    drawn = [(0, 1, "СЯП", ""), (1, 2, "СЯП", ""), *marks]
    fragments = (Fragment(Span(a, b), code, tag=tag, kind=kind(code)) for a, b, code, tag in drawn)
    return Markup("а" * 100, tuple(fragments))


ROLES = ((10, 20, "РОЛЬ", ""), (30, 60, "РОЛЬ", ""), (70, 80, "РОЛЬ", ""))
PAIRS = (
    *((10, 20, "ПРИЧИНА", ""), (20, 30, "СЛЕДСТВИЕ", "")),
    *((40, 50, "ПРИЧИНА", ""), (50, 60, "СЛЕДСТВИЕ", "")),
)


@pytest.mark.parametrize(
    ("mistakes", "given"),
    [
        ([(10, 20, "И.лдейств", ""), (30, 60, "И.лдейств", "")], 0),
        ([(12, 15, "И.лдейств", ""), (18, 20, "И.лроль", "")], 1),
        ([(31, 35, "И.лдейств", "")], 1),
        ([(10, 20, "И.лдейств", ""), (5, 35, "И.лроль", "")], 1),
        ([(19, 31, "И.лроль", "")], 1),
        ([(70, 80, "И.лроль", "")], 2),
        ([(70, 80, "И.лроль", ""), (90, 95, "И.лроль", "")], 1),
    ],
)
def test_an_untagged_mistake_belongs_to_the_person_whose_block_holds_it(mistakes, given):
    assert grade(Subject.HISTORY, placed(*ROLES, *mistakes)).points["K2"] == given


@pytest.mark.parametrize(
    ("mistakes", "given"),
    [
        ([(10, 20, "И.причин", ""), (50, 60, "И.следств", "")], 0),
        ([(10, 20, "И.причин", ""), (21, 25, "И.следств", "")], 1),
        ([(41, 42, "И.следств", "")], 1),
        ([(15, 45, "И.причин", "")], 1),
        ([(10, 20, "И.лроль", "")], 2),
    ],
)
def test_an_untagged_mistake_belongs_to_the_link_one_of_whose_blocks_holds_it(mistakes, given):
    assert grade(Subject.HISTORY, placed(*PAIRS, *mistakes)).points["K3"] == given


def test_of_nested_blocks_the_smallest_has_the_mistake():
    nest = [(10, 90, "РОЛЬ", "а"), (20, 40, "РОЛЬ", "б")]
    both = [(25, 30, "И.лроль", ""), (50, 60, "И.лроль", "")]

    assert grade(Subject.HISTORY, placed(*nest, both[0], both[0])).points["K2"] == 1
    assert grade(Subject.HISTORY, placed(*nest, *both)).points["K2"] == 0


def test_a_tag_says_more_than_the_place():
    marks = [(10, 20, "РОЛЬ", "а"), (30, 60, "РОЛЬ", "б")]
    mistakes = [(10, 20, "И.лроль", "б"), (30, 60, "И.лроль", "б")]

    assert grade(Subject.HISTORY, placed(*marks, *mistakes)).points["K2"] == 1


def test_the_order_of_the_file_changes_nothing():
    marks = [*ROLES, (10, 20, "И.лдейств", ""), (30, 60, "И.лдейств", "")]

    forward, backward = placed(*marks), placed(*reversed(marks))

    assert grade(Subject.HISTORY, forward) == grade(Subject.HISTORY, backward)


def test_a_block_and_a_mistake_in_one_bracket_are_about_the_same_person():
    marked = (
        "Предмет: история\n\n(* СЯП \\ Реформа. *) (* СЯП \\ Война. *) "
        "(* РОЛЬ \\ И.лдейств неконк \\ Царь правил. *) "
        "(* РОЛЬ \\ И.лдейств неконк \\ Министр служил. *)"
    )

    assert grade(Subject.HISTORY, parse(marked).file.markup).points["K2"] == 0


def test_the_mistakes_that_cost_are_those_of_the_first_two():
    markup = placed(*ROLES, (70, 80, "И.лроль", ""), (31, 35, "И.лроль", ""))

    why = explain(Subject.HISTORY, markup)["K2"]

    assert (why.points, why.fragments, why.counts["И.лроль"]) == (1, (6,), 1)


@pytest.mark.parametrize(
    ("name", "marks", "given"),
    [
        ("K4", ["ОЦЕНКА"], 1),
        ("K4", ["2 ОЦЕНКА", "И.влиян"], 0),
        ("K4", ["ОЦЕНКА", "И.упрощ"], 0),
        ("K4", ["И.влиян"], 0),
        ("K5", ["И.понятие"], 0),
        ("K5", ["2 И.неиспол"], 0),
        ("K6", ["И.факт"], 2),
        ("K6", ["2 И.факт", "3 И.факт#ф"], 0),
        ("K6", ["5 И.факт"], 0),
    ],
)
def test_k4_to_k6(name, marks, given):
    assert points(name, *marks) == given


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        ([*PERSONS, "ПРИЧИНА", "СЛЕДСТВИЕ"], 1),
        ([*PERSONS], 0),
        ([*PERSONS, "ОЦЕНКА"], 1),
        ([*PERSONS, *LINKS, "ОЦЕНКА", "И.излож"], 0),
    ],
)
def test_k7_needs_five_points_in_k1_to_k4(marks, given):
    assert points("K7", *marks) == given


def test_mistakes_about_a_third_person_cost_nothing():
    markup = essay(
        Subject.HISTORY, "2 СЯП", "РОЛЬ#р1", "РОЛЬ#р2", "РОЛЬ#р3", "И.лроль#р3", "И.лроль#р2"
    )

    why = explain(Subject.HISTORY, markup)["K2"]

    assert (why.points, why.fragments, why.counts["И.лроль"]) == (1, (6,), 1)
