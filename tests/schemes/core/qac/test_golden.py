"""tests/golden/qac: what the description of scoring.pl makes of whole files."""

import json
from pathlib import Path

import pytest

from schemes.core.qac.errors import ExtractionError
from schemes.core.qac.extractions import EXTRACTIONS, extract
from schemes.core.qac.messages import describe_error
from schemes.core.qac.reading import read_key, read_responses
from schemes.core.qac.scoring import score
from schemes.core.qac.tables import res_lines, score_lines
from schemes.core.qac.values import Match, Options, Task

FOLDER = Path(__file__).parents[3] / "golden" / "qac"
NAMES = sorted(path.name for path in FOLDER.iterdir())


def case_of(name):
    return json.loads((FOLDER / name / "case.json").read_text("utf-8"))


def scored(name, match=Match.ARTICLE):
    files = [(FOLDER / name / f"{part}.txt").read_bytes() for part in ("answer", "system")]
    options = Options(Task(case_of(name)["task"]), match)
    return score(read_key(files[0]), read_responses(files[1]), options)


def tokens(lines):
    return " ".join(lines).split()


def expected(name, part):
    return (FOLDER / name / f"expected_{part}").read_text("utf-8").split()


def totals(figures):
    return {
        "marks": figures.marks,
        "questions": figures.questions,
        "average": figures.average,
        "answer": figures.answers,
        "output": figures.responses,
        "correct": figures.correct,
        "recall": figures.recall,
        "precision": figures.precision,
        "f": figures.f_measure,
    }


def test_all_cases_are_here():
    assert len(NAMES) == 7


@pytest.mark.parametrize("name", NAMES)
def test_the_tables_of_a_case(name):
    assert tokens(score_lines(scored(name))) == expected(name, "stdout.txt")


@pytest.mark.parametrize("name", NAMES)
def test_res_dat_of_a_case(name):
    assert tokens(res_lines(scored(name))) == expected(name, "res.dat")


@pytest.mark.parametrize("number", EXTRACTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_the_extractions_of_a_case(name, number):
    if (FOLDER / name / f"expected_extract{number}.txt").exists():
        assert tokens(extract(scored(name), number)) == expected(name, f"extract{number}.txt")
        return
    with pytest.raises(ExtractionError) as caught:
        extract(scored(name), number)
    refusal = (FOLDER / name / f"expected_extract{number}.error").read_text("utf-8").strip()
    assert describe_error(caught.value, str).startswith(f"{refusal}. ")


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_of_a_case_under_both_readings(name):
    case = case_of(name)
    by_match = scored(name).by_match

    assert totals(by_match[Match.ARTICLE]) == pytest.approx(case["totals"])
    assert totals(by_match[Match.STRING]) == pytest.approx(case["totals_if_string_match_suffices"])


@pytest.mark.parametrize("name", NAMES)
def test_the_mark_of_every_question_of_a_case(name):
    found = scored(name)
    marks = {
        each.question.id: each.mark(found.options.task, Match.ARTICLE) for each in found.outcomes
    }

    assert marks == pytest.approx(case_of(name)["per_question"])


@pytest.mark.parametrize("name", NAMES)
def test_the_answers_and_responses_of_a_case_are_read_as_they_are(name):
    case = case_of(name)
    found = scored(name)
    answers = {
        each.question.id: [[one.string, one.article] for one in each.question.answers]
        for each in found.outcomes
    }
    said = {
        each.question.id: [[one.response.string, one.response.article] for one in each.responses]
        for each in found.outcomes
        if each.is_given
    }
    trimmed = {
        name: [[string.strip(), article] for string, article in given]
        for name, given in case["system"].items()
        if name in case["key"]
    }

    assert (answers, said) == (case["key"], trimmed)
    assert {each.question.id: each.question.text for each in found.outcomes} == {
        name: case["questions"].get(name, "") for name in case["key"]
    }


@pytest.mark.parametrize("name", NAMES)
def test_each_warning_of_a_case_is_about_its_question(name):
    codes = {"not in the answer set": "unknown-question", "has no line": "no-responses"}
    named = [
        (warning.split()[0], code)
        for warning in case_of(name)["warnings"]
        for words, code in codes.items()
        if words in warning
    ]

    assert [(each.place.id, each.code) for each in scored(name).warnings] == named
