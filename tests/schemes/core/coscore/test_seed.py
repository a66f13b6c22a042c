"""The examples of the rule manual (seed 002), and where what is printed contradicts itself."""

from __future__ import annotations

import pytest

from schemes.core.coscore.reading import read_rule, rule_from_json
from tests.schemes.core.coscore.rules import ask, rule_as_json, scorer, value

AS_MEANT, AS_PRINTED = "SM 爱,祖国|国家", "SM 爱,祖国 国家"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("大于", (True, 1)), (">", (True, 1)), ("大于等于", (False, 0)), ("不大于", (False, 0))],
)
def test_example_3(text, verdict):
    assert ask("EM 大于,>", text) == verdict


@pytest.mark.parametrize(
    ("text", "meant", "printed"),
    [
        ("我爱国,我爱祖国母亲", (True, 2), (True, 1)),
        ("我国", (False, 0), (False, 0)),
        ("我家", (False, 0), (False, 0)),
        ("祖国祖国国家国家", (True, 1), (False, 0)),
    ],
)
def test_example_4_as_it_is_meant_and_as_it_is_printed(text, meant, printed):
    """Between 祖国 and 国家 a "|" was lost; the manual's own edition has it."""
    assert (ask(AS_MEANT, text), ask(AS_PRINTED, text)) == (meant, printed)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("一二绕三四落五回", (True, 0.6)),
        ("一号二号绕三号四号落", (True, 0.4)),
        ("先回再落", (False, 0)),
        ("顺序是：绕绕落落回", (True, 1)),
    ],
)
def test_example_5(text, verdict):
    assert ask("OP 0.4:绕绕落落回", text) == verdict


def test_example_1_shows_the_form_and_is_no_rule():
    """The dots stand for what is left out."""
    printed = '{"atoms": {...}, "combos": {...}, "comboMode": "ADD"}'

    (problem,) = read_rule(printed).problems
    assert (problem.code, problem.line, problem.column) == ("not-json", 1, 12)


def test_example_2_is_no_json_as_it_is_printed():
    """One brace closes too early: "1" stands beside "atoms" and "combos" outside of everything."""
    printed = '{"atoms":{"0":{"type":"EM","desc":"你好"}},"1":{}},"combos":{}}'

    assert [problem.code for problem in read_rule(printed).problems] == ["not-json"]


def test_example_6():
    rule = scorer(
        {"0": "SM 苹果", "1": "SM 梨"}, {"A": ("G(0,T(0)) and G(1,T(0))", 5, "logic"), "B": "L(0)"}
    )

    outcome = rule.score(["苹果和梨"])

    assert (outcome.points, outcome.score) == ({"A": 5, "B": 4}, 9)


def test_example_6_as_it_is_printed_has_rules_in_place_of_atoms():
    printed = rule_as_json({"0": "SM 苹果"}, {"A": ("G(0,T(0))", 5, "logic")})
    printed["rules"] = printed.pop("atoms")

    problems = {problem.code: problem.fields for problem in rule_from_json(printed).problems}
    assert problems["key-missing"] == {"name": "atoms"}
    assert problems["key-ignored"] == {"name": "rules"}


def test_the_key_slot_of_examples_4_and_5_is_ignored_with_a_warning():
    rule = rule_as_json({"0": "SM 爱"}, {"A": ("G(0,T(0))", 1, "logic")})
    rule["atoms"]["0"]["slot"] = 0

    assert [problem.code for problem in rule_from_json(rule).problems] == ["key-ignored"]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("M(0,T(*))", 2),
        ("L(*)", 6),
        ("Q(*)", 2),
        ("F(*)", 0),
        ("U(L(0),2)", 2),
        ("A(G(0,T(0)),G(0,T(1)),Q(1),True)", 2),
        ("X(L(0),L(1),1)", 4),
        ("1 if Q(2) else 2", 1),
    ],
)
def test_the_operators_of_2_2_1(expression, found):
    assert value(expression, "我爱祖国", "你好", "", atoms={"0": AS_MEANT}) == found


@pytest.mark.parametrize(
    ("mode", "scores", "total"),
    [("ADD", (2, 3), 5), ("MAX", (2, 3), 3), ("ADD", (8, 7), 10), ("ADD", (-2, 1), 0)],
)
def test_the_modes_and_the_bounds_of_2_3(mode, scores, total):
    combos = {name: ("True", score, "logic") for name, score in zip("AB", scores, strict=True)}

    assert scorer({}, combos, mode).score([]).score == total
