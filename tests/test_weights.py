from __future__ import annotations

import ast
from pathlib import Path

from tests.weights import HEAVY, function_of, heaviest, leaves_out, listed

ROOT = Path(__file__).resolve().parent.parent


def test_the_fewest_tests_that_take_the_share_are_heavy():
    costs = {"walk": [1, 1, 1, 1], "crowd": [5], "corner": [0.5], "tables": [2, 1]}

    assert {share: heaviest(costs, share) for share in (0, 0.4, 0.5, 0.9)} == {
        0: [],
        0.4: ["crowd"],
        0.5: ["crowd", "tables"],
        0.9: ["crowd", "tables", "walk"],
    }


def test_every_heavy_test_is_there_and_none_is_listed_twice():
    known = {file: functions(file) for file in {each.partition("::")[0] for each in listed()}}

    assert sorted(f"{file}::{name}" for file in known for name in known[file] & named_in(file)) == (
        HEAVY.read_text("utf-8").split()
    )


def named_in(file):
    return {each.partition("::")[2] for each in listed() if each.startswith(f"{file}::")}


def functions(file):
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


def test_the_fast_tier_leaves_the_heavy_ones_to_the_full_and_the_full_runs_them(request):
    walked = {function_of(item.nodeid) for item in request.session.items}
    named = request.config.option.file_or_dir

    expected = walked & listed() if named else listed()
    assert walked & listed() == (frozenset() if leaves_out(request.config) else expected)
