from __future__ import annotations

import pytest

from annotator.core.values import Fragment, Kind, Markup, Span, Subject
from scoring.core.criteria import explain, grade
from scoring.core.criteria.english import PLAN
from scoring.core.criteria.sheet import CriteriaSheet
from tests.scoring.core.essays import essay, without
from tests.strategies import whole_text

BLOCKS = ("ПРОБЛЕМА", "ЛМНЕНИЕ", "3 АРГУМЕНТ", "ПРМНЕНИЕ", "ОБОСНОВАНИЕ", "ВЫВОД")


def english(*marks: str, words: int = 250) -> Markup:
    return essay(Subject.ENGLISH, *BLOCKS, *marks, words=words)


def points(markup: Markup, name: str) -> int:
    return grade(Subject.ENGLISH, markup).points[name]


def test_an_essay_with_all_blocks_and_no_mistake_has_full_points():
    assert grade(Subject.ENGLISH, english()) == CriteriaSheet(
        {"K1": 3, "K2": 3, "K3": 3, "K4": 3, "K5": 2}
    )


def test_no_points_for_the_task_take_none_from_the_other_criteria():
    assert grade(Subject.ENGLISH, english("5 А.стиль", words=20)) == CriteriaSheet(
        {"K1": 0, "K2": 3, "K3": 3, "K4": 3, "K5": 2}
    )


@pytest.mark.parametrize(
    ("words", "vocabulary", "given"),
    [
        *[(0, 0, 3), (1, 0, 3), (2, 0, 2), (3, 0, 2), (4, 0, 1), (5, 0, 0)],
        *[(0, 1, 2), (1, 1, 1), (4, 1, 1), (5, 1, 0), (0, 2, 0)],
    ],
)
def test_k3_by_lexical_mistakes_and_vocabulary(words, vocabulary, given):
    assert points(english(f"{words} А.лекс", f"{vocabulary} А.запас"), "K3") == given


@pytest.mark.parametrize(
    ("grammar", "level", "given"),
    [
        *[(0, 0, 3), (2, 0, 3), (3, 0, 2), (4, 0, 2), (5, 0, 1), (7, 0, 1), (8, 0, 0)],
        *[(0, 1, 1), (7, 1, 1), (8, 1, 0), (0, 2, 0)],
    ],
)
def test_k4_by_grammar_mistakes_and_level(grammar, level, given):
    assert points(english(f"{grammar} А.грамм", f"{level} А.уров"), "K4") == given


@pytest.mark.parametrize(
    ("spelling", "punctuation", "given"),
    [(0, 0, 2), (1, 1, 2), (2, 0, 1), (0, 2, 1), (1, 3, 1), (4, 0, 1), (4, 1, 0), (0, 5, 0)],
)
def test_k5_by_spelling_and_punctuation(spelling, punctuation, given):
    assert points(english(f"{spelling} А.орф", f"{punctuation} А.пункт"), "K5") == given


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        (["А.стиль"], 3),
        (["2 А.стиль"], 2),
        (["3 А.стиль", "2 А.аспект"], 2),
        (["4 А.стиль"], 1),
        (["3 А.аспект"], 1),
        (["4 А.аспект", "4 А.стиль"], 1),
        (["5 А.аспект"], 0),
        (["5 А.стиль"], 0),
        (["А.перифр"], 1),
        (["А.пробл"], 1),
        (["А.пробл", "А.перифр"], 1),
        (["А.перифр", "3 А.аспект"], 0),
    ],
)
def test_k1_by_aspects_and_style(marks, given):
    assert points(english(*marks), "K1") == given


@pytest.mark.parametrize(
    ("absent", "given"),
    [
        (["ПРОБЛЕМА"], 1),
        (["ПРОБЛЕМА", "ЛМНЕНИЕ"], 1),
        (["ПРОБЛЕМА", "ЛМНЕНИЕ", "ПРМНЕНИЕ"], 0),
        (["АРГУМЕНТ"], 0),
        (["ВЫВОД"], 3),
    ],
)
def test_k1_by_absent_blocks(absent, given):
    markup = english()
    for code in absent:
        markup = without(markup, code)

    assert points(markup, "K1") == given


