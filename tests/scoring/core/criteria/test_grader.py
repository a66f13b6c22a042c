from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotator.core.values import Fragment, Markup, Span, Subject
from scoring.core.criteria import GRADERS, explain, grade
from scoring.core.criteria.grader import Reasons
from scoring.core.criteria.sheet import K_MAX, MAXIMA, CriteriaSheet
from tests.scoring.core.essays import LONG_TEXT, essay
from tests.strategies import markups

SUBJECTS = st.sampled_from(Subject)
BEST = {
    Subject.RUSSIAN: ["ПРОБЛЕМА", "2 ПРИМЕР", "2 ПОЯСНЕНИЕ", "СВЯЗЬ", "ПОЗИЦИЯ", "ОТНОШЕНИЕ"],
    Subject.RUSSIAN_FREE: [],
    Subject.LITERATURE: ["АРГУМЕНТ", "ПОНЯТИЕ"],
    Subject.SOCIAL_SCIENCE: ["ИДЕЯ", "ПОНЯТИЕ", "ТЕОРИЯ", "ЛОГИКА", "2 ПРИМЕР.ОБЩ", "2 ПРИМЕР.ИСТ"],
    Subject.HISTORY: ["2 СЯП", "2 РОЛЬ", "2 ПРИЧИНА", "2 СЛЕДСТВИЕ", "ОЦЕНКА"],
}
BEST[Subject.ENGLISH] = BEST[Subject.ENGLISH_FREE] = [
    *["ПРОБЛЕМА", "ЛМНЕНИЕ", "3 АРГУМЕНТ", "ПРМНЕНИЕ", "ОБОСНОВАНИЕ", "ВЫВОД"]
]


@st.composite
def marked_essays(draw: st.DrawFn) -> tuple[Subject, Markup]:
    """An essay of any subject, of any length, with up to thirty fragments."""
    subject = draw(SUBJECTS)
    text = draw(st.sampled_from([LONG_TEXT, LONG_TEXT[:1000], "слово", "—"]))
    return subject, draw(markups(text, max_size=30, subject=subject))


def test_the_highest_totals_are_those_of_the_subjects():
    assert K_MAX == {
        Subject.RUSSIAN: 24,
        Subject.RUSSIAN_FREE: 24,
        Subject.LITERATURE: 14,
        Subject.SOCIAL_SCIENCE: 6,
        Subject.HISTORY: 12,
        Subject.ENGLISH: 14,
        Subject.ENGLISH_FREE: 14,
    }


@pytest.mark.parametrize("subject", Subject)
def test_every_subject_can_be_graded_up_to_the_highest_points(subject):
    assert grade(subject, essay(subject, *BEST[subject])).points == MAXIMA[subject]
    assert GRADERS[subject].maxima == MAXIMA[subject]


@given(marked_essays())
def test_points_lie_between_0_and_the_highest(marked):
    subject, markup = marked
    points = grade(subject, markup).points

    assert list(points) == list(MAXIMA[subject])
    assert all(0 <= points[name] <= highest for name, highest in MAXIMA[subject].items())


@given(marked_essays(), st.randoms())
def test_the_order_of_fragments_does_not_matter(marked, random):
    subject, markup = marked
    shuffled = random.sample(markup.fragments, len(markup.fragments))

    assert grade(subject, Markup(markup.text, tuple(shuffled))) == grade(subject, markup)


@given(marked_essays(), st.data())
def test_a_further_fragment_of_one_code_and_tag_changes_nothing(marked, data):
    subject, markup = marked
    tagged = [each for each in markup.fragments if each.tag]
    assume(tagged)
    first = data.draw(st.sampled_from(tagged))
    second = replace(first, span=data.draw(places_after(first, len(markup.text))))

    again = Markup(markup.text, (*markup.fragments, second))

    assert grade(subject, again) == grade(subject, markup)


def places_after(first: Fragment, size: int) -> st.SearchStrategy[Span | None]:
    """The same place, or one that begins later; what is copied is a matter of the place."""
    same = st.just(first.span)
    if first.span is None or first.span.start + 1 == size or first.code == "А.непрод":
        return same
    return same | st.integers(first.span.start + 1, size - 1).map(lambda at: Span(at, at + 1))


