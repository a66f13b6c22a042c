"""tests/golden/space2022: predictions of one question each, with the figures as fractions."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from schemes.core.space2022.reading import read_answers, read_predictions
from schemes.core.space2022.scoring import score
from schemes.core.space2022.values import Answers
from tests.schemes.core.space2022 import definition
from tests.schemes.core.space2022.questions import as_lines

FOLDER = Path(__file__).parents[3] / "golden" / "space2022"
ANSWERS = read_answers((FOLDER / "answer.jsonl").read_bytes())
WRITTEN = [json.loads(line) for line in (FOLDER / "answer.jsonl").read_text("utf-8").splitlines()]
CASES = json.loads((FOLDER / "cases.json").read_text("utf-8"))["cases"]
NAMES = [case["id"] for case in CASES]


def scored(case):
    """The score of the case's question alone."""
    asked = tuple(each for each in ANSWERS.questions if each.qid == case["qid"])
    return score(Answers(asked), read_predictions(as_lines(case)))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_figures_of_a_worked_case(case):
    found = scored(case)
    (outcome,) = found.outcomes

    assert definition.f1(*outcome.element.tally) == Fraction(case["element_full"])
    assert definition.f1(*outcome.text.tally) == Fraction(case["text"])
    assert outcome.type_is_right == bool(int(case["type_at_text"]))
    assert found.element_f1 == pytest.approx(case["element_full_float"], abs=1e-12)
    assert found.text_f1 == pytest.approx(case["text_float"], abs=1e-12)
    assert found.type_accuracy == case["type_at_text_float"]


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_script_s_element_figure_of_a_worked_case(case):
    script = scored(case).script["strict"]

    assert script.macro_f1 == pytest.approx(case["element_script_float"], abs=1e-12)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_other_readings_of_a_worked_case_as_the_definition_has_them(case):
    (reference,) = [each["reasons"] for each in WRITTEN if each["qid"] == case["qid"]]
    mean = definition.best(definition.element_mean, reference, case["reasons"])

    assert mean == Fraction(case["element_mean"])
    assert definition.type_any(reference, case["reasons"]) == bool(int(case["type_any"]))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_worked_case_in_which_the_script_differs_says_so(case):
    codes = [code.value for code in scored(case).outcomes[0].readings]

    assert ("omitted-roles-cost-recall" in codes) == (
        case["element_script"] != case["element_full"]
    )


def test_the_worked_answer_file_has_no_problem():
    assert (len(ANSWERS.questions), ANSWERS.problems) == (4, ())
