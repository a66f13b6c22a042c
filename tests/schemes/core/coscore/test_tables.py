"""Tables of answers: what is read, what a bad row costs, what is written."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemes.core.coscore.agreement import agreement, histogram, rating_of
from schemes.core.coscore.answers import read_answers
from schemes.core.coscore.results import score_answers, to_csv
from tests.schemes.core.coscore.rules import scorer

LENGTH = {"A": "L(*)"}


def rows(table):
    """Line, blanks and label of every row that can be scored."""
    return [(row.line, row.blanks, row.label) for row in read_answers(table).rows if row.blanks]


def codes(table):
    """Line and code of every problem, of the table and of its rows."""
    sheet = read_answers(table)
    of_rows = [(row.line, problem.code) for row in sheet.rows for problem in row.problems]
    return [(problem.line, problem.code) for problem in sheet.problems] + of_rows


@pytest.mark.parametrize(
    "table",
    [
        "text,score\nлёд-вода,5\n",
        "\ufefftext,score\nлёд-вода,5",
        "score,text\r\n5,лёд-вода\r\n",
        " Text , SCORE \nлёд-вода, 5 \n",
        "text,score,name\nлёд-вода,5,Anna\n",
        "text;score\r\nлёд-вода;5\r\n",
        "text\tscore\nлёд-вода\t5\n",
    ],
)
def test_the_first_line_names_the_columns_in_any_order(table):
    assert rows(table) == [(2, ("лёд", "вода"), 5)]


def test_lines_are_those_of_the_file_where_an_answer_begins():
    table = 'text,score\n"лёд\nвода",1\n\nпар,2\n'

    assert rows(table) == [(2, ("лёд\nвода",), 1), (5, ("пар",), 2)]
    assert codes(table) == [(4, "line-is-empty")]


def test_empty_lines_at_the_end_are_nothing_and_an_empty_text_is_an_answer():
    assert codes("text\nлёд\n\n\n") == []
    assert rows('text\n""\n') == [(2, ("",), None)]


@pytest.mark.parametrize(
    ("given", "label"),
    [("0", 0), ("10", 10), ("9.5", 9.5), ("7.", 7), ("", None), (" ", None)],
)
def test_a_label_is_a_score_from_0_to_10(given, label):
    assert (rows(f"text,score\nлёд,{given}\n"), codes(f"text,score\nлёд,{given}\n")) == (
        [(2, ("лёд",), label)],
        [],
    )


@pytest.mark.parametrize("given", ["11", "-1", "10.1", "nan", "1e1", "five", "５", '"1,5"'])
def test_what_is_no_score_is_told_and_the_answer_scored_without_it(given):
    table = f"text,score\nлёд,{given}\n"

    assert (rows(table), codes(table)) == ([(2, ("лёд",), None)], [(2, "label-not-a-score")])


@pytest.mark.parametrize(
    ("row", "code"),
    [("лёд,вода", "cell-count"), ('"лёд"вода', "bad-cells"), ("лёд\0", "answer-has-nul")],
)
def test_a_bad_row_costs_itself_alone(row, code):
    results = score_answers(scorer({}, LENGTH), read_answers(f"text\nпар\n{row}\nвода\n"))

    assert [each.outcome.score for each in results.rows] == [3, None, 4]
    (problem,) = results.rows[1].own_problems
    assert (problem.line, problem.code) == (3, code)


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ("", "no-text-column"),
        ("лёд\n", "no-text-column"),
        ("text,text\nлёд,вода\n", "column-twice"),
        ('text\n"лёд\nвода\n', "quote-not-closed"),
    ],
)
def test_a_table_whose_rows_are_in_doubt_is_refused(table, code):
    sheet = read_answers(table)

    assert (sheet.refused, sheet.rows) == (True, ())
    assert [problem.code for problem in sheet.problems if problem.blocks] == [code]


@given(st.lists(st.text(alphabet="лa-,\"\n\r'=", max_size=8), max_size=6))
def test_a_table_that_csv_has_written_is_read_as_it_was(texts):
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([["text"], *([text] for text in texts)])

    sheet = read_answers(stream.getvalue(), separator="")

    assert [row.text for row in sheet.rows] == texts
    assert sheet.problems == ()


@given(st.text(max_size=400))
def test_no_table_raises(text):
    score_answers(scorer({}, LENGTH), read_answers("text\n" + text))


def written(table, combos=None):
    results = score_answers(scorer({}, combos or LENGTH), read_answers(table))
    return list(csv.reader(io.StringIO(to_csv(results, str), newline="")))


def test_a_table_that_is_written_has_errors_only_where_there_are_some():
    assert written("text\nлёд\n") == [["text", "score", "A"], ["лёд", "3", "3"]]
    assert written("text\n6-0\n6-4\n", {"A": "F(0)/F(1)"}) == [
        ["text", "score", "A", "error"],
        [
            *["6-0", "", ""],
            "combo A, column 6: The divisor is 0 for this answer. Test it with if and else first.",
        ],
        ["6-4", "1.5", "1.5", ""],
    ]


@pytest.mark.parametrize(
    ("score", "rating"), [(0, 0), (0.49, 0), (0.5, 1), (9.5, 10), (2.5, 3), (10, 10)]
)
def test_a_score_is_rounded_to_the_nearest_rating_halves_up(score, rating):
    assert rating_of(score) == rating


def test_a_histogram_has_a_place_for_each_rating():
    assert histogram([0, 0.4, 9.5, 10]) == (2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)


@pytest.mark.parametrize(
    ("pairs", "exact", "kappa"),
    [
        ([], None, None),
        ([(5, 5), (5, 5)], 1, None),
        ([(0, 0), (10, 10)], 1, 1),
        ([(0, 10), (10, 0)], 0, -1),
        ([(0, 0), (0, 10), (10, 0), (10, 10)], 0.5, 0),
    ],
)
def test_agreement_where_it_is_known_or_not_defined(pairs, exact, kappa):
    found = agreement(pairs)

    assert (found.count, found.exact, found.kappa) == (len(pairs), exact, kappa)
