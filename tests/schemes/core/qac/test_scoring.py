"""Marks and tables: the three tasks, the readings, what every score has in common."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from schemes.core.qac.errors import ExtractionError
from schemes.core.qac.extractions import extract
from schemes.core.qac.reading import read_key, read_responses
from schemes.core.qac.scoring import score
from schemes.core.qac.tables import res_lines, score_lines
from schemes.core.qac.values import (
    Figures,
    Match,
    ReadingCode,
    Taken,
    Task,
)
from tests.annotator.core.growth import LINEAR, growth
from tests.schemes.core.qac.questions import (
    MATCHES,
    TASKS,
    codes,
    files,
    scored,
    written,
)

RIGHT = [("津", "1"), ("津", "2"), ("東京", "3")]


def mark(said, task=1, match="article", key=RIGHT, nfkc=False):
    (outcome,) = scored({"Q1": key}, {"Q1": said}, task, match, nfkc).outcomes
    return outcome.mark(Task(task), Match(match))


@pytest.mark.parametrize(
    ("said", "by_rank", "by_f"),
    [
        ([("津", "1")], 1, 2 / 3),
        ([("津", "1"), ("東京", "3")], 1, 1),
        ([("x", "1"), ("津", "2"), ("東京", "3")], 1 / 2, 4 / 5),
        ([("x", "1"), ("y", "1"), ("東京", "3")], 1 / 3, 2 / 5),
        ([("x", "1")] * 6 + [("津", "1")], 1 / 7, 2 / 9),
        ([("津", "1"), ("津", "1"), ("津", "2")], 1, 2 / 5),
        ([("津", "3")], 0, 0),
        ([("x", "1")], 0, 0),
        ([], 0, 0),
    ],
)
def test_a_question_is_marked_by_rank_in_task_1_and_by_f_in_the_others(said, by_rank, by_f):
    assert mark(said, 1) == pytest.approx(by_rank)
    assert mark(said, 2) == mark(said, 3) == pytest.approx(by_f)


@pytest.mark.parametrize("task", Task)
def test_a_question_without_an_answer_is_right_only_if_nothing_was_said(task):
    assert (mark([], task, key=[]), mark([("津", "1")], task, key=[])) == (1, 0)


def test_a_right_string_of_another_article_is_right_under_string_matching_only():
    said = [("東京", "1"), ("津", "1")]

    assert (mark(said), mark(said, match="string")) == (1 / 2, 1)
    assert (mark(said, 2), mark(said, 2, "string")) == (1 / 2, 1)


def test_widths_are_alike_only_when_asked_for():
    said, key = [("ＮＴＴ", "1")], [("NTT", "1"), ("ＮＴＴ ", "2")]

    assert (mark(said, key=key), mark(said, key=key, nfkc=True)) == (0, 1)
    (outcome,) = scored({"Q1": key}, "", nfkc=True).outcomes
    assert (outcome.numbers, outcome.distinct) == ((1, 1), 1)


def test_the_tables_of_a_few_questions():
    found = scored(
        {"Q1": RIGHT, "Q2": [("津", "1")], "Q3": [], "Q4": [("京", "1")]},
        {"Q1": [("津", "1"), ("津", "1"), ("x", "1")], "Q2": [("津", "9")], "Q5": [("x", "1")]},
    )

    assert found.figures == Figures(marks=2.0, questions=4, answers=4, responses=4, correct=1)
    assert found.by_match[Match.STRING] == Figures(3.0, 4, 4, 4, 2)
    assert (found.figures.average, found.figures.recall, found.figures.precision) == (
        *(0.5, 0.25, 0.25),
    )
    assert found.figures.f_measure == 0.25
    assert codes(found.warnings) == [
        ("no-responses", 3, "Q3"),
        ("no-responses", 4, "Q4"),
        ("unknown-question", 3, "Q5"),
    ]
    assert found.readings == (
        Taken(ReadingCode.ARTICLE, 1),
        Taken(ReadingCode.REPEATED, 1),
        Taken(ReadingCode.EMPTY_RIGHT, 1),
        Taken(ReadingCode.DISTINCT, 1),
        Taken(ReadingCode.ABSENT, 2),
        Taken(ReadingCode.UNKNOWN, 1),
    )


def test_what_cannot_be_divided_is_not_defined():
    nothing = Figures(0.0, 0, 0, 0, 0)

    assert (nothing.average, nothing.recall, nothing.precision, nothing.f_measure) == (None,) * 4
    assert Figures(0.0, 1, 1, 0, 0).f_measure == 0


def test_without_responses_everything_is_phi():
    found = scored({"Q1": RIGHT, "Q2": []}, "")

    assert list(res_lines(found)) == ["Q1: φ ×", "Q2: φ ○"]
    assert list(score_lines(found))[:3] == [
        "Task1 Results:",
        "1.0 marks out of 2.0 in TASK1",
        "Average score: 0.500",
    ]
    assert list(score_lines(found))[-2] == "       0.000           -       0.000       0.500"


@pytest.mark.parametrize(
    ("key", "said", "options", "reading"),
    [
        ([("ＮＴＴ", "1")], [("NTT", "1")], {}, Taken(ReadingCode.EXACT, 1)),
        ([("NTT", "1")], [("NTT", "1")], {"nfkc": True}, Taken(ReadingCode.NFKC, 0)),
        ([("津", "1")], [("津", "1")], {"match": "string"}, Taken(ReadingCode.STRING, 0)),
        ([("津", "1")], [("津", "2")], {"match": "string"}, Taken(ReadingCode.STRING, 1)),
        ([("津", "1")], [("津 ", "1")], {}, Taken(ReadingCode.TRIMMED, 1)),
        ([("津", "1")], [("x", "1")] * 6, {}, Taken(ReadingCode.NOT_CUT, 1)),
        ([("津", "1")], [("津", "1")], {"task": 3}, Taken(ReadingCode.FLAT, 1)),
    ],
)
def test_a_reading_is_told_where_another_one_would_differ(key, said, options, reading):
    assert scored({"Q1": key}, {"Q1": said}, **options).readings == (reading,)


def test_more_than_five_responses_are_odd_in_task_1_only():
    said = {"Q1": [("x", "1")] * 6}

    assert codes(scored({"Q1": RIGHT}, said).warnings) == [("many-ranks", 1, "Q1")]
    assert scored({"Q1": RIGHT}, said, 2).warnings == ()


def test_a_question_with_its_text_alone_is_told():
    found = scored('Q1: "津はどこ？"', "Q1:")

    assert codes(found.warnings) == [("text-only", 1, "Q1")]
    assert found.figures.marks == 1


def test_broken_lines_do_not_touch_the_other_questions():
    key = read_key('Q1: "津", 1\nQ2: 津, 1\nQ3:\nQ4: "東", 1\n')
    responses = read_responses('Q1: "津", 1\nQ2: "津", 1\nQ3: "津\nQ4: "東", 1\n')

    found = score(key, responses)

    assert list(res_lines(found)) == ["Q1: 津 ○", "Q3: φ ×", "Q4: 東 ○"]
    assert found.figures == Figures(2.0, 3, 2, 2, 2)
    assert codes(found.warnings) == [("unquoted-answer", 2, "Q2"), ("open-quote", 3, "Q3")]
    assert found.readings == (Taken(ReadingCode.BROKEN, 2),)


def test_each_extraction_has_its_tasks():
    refused = set()
    for task in Task:
        found = scored({"Q1": RIGHT}, "", task)
        for number in (0, 1, 2, 3, 4, 5, 6):
            try:
                list(extract(found, number))
            except ExtractionError as error:
                refused.add((task.value, number, error.code))

    assert refused == {
        *((task, number, "no-extraction") for task in (1, 2, 3) for number in (0, 6)),
        *((task, 4, "other-task") for task in (1, 3)),
        *((task, 5, "other-task") for task in (2, 3)),
    }


def test_the_text_of_a_question_is_quoted_as_in_a_file():
    found = scored('Q1: "a ""b""?"\nQ1: "津", 1, "東", 2, "津", 3', "")

    assert list(extract(found, 5)) == ['Q1 "a ""b""?"', "CORRECT ANSWER: 津 東"]


@given(files(), TASKS, MATCHES)
def test_marks_lie_between_0_and_1_and_full_marks_are_the_questions(drawn, task, match):
    found = scored(*drawn, task, match)

    assert all(0 <= each.mark(task, match) <= 1 for each in found.outcomes)
    assert found.figures.questions == len(drawn[0])
    assert 0 <= found.figures.average <= 1


@given(files(), TASKS)
def test_the_key_is_its_own_perfect_answer(drawn, task):
    key, _ = drawn
    as_once = {name: list(dict(reversed(answers)).items()) for name, answers in key.items()}
    found = scored(key, as_once, task)

    assert found.figures.average == pytest.approx(1)
    assert found.figures.correct == found.figures.answers == found.figures.responses


@given(files(), TASKS)
def test_strings_alone_are_never_worth_less(drawn, task):
    by_match = scored(*drawn, task).by_match

    assert by_match[Match.STRING].marks >= by_match[Match.ARTICLE].marks
    assert by_match[Match.STRING].correct >= by_match[Match.ARTICLE].correct


@given(files(), TASKS, MATCHES)
def test_the_order_of_lines_changes_only_the_order_of_outcomes(drawn, task, match):
    key, responses = drawn
    found = scored(key, responses, task, match)
    reversed_ = scored(dict(reversed(key.items())), dict(reversed(responses.items())), task, match)

    assert sorted(res_lines(found)) == sorted(res_lines(reversed_))
    assert replace(reversed_.figures, marks=0) == replace(found.figures, marks=0)
    assert reversed_.figures.marks == pytest.approx(found.figures.marks)


@given(files(), MATCHES)
def test_the_sums_are_those_of_a_straight_count(drawn, match):
    key, said = drawn
    marks = correct = output = 0
    for name, answers in key.items():
        responses = said.get(name, [])
        strings = {string for string, _ in answers}
        right = [
            string in strings if match is Match.STRING else (string, article) in answers
            for string, article in responses
        ]
        marks += 1 / (right.index(True) + 1) if True in right else not (answers or responses)
        correct += len({one[0] for one, is_right in zip(responses, right, strict=True) if is_right})
        output += len(responses)
    figures = scored(key, said, 1, match).figures

    assert figures.marks == pytest.approx(marks)
    assert (figures.correct, figures.responses) == (correct, output)


@given(files(), TASKS, MATCHES)
def test_every_table_and_extraction_has_a_line_for_what_it_tells(drawn, task, match):
    found = scored(*drawn, task, match)
    key, said = drawn

    assert len(list(score_lines(found))) == 15
    assert len(list(res_lines(found))) == len(key)
    assert len(list(extract(found, 1))) == len(key) + sum(map(len, key.values()))
    known = [responses for name, responses in said.items() if name in key]
    assert len(list(extract(found, 2))) == len(known) + sum(map(len, known))


MANY = {
    "questions": lambda size: ({f"Q{number}": RIGHT for number in range(size)},) * 2,
    "answers": lambda size: ({"Q1": [(f"津{number}", "1") for number in range(size)]},) * 2,
    "articles": lambda size: ({"Q1": [("津", str(number)) for number in range(size)]},) * 2,
    "strangers": lambda size: ({"Q1": RIGHT}, {f"Q{number}": RIGHT for number in range(size)}),
    "wrong": lambda size: ({"Q1": RIGHT}, {"Q1": [("ＮＴＴ", "1")] * size}),
}


@pytest.mark.parametrize("make", MANY.values(), ids=MANY)
def test_time_grows_with_the_number_of_answers_and_responses(make):
    assert growth(all_of, lambda size: tuple(map(written, make(size)))) <= LINEAR


def all_of(texts):
    found = scored(*texts)
    return [*res_lines(found), *extract(found, 1), *extract(found, 3), *extract(found, 5)]
