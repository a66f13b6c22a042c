from __future__ import annotations

from razbor.tables import table


def test_columns_of_numbers_stand_to_the_right_with_their_head_others_to_the_left():
    rows = [("А.лекс", 1, 70.625, None), ("К", 12, None, "a\nb")]

    assert table(["code", "n", "M", "words"], rows).splitlines() == [
        "code     n      M  words",
        "А.лекс   1  70.62  –",
        "К       12      –  a b",
    ]


def test_a_column_of_numbers_and_words_is_one_of_words():
    assert table(["task", "points"], [("18", -1), ("8_1", 0)]).splitlines() == [
        "task  points",
        "18        -1",
        "8_1        0",
    ]


def test_a_table_without_rows_is_its_head():
    assert table(["X", "Y"], []) == "X  Y"


def test_a_cell_is_one_line_without_signs_a_terminal_would_obey():
    assert table(["code"], [("А.\x1b[2Jлекс\n",)]).splitlines() == ["code", "А.\\x1b[2Jлекс"]
