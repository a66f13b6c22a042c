from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.core.values import Subject
from scoring.core.criteria import explain
from scoring.core.criteria.limits import limits_of
from scoring.core.criteria.reasons import describe
from scoring.core.criteria.tally import Tally
from tests.scoring.core.essays import essay


def limits(subject, name, *marks):
    markup = essay(subject, *marks)
    return limits_of(subject, Tally(markup), name, explain(subject, markup)[name])


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (["10 А.грамм"], {"А.грамм": 7}),
        (["5 А.грамм"], {"А.грамм": 4}),
        (["3 А.грамм"], {"А.грамм": 2}),
        (["2 А.грамм"], {}),
        (["1 А.уров"], {"А.уров": 0}),
        (["10 А.грамм", "2 А.уров"], {}),  # neither alone makes a difference
    ],
)
def test_the_most_mistakes_that_give_a_point_more(marks, expected):
    assert limits(Subject.ENGLISH, "K4", *marks) == expected


@given(grammar=st.integers(0, 12), level=st.integers(0, 3))
def test_with_so_many_there_is_a_point_more_and_with_one_more_there_is_not(grammar, level):
    def points(grammar, level):
        markup = essay(Subject.ENGLISH, f"{grammar} А.грамм", f"{level} А.уров")
        return explain(Subject.ENGLISH, markup)["K4"].points

    now = points(grammar, level)
    found = limits(Subject.ENGLISH, "K4", f"{grammar} А.грамм", f"{level} А.уров")
    for code, most in found.items():
        others = {"grammar": grammar, "level": level}
        which = {"А.грамм": "grammar", "А.уров": "level"}[code]
        assert points(**{**others, which: most}) > now
        assert points(**{**others, which: most + 1}) == now


def test_the_sentence_names_both_numbers():
    markup = essay(Subject.ENGLISH, "10 А.грамм")
    why = explain(Subject.ENGLISH, markup)["K4"]

    said = describe(Subject.ENGLISH, why, str, limits_of(Subject.ENGLISH, Tally(markup), "K4", why))

    assert said == "А.грамм: 10 different, at most 7 for a point more"


def test_behind_a_shut_gate_nothing_is_counted():
    markup = essay(Subject.ENGLISH, "9 А.стиль", words=20)

    why = explain(Subject.ENGLISH, markup)["K1"]
    assert limits_of(Subject.ENGLISH, Tally(markup), "K1", why) == {}
