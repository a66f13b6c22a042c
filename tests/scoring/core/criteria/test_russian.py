from __future__ import annotations

import pytest

from annotator.core.values import Subject
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import CriteriaSheet
from tests.scoring.core.essays import essay

BLOCKS = ("ПРОБЛЕМА", "2 ПРИМЕР", "2 ПОЯСНЕНИЕ", "СВЯЗЬ", "ПОЗИЦИЯ", "ОТНОШЕНИЕ")


def points(name: str, *marks: str, words: int = 150) -> int:
    return grade(Subject.RUSSIAN, essay(Subject.RUSSIAN, *marks, words=words)).points[name]


def sheet(*points_of: int) -> CriteriaSheet:
    return CriteriaSheet({f"K{number}": each for number, each in enumerate(points_of, 1)})


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (150, sheet(1, 5, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1)),
        (149, sheet(1, 5, 1, 1, 2, 1, 2, 2, 1, 1, 1, 1)),
        (70, sheet(1, 5, 1, 1, 2, 1, 2, 2, 1, 1, 1, 1)),
        (69, sheet(*[0] * 12)),
    ],
)
def test_a_short_essay_loses_points_and_a_very_short_one_all(words, expected):
    assert grade(Subject.RUSSIAN, essay(Subject.RUSSIAN, *BLOCKS, words=words)) == expected


@pytest.mark.parametrize(
    "marks", [BLOCKS[1:], (*BLOCKS, "П.проблема"), (*BLOCKS, "П.факт")], ids=str
)
def test_without_the_problem_k1_to_k4_are_nothing(marks):
    markup = essay(Subject.RUSSIAN, *marks)

    assert grade(Subject.RUSSIAN, markup) == sheet(0, 0, 0, 0, 2, 2, 3, 3, 2, 2, 1, 1)


@pytest.mark.parametrize(
    ("examples", "explanations", "links", "given"),
    [
        *[(2, 2, 1, 5), (3, 2, 1, 5), (2, 2, 0, 4), (2, 1, 1, 4), (2, 0, 2, 4), (2, 1, 0, 3)],
        *[(1, 2, 1, 3), (3, 0, 0, 3), (0, 3, 0, 3), (2, 0, 0, 2), (1, 1, 0, 1), (0, 1, 1, 0)],
    ],
)
def test_k2_by_examples_explanations_and_links(examples, explanations, links, given):
    marks = (f"{examples} ПРИМЕР", f"{explanations} ПОЯСНЕНИЕ", f"{links} СВЯЗЬ")

    assert points("K2", "ПРОБЛЕМА", *marks) == given


@pytest.mark.parametrize("mistake", ["П.опора", "П.пересказ", "П.факткомм", "П.другая", "П.копир"])
def test_any_mistake_in_the_comment_takes_all_of_k2(mistake):
    assert points("K2", *BLOCKS, mistake) == 0


@pytest.mark.parametrize(
    ("name", "marks", "given"),
    [
        ("K3", ["ПРОБЛЕМА"], 0),
        ("K3", ["ПРОБЛЕМА", "ПОЗИЦИЯ", "П.позиция"], 0),
        ("K3", ["ПРОБЛЕМА", "ПОЗИЦИЯ"], 1),
        ("K4", ["ПРОБЛЕМА"], 0),
        ("K4", ["ПРОБЛЕМА", "ОТНОШЕНИЕ", "П.отнош"], 0),
        ("K4", ["ПРОБЛЕМА", "ОТНОШЕНИЕ", "П.обоснов"], 0),
        ("K4", ["ПРОБЛЕМА", "ОТНОШЕНИЕ"], 1),
        ("K5", ["Л.скачок"], 1),
        ("K5", ["Л.скачок", "2 Л.абзац"], 0),
        ("K6", ["П.однообр"], 1),
        ("K6", ["П.точность#а", "П.точность#а"], 1),
        ("K6", ["П.однообр", "П.точность"], 0),
        ("K6", ["2 Р.тавт"], 1),
        ("K6", ["2 П.однообр", "2 Р.тавт"], 1),
        ("K9", ["Г.упр"], 1),
        ("K9", ["2 Г.упр"], 1),
        ("K9", ["Г.упр", "2 Г.согл"], 0),
        ("K9", ["9 Г.упр"], 0),
        ("K10", ["Р.тавт"], 2),
        ("K10", ["2 Р.тавт"], 1),
        ("K10", ["3 Р.тавт"], 1),
        ("K10", ["4 Р.тавт"], 0),
        ("K11", ["Э.агресс"], 0),
        ("K12", ["Ф.факт"], 0),
    ],
)
def test_points_of_a_russian_essay(name, marks, given):
    assert points(name, *marks) == given


@pytest.mark.parametrize(
    ("name", "marks", "given"),
    [("K9", ["Г.упр"], 0), ("K10", ["Р.тавт"], 1), ("K10", ["2 Р.тавт"], 0)],
)
def test_mistakes_cost_a_short_essay_more(name, marks, given):
    assert points(name, *marks, words=149) == given


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("ИСП", sheet(4, 4, 4, 3, 3, 3, 3)),
        ("2 Г.упр", sheet(2, 4, 4, 3, 3, 3, 3)),
        ("5 Р.тавт", sheet(4, 0, 4, 3, 3, 3, 3)),
        ("Л.скачок", sheet(4, 4, 3, 3, 3, 3, 3)),
        ("4 Ф.факт", sheet(4, 4, 4, 0, 3, 3, 3)),
        ("2 Э.агресс", sheet(4, 4, 4, 3, 1, 3, 3)),
    ],
)
def test_a_free_essay_loses_a_point_a_mistake_whatever_its_length(mark, expected):
    markup = essay(Subject.RUSSIAN_FREE, mark, words=10)

    assert grade(Subject.RUSSIAN_FREE, markup) == expected
