"""Every code has its sentence, every sentence is told of something, and its fields are there."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import schemes.core.coscore
from annotator.core import messages as of_json
from schemes.core.coscore import limits
from schemes.core.coscore.answers import read_answers
from schemes.core.coscore.messages import READINGS, SENTENCES, sentence_of
from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.results import score_answers
from tests.schemes.core.coscore.rules import read, rule_as_json, scorer

CORE = Path(schemes.core.coscore.__file__).parent
CODE = re.compile(r"[a-z]+(-[a-z]+)+")
OF_ERRORS = {"rule-refused"}
"""Not told: the problems of the rule are."""
BORROWED = {"number-too-big"}
"""Told with the sentence of the JSON reader."""

EXPRESSIONS = {
    "expression-too-long": "1+" * limits.MAX_EXPRESSION + "1",
    "expression-empty": " ",
    "line-break": "1+\n1",
    "blank-inside": "1 000",
    "unknown-word": "S(0)",
    "not-a-number": "1_000",
    "number-too-long": "1" * (limits.MAX_NUMBER + 1),
    "full-width-sign": "T（0)",
    "unknown-sign": "T[0]",
    "too-deep": "(" * 61 + "1" + ")" * 61,
    "too-many-terms": "1+" * limits.MAX_TERMS + "1",
    "not-an-expression": "1+",
    "construct-not-allowed": "(1,2)",
    "text-in-quotes": "'水'",
    "not-an-operator": "True(1)",
    "operator-alone": "T",
    "argument-count": "U(1)",
    "not-a-blank": "T(L(0))",
    "negative-blank": "T(-1)",
    "not-an-atom": "G(T(0),T(0))",
    "atom-not-defined": "G(9,T(0))",
    "number-too-big": "1e999",
    "always-text": "T(0)",
    "truth-as-number": "Q(0)",
    "never-a-text": "G(0,L(0))",
    "text-in-arithmetic": "T(0)*2",
    "text-against-number": "T(0)>1",
}
ATOMS = {
    "desc-too-long": "SM " + "a" * (limits.MAX_DESC + 1),
    "too-many-strings": "EM " + "a," * limits.MAX_STRINGS,
    "string-too-long": "EM " + "a" * (limits.MAX_STRING + 1),
    "threshold-missing": "OP 水",
    "threshold-outside": "CS 2:水",
    "threshold-zero": "OP 0:水",
    "no-strings": "OP 0.5:",
    "empty-option": "SM 水||冰",
    "entry-never-hits": "SM !水",
    "empty-answer-counts": "EM 水,",
}
PLAIN = {"0": "SM 水"}, {"A": ("G(0,T(0))", 1, "logic")}
FORMS = {
    "rule-too-long": " " * (limits.MAX_RULE + 1),
    "not-an-object": "[]",
    "members-not-an-object": '{"atoms": [], "combos": {}, "comboMode": "ADD"}',
    "key-missing": "{}",
    "key-ignored": '{"slot": 0}',
    "key-twice": '{"comboMode": "ADD", "comboMode": "MAX"}',
    "not-a-string": '{"atoms": {"0": {"type": "EM", "desc": 1}}}',
    "not-a-number-given": '{"combos": {"A": {"combo": "1", "score": "1", "mode": "value"}}}',
    "not-one-of": '{"atoms": {}, "combos": {}, "comboMode": "SUM"}',
}
RULES = {
    "score-not-finite": ({}, {"A": ("1", 1e305, "value")}),
    "bad-id": ({}, {"": "1"}),
    "no-combos": ({}, {}),
    "too-many-atoms": ({str(number): "EM a" for number in range(limits.MAX_ATOMS + 1)}, {"A": "1"}),
    "too-many-combos": ({}, {str(number): "1" for number in range(limits.MAX_COMBOS + 1)}),
    "atom-id-not-a-number": ({"a": "EM 水"}, {"A": 'G("a",T(0))'}),
    "atom-not-used": ({"0": "EM 水"}, {"A": "1"}),
    "expressions-too-long": ({}, {str(number): "1" + " " * 3999 for number in range(3)}),
    "number-as-truth": ({}, {"A": ("1", 1, "logic")}),
}
TABLES = {
    "no-text-column": "txt\n1\n",
    "column-twice": "text,text\n1,2\n",
    "columns-ignored": "text,name\n1,Anna\n",
    "bad-cells": 'text\n"水"冰\n',
    "cell-count": "text\n水,冰\n",
    "quote-not-closed": 'text\n"水\n冰\n',
    "answer-has-nul": "text\n水\0\n",
    "label-not-a-score": "text,score\n1,11\n",
    "line-is-empty": "text\n\n水\n",
    "no-such-blank": "text\n6\n",
    "division-by-zero": "text\n6-0\n",
    "answer-too-long": "text\n" + "1" * (limits.MAX_ANSWER + 1) + "\n",
    "too-many-blanks": "text\n" + "-" * limits.MAX_BLANKS + "\n",
}
ANSWERS = {
    "answer-not-texts": ("1", "水"),
    "text-too-long": ("L(0) if T(0)+T(0)==T(0) else 0", ["1" * limits.MAX_ANSWER]),
    "not-a-text": ("M(0,T(0) if Q(0) else L(0))", ["水"]),
    "too-much-work": ("M(1,T(0))", ["1" * limits.MAX_ANSWER]),
}
DIVISION = {"A": "F(0)/F(1)"}


def found():
    """Every problem of the tables above, with the code it stands for."""
    for code, expression in EXPRESSIONS.items():
        yield code, read({"0": "SM 水"}, {"A": expression}).problems
    for code, atom in ATOMS.items():
        yield code, read({"0": atom}, PLAIN[1]).problems
    for code, text in FORMS.items():
        yield code, read_rule(text).problems
    for code, (atoms, combos) in RULES.items():
        yield code, read(atoms, combos).problems
    for code, table in TABLES.items():
        results = score_answers(scorer({}, DIVISION), read_answers(table))
        of_rows = [problem for row in results.rows for problem in row.own_problems]
        yield code, (*results.problems, *of_rows)
    long = "OP 0.5:" + ",".join(["a" * 3000] * 6)
    for code, (expression, blanks) in ANSWERS.items():
        yield code, scorer({"0": "SM 水", "1": long}, {"A": expression}).score(blanks).errors


FOUND = dict(found())


def literals():
    """Codes as they stand in the package."""
    constants = {
        node.value
        for path in CORE.glob("*.py")
        if path.name != "messages.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {each for each in constants if CODE.fullmatch(each)}


def test_every_code_has_a_sentence_and_every_sentence_is_needed():
    assert literals() - OF_ERRORS == {*SENTENCES, *READINGS, *BORROWED}
    assert set(of_json.SENTENCES) >= BORROWED


def test_every_sentence_is_told_of_something():
    assert set(FOUND) == {*SENTENCES, *BORROWED}


@pytest.mark.parametrize("code", FOUND)
def test_a_problem_is_found_and_has_the_fields_of_its_sentence(code):
    told = [sentence_of(each, str) for each in FOUND[code] if each.code == code]

    assert told
    assert not re.search(r"[{}]", "".join(told)) or code == "not-an-object"


LARGEST = [
    ",".join(["a"] * limits.MAX_STRINGS),
    "a" * limits.MAX_STRING,
    ",".join(["a" * (limits.MAX_DESC // 5 - 1)] * 4 + ["a" * (limits.MAX_DESC // 5)]),
]


@pytest.mark.parametrize("desc", LARGEST, ids=["strings", "string", "desc"])
def test_an_atom_that_is_just_as_large_as_may_be_is_told_of_nothing(desc):
    assert read({"0": f"EM {desc}"}, PLAIN[1]).problems == ()


def test_as_many_combos_as_may_be_are_told_of_nothing():
    combos = {str(number): "1" for number in range(limits.MAX_COMBOS)}

    assert read({}, combos).problems == ()


PLACED = [
    (
        rule_as_json({"0": "SM 水"}, {"A": "G(0,T(0)) + M(7,T(0))"}),
        ["combo A, column 13: Atom 7 is not defined. Define it or use another."],
    ),
    (
        rule_as_json({"0": "OP 2:水"}, {"A": "G(0,T(0))"}),
        [
            "atom 0: The threshold 2 is not between 0 and 1. Write one that is.",
            "combo A: A value combo gives true or false; they count as 1 and 0.",
        ],
    ),
    (
        {"atoms": {"0": {"type": "EM"}}, "combos": {}, "comboMode": "ADD"},
        ["atom 0: The key “desc” is missing. Add it."],
    ),
]


@pytest.mark.parametrize(("rule", "sentences"), PLACED)
def test_a_sentence_stands_after_its_place(rule, sentences):
    found = read_rule(json.dumps(rule, ensure_ascii=False)).problems

    assert [sentence_of(problem, str) for problem in found] == sentences


def test_what_is_no_json_is_told_with_line_and_column():
    (problem,) = read_rule('{\n"atoms": }').problems

    assert sentence_of(problem, str).startswith("line 2, column 10: This is not JSON.")


def test_a_strangers_word_is_told_short_and_without_signs_a_terminal_obeys():
    (long,) = FOUND["string-too-long"]
    (odd,) = read({}, {"A": "1", "\x1b[2J": "1"}).problems

    assert f"“{'a' * 39}…”" in sentence_of(long, str)
    assert "“�[2J”" in sentence_of(odd, str)


def test_an_id_that_breaks_lines_is_told_on_one_line():
    (problem,) = read_rule('{"atoms": {"a\\nb": 1}, "combos": {}, "comboMode": "ADD"}').problems

    assert sentence_of(problem, str).startswith("atom a�b: A JSON object is expected here")
