from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.core.sheets import FORMULA, as_csv, guarded


def unguarded(cell):
    """What a reader makes of a guarded cell."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell) else cell


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("@лёд", "'@лёд"),
        ("-лёд", "'-лёд"),
        ("＝1", "'＝1"),
        ("'=1", "''=1"),
        ("-5", "-5"),
        ("+1.5e3", "+1.5e3"),
        ("лёд=вода", "лёд=вода"),
        ("'лёд'", "'лёд'"),
    ],
)
def test_no_spreadsheet_computes_what_a_pupil_wrote(cell, safe):
    assert (guarded(cell), unguarded(safe)) == (safe, cell)


@given(st.text(alphabet="'=+-@1л\t", max_size=6))
def test_the_guard_can_always_be_taken_away_again(cell):
    assert unguarded(guarded(cell)) == cell


def test_a_table_is_read_back_as_it_was_but_for_its_guards():
    table = [["=head", "n"], ['a "b", c', None], ["two\nlines", -0.5], ["-1+1", True]]

    lines = list(as_csv(table))

    assert lines[0] == "'=head,n\r\n"
    assert [*csv.reader(lines)] == [
        ["'=head", "n"],
        ['a "b", c', ""],
        ["two\nlines", "-0.5"],
        ["'-1+1", "True"],
    ]
