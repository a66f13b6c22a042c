"""Every example of seed 004, and where the seed contradicts itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemes.core.qac.extractions import extract
from schemes.core.qac.tables import RULE, res_lines, score_lines
from schemes.core.qac.values import Figures
from tests.schemes.core.qac.questions import scored, written

ANSWERS = '"3500 三重大学", 991208045, "3500 三重大学", 980717035, "1200 三重大", 990904183'
RESPONSES = (
    '"三重大学", 990807065, "立命館大学", 990807065, "東京大学", 990807065, '
    '"沖電気", 980219267, "NTT", 990807065'
)
FOLDER = Path(__file__).parents[3] / "golden" / "qac" / "table_1_of_the_seed"
TABLE = (FOLDER / "answer.txt", FOLDER / "system.txt")
PLACES = "三重県 三重県津市 三重県津市上浜町 三重県津市上浜町1515 津市 江戸橋"


def test_extraction_1():
    found = scored(f"QAC1-1034-01: {ANSWERS}", "")

    assert list(extract(found, 1)) == [
        "QAC1-1034-01 3 2",
        "1 3500 三重大学 991208045",
        "1 3500 三重大学 980717035",
        "2 1200 三重大 990904183",
    ]


def test_extraction_2():
    found = scored("QAC1-1019-01:", f"QAC1-1019-01: {RESPONSES}")

    assert list(extract(found, 2)) == [
        "QAC1-1019-01 5",
        "0 三重大学 990807065",
        "1 立命館大学 990807065",
        "2 東京大学 990807065",
        "3 沖電気 980219267",
        "4 NTT 990807065",
    ]


@pytest.mark.parametrize("match", ["article", "string"])
def test_extraction_3(match):
    key = {"QAC1-1019-01": [("三重大学", "980101001"), ("立命館大学", "990807065")]}
    said = [("三重大学", "990807065"), ("三重大学", "990807066"), ("立命館大学", "990807065")]
    found = scored(key, {"QAC1-1019-01": said}, match=match)

    assert list(extract(found, 3)) == ["三重大学 | -1", "三重大学 | -1", "立命館大学 | 2"]


def test_extraction_4():
    said = [(string, "990807065") for string in ("a", "b", "津", "c", "d")]
    found = scored({"QAC1-2146-01": [("津", "990807065")]}, {"QAC1-2146-01": said}, task=2)

    assert list(extract(found, 4)) == ["QAC1-2146-01: 1 5 1 0.333333"]


def test_extraction_5():
    key = {"QAC1-1100-01": [(place, "990201001") for place in PLACES.split()]}
    said = ["三重県", "伊勢志摩", "津駅", "情報工学科", "津市"]
    found = scored(
        'QAC1-1100-01: "三重大学はどこにありますか。"\n' + written(key),
        {"QAC1-1100-01": [(string, "990201001") for string in said]},
    )

    assert list(extract(found, 5)) == [
        'QAC1-1100-01 "三重大学はどこにありますか。"',
        f"CORRECT ANSWER: {PLACES}",
        "三重県 *",
        "伊勢志摩",
        "津駅",
        "情報工学科",
        "津市 *",
    ]


def test_res_dat():
    right = ["津新町", "江戸橋", "駒場東大前"]
    said = ["津新町", "江戸橋", "大阪城北詰", "南森町", "駒場東大前"]
    found = scored(
        {"QAC1-1020-01": [(string, "1") for string in right]},
        {"QAC1-1020-01": [(string, "1") for string in said]},
    )

    assert list(res_lines(found)) == [
        "QAC1-1020-01: 津新町 ○, 江戸橋 ○, 大阪城北詰 ×, 南森町 ×, 駒場東大前 ○"
    ]


def test_the_circle_at_phi_is_only_for_questions_without_an_answer():
    found = scored({"QAC1-1-01": [], "QAC1-2-01": [("津", "1")]}, "QAC1-1-01:\nQAC1-2-01:\n")

    assert list(res_lines(found)) == ["QAC1-1-01: φ ○", "QAC1-2-01: φ ×"]


def test_lines_that_begin_with_a_number_sign_are_comments():
    key = '#QAC1-1-01: "誤", 1\nQAC1-1-01: "津", 1\n# 注釈\n'

    assert list(extract(scored(key, key), 1)) == ["QAC1-1-01 1 1", "1 津 1"]


def test_the_score_and_the_first_table_fit_each_other_and_the_second_table_does_not():
    """64 / 272 is 0.235 and 64 / 694 is 0.092; the seed prints 0.211, 0.078 and 0.114."""
    lines = list(score_lines(scored(*(file.read_bytes() for file in TABLE))))

    assert lines == [
        "Task1 Results:",
        "35.0 marks out of 200.0 in TASK1",
        "Average score: 0.175",
        "",
        RULE,
        "    Question      Answer      Output     Correct",
        RULE,
        "         200         272         694          64",
        RULE,
        "",
        RULE,
        "      Recall   Precision   F-measure     MRR/AFM",
        RULE,
        "       0.235       0.092       0.133       0.175",
        RULE,
    ]


def test_the_second_table_of_the_seed_is_that_of_54_right_answers_of_256():
    assert Figures(35.0, 200, 256, 694, 54).recall == pytest.approx(0.211, abs=0.0005)
    assert Figures(35.0, 200, 256, 694, 54).precision == pytest.approx(0.078, abs=0.0005)
    assert Figures(35.0, 200, 256, 694, 54).f_measure == pytest.approx(0.114, abs=0.0005)
