"""Rules for the tests, in as few words as possible; the examples are our own."""

from __future__ import annotations

import json

from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.scorer import Scorer


def rule_as_json(atoms, combos, mode="ADD"):
    """``atoms``: "TYPE desc" by id. ``combos``: expression, or (expression, score, mode), by id."""
    written = {}
    for key, combo in combos.items():
        expression, score, kind = (combo, 1, "value") if isinstance(combo, str) else combo
        written[key] = {"combo": expression, "score": score, "mode": kind}
    kinds = {key: atom.partition(" ") for key, atom in atoms.items()}
    return {
        "atoms": {key: {"type": kind, "desc": desc} for key, (kind, _, desc) in kinds.items()},
        "combos": written,
        "comboMode": mode,
    }


def read(atoms, combos, mode="ADD"):
    return read_rule(json.dumps(rule_as_json(atoms, combos, mode), ensure_ascii=False))


def scorer(atoms, combos, mode="ADD"):
    reading = read(atoms, combos, mode)
    assert reading.rule, reading.problems
    return Scorer(reading.rule)


def value(expression, *blanks, atoms=None):
    """What a lone value combo of score 1 gives."""
    outcome = scorer(atoms or {}, {"A": expression}).score(list(blanks))
    assert outcome.errors == (), outcome.errors
    return outcome.points["A"]


def ask(atom, text):
    """Logic and value of an atom for a text."""
    combos = {"G": ("G(0,T(0))", 1, "logic"), "M": "M(0,T(0))"}
    points = scorer({"0": atom}, combos).score([text]).points
    return bool(points["G"]), points["M"]


def fault(expression, *blanks, atoms=None):
    """Code and column of the only error of a row."""
    outcome = scorer(atoms or {}, {"A": expression}).score(list(blanks))
    (error,) = outcome.errors
    assert (outcome.score, outcome.points, error.combo) == (None, {"A": None}, "A")
    return error.code, error.column


def refusal(expression, **atoms):
    """Code and column of the only reason to refuse an expression."""
    reading = read({"0": "SM 水", **atoms}, {"A": expression})
    assert reading.rule is None
    (problem,) = [problem for problem in reading.problems if problem.blocks]
    assert problem.combo == "A"
    return problem.code, problem.column


def warnings(atoms, combos, mode="ADD"):
    """Codes of the warnings of a rule that is accepted."""
    reading = read(atoms, combos, mode)
    assert reading.rule, reading.problems
    return [problem.code for problem in reading.problems]