@given(marked_essays())
def test_reasons_give_the_points_and_name_mistakes_only_where_points_were_lost(marked):
    subject, markup = marked
    reasons = explain(subject, markup)

    assert {name: why.points for name, why in reasons.items()} == grade(subject, markup).points
    for why in reasons.values():
        assert all(0 <= index < len(markup.fragments) for index in why.fragments)
        assert not (why.fragments and why.points == why.maximum)


def test_the_reasons_of_a_criterion_are_what_its_rule_looked_at():
    markup = essay(Subject.ENGLISH, "А.орф", "2 А.лекс#т", "А.лекс", "А.запас")

    assert explain(Subject.ENGLISH, markup)["K3"] == Reasons(
        points=1,
        maximum=3,
        counts={"А.лекс": 2, "А.запас": 1},
        measures={},
        fragments=(1, 2, 3, 4),
    )


def test_mistakes_that_cost_nothing_are_counted_but_not_blamed():
    markup = essay(Subject.ENGLISH, "А.лекс")

    assert explain(Subject.ENGLISH, markup)["K3"] == Reasons(
        points=3, maximum=3, counts={"А.лекс": 1, "А.запас": 0}, measures={}, fragments=()
    )


def test_a_family_of_codes_is_a_reason_under_its_prefix():
    markup = essay(Subject.RUSSIAN, "Г.упр", "Р.тавт", "2 Г.согл", words=149)

    assert explain(Subject.RUSSIAN, markup)["K9"] == Reasons(
        points=0,
        maximum=2,
        counts={"Г.": 3},
        measures={"words": 149, "least-words": 150},
        fragments=(0, 2, 3),
    )


def test_a_short_essay_shuts_the_gate_whatever_is_marked():
    markup = essay(Subject.LITERATURE, "С.тема", words=149)

    assert explain(Subject.LITERATURE, markup)["K1"] == Reasons(
        points=0,
        maximum=3,
        counts={},
        measures={"words": 149, "least-words": 150},
        fragments=(),
        gate="too-few-words",
    )


def test_a_failed_first_criterion_is_the_reason_of_the_others():
    markup = essay(Subject.SOCIAL_SCIENCE, "ИДЕЯ", "о.смысл", "2 о.вывод")

    assert explain(Subject.SOCIAL_SCIENCE, markup)["K3"] == Reasons(
        points=0,
        maximum=1,
        counts={"ИДЕЯ": 1, "о.смысл": 1, "о.подмена": 0, "о.пересказ": 0},
        measures={},
        fragments=(1,),
        gate="k1-is-zero",
    )


def test_a_copied_essay_names_what_is_copied():
    copy = Fragment(Span(0, 399), "А.непрод")
    markup = Markup(" ".join(["a"] * 200), (Fragment(Span(0, 1), "А.стиль"), copy))

    assert explain(Subject.ENGLISH, markup)["K1"] == Reasons(
        points=0,
        maximum=3,
        counts={"А.непрод": 1},
        measures={"words": 200, "unproductive-percent": 100, "most-percent": 30},
        fragments=(1,),
        gate="unproductive",
    )


def test_the_form_of_a_history_essay_is_explained_by_the_sum_of_the_first_criteria():
    markup = essay(Subject.HISTORY, "2 СЯП", "И.сяп", "2 РОЛЬ", "ОЦЕНКА")
    why = explain(Subject.HISTORY, markup)["K7"]

    assert why.measures == {"k1-to-k4": 4, "least-points": 5}
    assert (why.points, why.fragments) == (0, (2,))


@pytest.mark.parametrize(
    ("points", "total", "nomination"),
    [({"K3": 2, "K4": 1}, 3, 3), ({"K1": 3, "K3": 2}, 5, None), ({}, 0, None)],
)
def test_a_sheet_sums_what_it_has(points, total, nomination):
    sheet = CriteriaSheet(points)

    assert (sheet.total, sheet.nomination) == (total, nomination)