@pytest.mark.parametrize(("words", "given"), [(179, 0), (180, 3)])
def test_k1_needs_180_words(words, given):
    assert points(english(words=words), "K1") == given


def copied(words: int, of: int) -> Markup:
    """An essay of ``of`` words of one letter, the first ``words`` of which are copied."""
    blocks = essay(Subject.ENGLISH, *BLOCKS).fragments
    copy = Fragment(Span(0, 2 * words - 1), "А.непрод")
    return Markup(" ".join("a" * of), (*blocks, copy))


@pytest.mark.parametrize(
    ("words", "of", "given"),
    [(60, 200, 3), (60, 199, 3), (61, 201, 3), (61, 200, 0), (122, 400, 0), (121, 400, 3)],
)
def test_k1_allows_30_percent_of_copied_words_half_a_percent_rounded_up(words, of, given):
    assert points(copied(words, of), "K1") == given


def test_a_word_copied_twice_is_copied_once():
    markup = copied(50, 200)
    twice = Markup(markup.text, (*markup.fragments, Fragment(Span(0, 99), "А.непрод")))

    assert explain(Subject.ENGLISH, twice)["K1"].gate is None


def test_a_wholly_copied_essay_solves_no_task():
    markup = english()
    whole = Markup(markup.text, (*markup.fragments, whole_text("А.непрод")))

    assert explain(Subject.ENGLISH, whole)["K1"].measures == {
        "words": 250,
        "unproductive-percent": 100,
        "most-percent": 30,
    }


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        ([], 3),
        (["А.связь"], 2),
        (["2 А.логика", "А.связь", "А.абзац"], 2),
        (["3 А.логика", "А.связь", "А.абзац"], 1),
        (["8 А.связь"], 1),
        (["9 А.связь"], 0),
    ],
)
def test_k2_by_logic_links_and_paragraphs(marks, given):
    assert points(english(*marks), "K2") == given


def plan(*places: tuple[str, int | None]) -> dict[str, int]:
    fragments = tuple(
        Fragment(None if start is None else Span(start, start + 1), code, kind=Kind.BLOCK)
        for code, start in places
    )
    why = explain(Subject.ENGLISH, Markup("a" * 100, fragments))["K2"]
    return {"faults": why.measures["plan-faults"], "blamed": list(why.fragments)}


@pytest.mark.parametrize(
    ("starts", "faults", "blamed"),
    [
        ([0, 1, 2, 3, 4], 0, []),
        ([0, 0, 0, 0, 0], 0, []),
        ([4, 3, 2, 1, 0], 4, [1, 2, 3, 4]),
        ([4, 0, 1, 2, 3], 1, [0]),
        ([1, 2, 3, 4, 0], 1, [4]),
        ([4, 1, 0, 5, 6], 2, [1, 2]),
        ([None, 0, 1, 2, 3], 1, []),
        ([0, 1, 2, 3, None], 1, []),
    ],
)
def test_blocks_outside_the_longest_run_in_order_are_faults_of_the_plan(starts, faults, blamed):
    places = list(zip(PLAN, starts, strict=True))

    assert plan(*places) == {"faults": faults, "blamed": blamed}


def test_an_absent_block_is_a_fault_of_the_plan():
    assert plan(("ПРОБЛЕМА", 0), ("ВЫВОД", 9))["faults"] == 3
    assert plan(("ВЫВОД", 0), ("ПРОБЛЕМА", 9))["faults"] == 4
    assert plan(("ПРОБЛЕМА", None))["faults"] == 5


def test_a_block_stands_where_it_first_begins():
    in_order = [(code, start) for start, code in enumerate(PLAN)]

    assert plan(*in_order, ("ПРОБЛЕМА", 50))["faults"] == 0
    assert plan(*in_order[1:], ("ПРОБЛЕМА", 50), ("ПРОБЛЕМА", 0))["faults"] == 0
