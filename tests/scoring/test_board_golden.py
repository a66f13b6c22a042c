"""Boards come out as the worked cases say (standings.md); chance within what they allow."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.core.board import board
from scoring.core.board_json import board_case_from_json, board_to_json
from scoring.core.bootstrap import Bootstrap

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "golden/standings.jsonl").read_text().splitlines()
]
FIRM = ("rank", "name", "STAR", "OTAR", "counted")


def close(value):
    return value if value is None or isinstance(value, str) else pytest.approx(value, abs=1e-9)


def made(case, seed=0):
    read = board_case_from_json(case)
    return board_to_json(board(read.essays, read.participants, read.hardness, Bootstrap(seed)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_worked_board_has_the_figures_that_are_firm(case):
    found, expect = made(case), case["expect"]

    assert (found["STER"], found["essays"]) == (close(expect["STER"]), expect["essays"])
    assert [{name: row[name] for name in FIRM} for row in found["rows"]] == [
        {name: close(row[name]) for name in FIRM} for row in expect["rows"]
    ]
    assert found["apart"] == [
        {name: close(value) for name, value in each.items()} for each in expect["apart"]
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_worked_board_is_as_sure_as_it_may_be(case):
    for row, expect in zip(made(case)["rows"], case["expect"]["rows"], strict=True):
        if expect["interval"] is None:
            assert (row["interval"], row["rank_interval"], row["like"]) == (None, None, None)
            continue
        for value, sure, tolerance in zip(
            row["interval"], expect["interval"], _two(expect["tolerance"]), strict=True
        ):
            assert abs(value - sure) <= tolerance
        between = expect["rank_between"] or [None, None]
        for end, sure, either in zip(
            row["rank_interval"], expect["rank_interval"], between, strict=True
        ):
            assert end == sure if sure is not None else either[0] <= end <= either[1]
        order = [each["name"] for each in case["expect"]["rows"]]
        assert {*expect["like"]} <= {*row["like"]} <= {*expect["like"], *expect["unclear"]}
        assert row["like"] == sorted(row["like"], key=order.index)


def _two(tolerance):
    return tolerance if isinstance(tolerance, list) else [tolerance, tolerance]
