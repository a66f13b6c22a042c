"""What the name of a file says of its essay, its author, and of what it is a copy."""

from __future__ import annotations

import pytest

from annotator.core.names import copied_from


@pytest.mark.parametrize(
    "name",
    [
        "0050000 (1)",
        "0050000(2)",
        "0050000 (1) (1)",
        "0050000 - Copy",
        "0050000 - Copy (2)",
        "0050000 — копия (3)",
        "0050000 - копия - копия",
        "0050000 copy 2",
        "0050000 копия",
        "Копия 0050000",
        "Copy of 0050000",
    ],
)
def test_a_copys_name_says_what_it_is_a_copy_of(name):
    assert copied_from(name) == "0050000"


@pytest.mark.parametrize(
    "name", ["", "0050000", "(1)", "copy", "0050000-copy", "photocopy 2", "1861 (1921)", "5 (в)"]
)
def test_other_names_are_nobodys_copies(name):
    assert copied_from(name) == ""


def test_a_copy_of_an_experts_file_keeps_the_expert():
    assert copied_from("0050000_exp13 (1)") == "0050000_exp13"
