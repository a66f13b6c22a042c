from __future__ import annotations

import pytest

from annotator.core.values import Subject
from scoring.core.criteria import grade
from scoring.core.criteria.sheet import CriteriaSheet
from tests.scoring.core.essays import essay

LITERATURE = ("АРГУМЕНТ", "ПОНЯТИЕ")
SOCIAL = ("ИДЕЯ", "ПОНЯТИЕ", "ТЕОРИЯ", "ЛОГИКА", "2 ПРИМЕР.ОБЩ", "2 ПРИМЕР.ЛИЧ")


def literature(*marks: str, words: int = 150) -> CriteriaSheet:
    return grade(Subject.LITERATURE, essay(Subject.LITERATURE, *marks, words=words))


def social(*marks: str) -> CriteriaSheet:
    return grade(Subject.SOCIAL_SCIENCE, essay(Subject.SOCIAL_SCIENCE, *marks, words=10))


@pytest.mark.parametrize(("words", "total"), [(150, 14), (149, 0)])
def test_a_literature_essay_needs_150_words(words, total):
    assert literature(*LITERATURE, words=words).total == total


@pytest.mark.parametrize(
    ("name", "marks", "given"),
    [
        ("K1", [], 3),
        ("K1", ["С.одностор"], 2),
        ("K1", ["С.одностор", "С.поверхн"], 1),
        ("K1", ["С.одностор", "С.поверхн", "С.тема"], 0),
        ("K2", [], 0),
        ("K2", ["АРГУМЕНТ"], 3),
        ("K2", ["АРГУМЕНТ", "С.факт"], 2),
        ("K2", ["АРГУМЕНТ", "2 С.факт"], 2),
        ("K2", ["АРГУМЕНТ", "3 С.факт"], 1),
        ("K2", ["АРГУМЕНТ", "4 С.факт"], 0),
        ("K2", ["АРГУМЕНТ", "С.упрощен"], 1),
        ("K2", ["АРГУМЕНТ", "С.пересказ", "С.факт"], 1),
        ("K2", ["АРГУМЕНТ", "С.опора"], 0),
        ("K2", ["АРГУМЕНТ", "С.позиция"], 0),
        ("K3", [], 0),
        ("K3", ["ПОНЯТИЕ"], 2),
        ("K3", ["ПОНЯТИЕ", "С.неиспол"], 1),
        ("K3", ["ПОНЯТИЕ", "С.понятие"], 1),
        ("K3", ["ПОНЯТИЕ", "2 С.понятие"], 0),
        ("K4", [], 3),
        ("K4", ["С.послед"], 2),
        ("K4", ["С.послед", "С.связь"], 1),
        ("K4", ["С.неразв"], 1),
        ("K4", ["С.связь", "С.композ"], 0),
        ("K5", ["Р.тавт"], 3),
        ("K5", ["2 Р.тавт", "Р.прост"], 2),
        ("K5", ["7 Р.тавт"], 0),
        ("K5", ["9 Р.тавт"], 0),
    ],
)
def test_points_of_a_literature_essay(name, marks, given):
    assert literature(*marks).points[name] == given


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ([], (1, 2, 1, 2)),
        (["о.смысл"], (0, 0, 0, 0)),
        (["о.подмена"], (0, 0, 0, 0)),
        (["о.пересказ"], (0, 0, 0, 0)),
        (["о.упрощ"], (1, 0, 1, 2)),
        (["о.понятие"], (1, 1, 1, 2)),
        (["о.теория"], (1, 1, 1, 2)),
        (["2 о.понятие", "о.теория"], (1, 1, 1, 2)),
        (["о.нехватает"], (1, 1, 1, 2)),
        (["о.теорсвязь"], (1, 1, 1, 2)),
        (["о.понятие", "о.теорсвязь", "2 о.нехватает"], (1, 0, 1, 2)),
        (["о.рассужд"], (1, 2, 0, 2)),
        (["2 о.вывод"], (1, 2, 0, 2)),
        (["2 ПРИМЕР.ИСТ"], (1, 2, 1, 2)),
        (["2 ПРИМЕР.ИСТ", "о.факт"], (1, 2, 1, 1)),
        (["о.дубл"], (1, 2, 1, 1)),
        (["о.подробн"], (1, 2, 1, 1)),
        (["о.подтв"], (1, 2, 1, 1)),
        (["о.дубл", "о.подробн", "о.подтв"], (1, 2, 1, 0)),
        (["о.примсвязь"], (1, 2, 1, 1)),
    ],
)
def test_points_of_a_social_science_essay(marks, expected):
    assert tuple(social(*SOCIAL, *marks).points.values()) == expected


@pytest.mark.parametrize(
    ("absent", "expected"),
    [
        ("ИДЕЯ", (0, 0, 0, 0)),
        ("ПОНЯТИЕ", (1, 1, 1, 2)),
        ("ТЕОРИЯ", (1, 1, 1, 2)),
        ("ЛОГИКА", (1, 2, 0, 2)),
        ("2 ПРИМЕР.ЛИЧ", (1, 2, 1, 1)),
    ],
)
def test_points_of_a_social_science_essay_that_lacks_a_block(absent, expected):
    present = [mark for mark in SOCIAL if mark != absent]

    assert tuple(social(*present).points.values()) == expected


@pytest.mark.parametrize(
    ("marks", "given"),
    [
        (["ПРИМЕР.ОБЩ", "ПРИМЕР.ЛИЧ", "ПРИМЕР.ИСТ"], 0),
        (["2 ПРИМЕР.ОБЩ"], 1),
        (["2 ПРИМЕР.ЛИЧ"], 1),
        (["2 ПРИМЕР.ИСТ"], 1),
        (["2 ПРИМЕР.ОБЩ#а"], 0),
        (["9 ПРИМЕР.ОБЩ"], 1),
    ],
)
def test_a_kind_of_example_counts_when_it_is_marked_more_than_once(marks, given):
    assert social("ИДЕЯ", *marks).points["K4"] == given
