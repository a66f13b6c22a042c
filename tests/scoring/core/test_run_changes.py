from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.core.entries import EntryState
from scoring.core.run_changes import Stood, moves

WAS = Stood("Lynx", "session-1", EntryState.RANKED, 2, 70.0, "markups", "counts")
FEW = {"state": EntryState.FEW, "rank": None}


def why(same_parameters=True, **changed):
    (moved,) = moves({1: WAS}, {1: replace(WAS, **changed)}, same_parameters=same_parameters)
    return [each.value for each in moved.why]


@pytest.mark.parametrize(
    ("changed", "same", "reasons"),
    [
        ({"star": 71.0, "markups": "other", "counts": "other"}, True, ["markup"]),
        ({"star": 71.0, "counts": "other"}, True, ["rule"]),
        ({"star": 71.0}, True, ["rule"]),
        ({"star": 71.0}, False, ["parameter"]),
        ({"star": 71.0, "counts": "other"}, False, ["rule", "parameter"]),
        ({"star": 71.0, "markups": "other"}, False, ["markup", "parameter"]),
        ({"star": 71.0, "origin": "session-2", "markups": "other"}, True, ["solution"]),
        ({"rank": 1}, True, ["others"]),
        ({"rank": 1}, False, ["others"]),
        (FEW, True, ["state"]),
        ({**FEW, "star": 60.0, "markups": "other"}, True, ["state", "markup"]),
    ],
)
def test_every_difference_says_where_it_comes_from(changed, same, reasons):
    assert why(same, **changed) == reasons


def test_who_stands_as_before_is_not_listed():
    assert list(moves({1: WAS}, {1: replace(WAS, name="Bobcat")}, same_parameters=False)) == []


def test_who_came_stands_before_who_left():
    hare = replace(WAS, name="Hare")

    found = list(moves({1: WAS}, {2: hare}, same_parameters=True))

    assert [(each.name, each.before, each.after) for each in found] == [
        ("Hare", None, hare),
        ("Lynx", WAS, None),
    ]
    assert [each.why[0].value for each in found] == ["entry", "entry"]
    assert [(each.climbed, each.gained) for each in found] == [(None, None)] * 2


def test_it_says_by_how_much():
    (moved,) = moves({1: WAS}, {1: replace(WAS, rank=1, star=72.5)}, same_parameters=True)

    assert (moved.climbed, moved.gained) == (1, 2.5)
