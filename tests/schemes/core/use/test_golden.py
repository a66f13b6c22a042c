"""tests/golden/use: whole files with the points of every task, and tasks one by one."""

import json
from pathlib import Path

import pytest

from schemes.core.use.reading import read_key, read_predictions
from schemes.core.use.rules import score_answer
from schemes.core.use.scoring import score
from schemes.core.use.values import Options, Task

FOLDER = Path(__file__).parents[3] / "golden" / "use"
EXPECTED = json.loads((FOLDER / "expected.json").read_text("utf-8"))
SINGLE = json.loads((FOLDER / "single_tasks.json").read_text("utf-8"))
NAMES = [case["name"] for case in EXPECTED]
EXCEEDS = {"16_key135_ans_13", "16_key135_ans_1"}
"""Where MERA gives more than the rule, since its formula fits keys of two numbers only."""
ALSO_LITERAL = {"26_five"}
"""The case names no other reading, but the literal one is one, as it is for three numbers."""


def scored(name):
    files = [(FOLDER / f"{name}.{part}.json").read_bytes() for part in ("gold", "pred")]
    return score(read_key(files[0]), read_predictions(files[1]))


def single(case, **options):
    task = Task(case["id"], case["id_task"], "0", case["type"], case["gold"])
    return score_answer(task, case["pred"], Options(**options))


@pytest.mark.parametrize("case", EXPECTED, ids=NAMES)
def test_the_figures_of_a_worked_file(case):
    found = scored(case["name"])

    assert found.grade_norm == pytest.approx(case["grade_norm"], abs=1e-12)
    assert {each.name: each.points for each in found.variants} == case["variants"]
    assert {each.name: each.missing for each in found.variants if each.missing} == case[
        "missing_tasks"
    ]
    assert [each.task.id for each in found.outcomes if not each.answered] == case["unanswered"]
    assert [each.place.id for each in found.warnings if each.code == "unknown-id"] == case[
        "unknown_ids"
    ]
    assert list(found.warnings) == case["errors"]


@pytest.mark.parametrize("name", NAMES)
def test_the_points_of_every_task_of_a_worked_file(name):
    expected = json.loads((FOLDER / f"{name}.per_task.json").read_text("utf-8"))

    assert [
        {
            "id": int(each.task.id),
            "variant": int(each.task.variant),
            "id_task": each.task.id_task,
            "points": each.points,
            "max": each.task.maximum,
            "answered": each.answered,
        }
        for each in scored(name).outcomes
    ] == expected


@pytest.mark.parametrize("case", SINGLE, ids=[case["id"] for case in SINGLE])
def test_the_points_of_a_worked_task(case):
    assert single(case).points == case["points"]


@pytest.mark.parametrize("case", SINGLE, ids=[case["id"] for case in SINGLE])
def test_a_worked_task_whose_points_depend_on_a_reading_says_which(case):
    depends = case["other_reading"] is not None or case["id"] in ALSO_LITERAL

    assert bool(single(case).readings) == depends


@pytest.mark.parametrize("name", ["mc_trailing_comma", "mc_dot"])
def test_lenient_separators_give_the_other_reading(name):
    (case,) = [each for each in SINGLE if each["id"] == name]

    assert single(case, lenient=True).points == 1


def test_where_no_reading_is_in_question_mera_deviates_only_at_task_16_with_three_numbers():
    deviating = {
        case["id"]
        for case in SINGLE
        if case["mera_scoring"] != case["points"] and case["other_reading"] is None
    }

    assert deviating == EXCEEDS


def test_perfect_answers_to_task_16_do_not_exceed_the_variant():
    found = scored("key16_three_numbers")

    assert (found.grade_norm, EXPECTED[2]["mera_grade_norm"]) == (1.0, 35 / 34)
