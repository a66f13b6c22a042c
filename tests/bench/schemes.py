"""USE and CoScore; the rules of CoScore beside a straight implementation of the definition."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from schemes.core.coscore.reading import read_rule
from schemes.core.coscore.scorer import Scorer
from schemes.core.use import read_key, read_predictions, score
from tests.bench.timing import Case
from tests.schemes.core.coscore.definition import Definition
from tests.schemes.core.use.exams import as_document, right_answers, variant

ANSWERS = 200
VARIANTS = 30
SIGNS = "我爱祖国人民开始结束红灯停车左转前进等待如果是否若反之科学实验工具的一在不了有和绿"


def cases() -> Iterator[Case]:
    yield coscore("12 answer strings of SM", "SM", ",".join(strings(12, (2, 4))))
    yield coscore("24 answer strings of OP", "OP", "0.5:" + ",".join(strings(24, (8, 16))))
    key, predictions = exam()
    yield Case(
        f"USE: read and score {VARIANTS} variants",
        lambda: score(read_key(key), read_predictions(predictions)),
        lambda: (json.loads(key), json.loads(predictions)),
        "json.loads",
    )


def coscore(name: str, kind: str, desc: str) -> Case:
    rule = {
        "atoms": {"0": {"type": kind, "desc": desc}},
        "combos": {"A": {"combo": "M(0,T(0))", "score": 1, "mode": "value"}},
        "comboMode": "ADD",
    }
    answers = [[answer] for answer in strings(ANSWERS, (10, 40))]
    scorer = scorer_of(rule)
    assert [scorer.score(each).score for each in answers] == straight(rule, answers)
    return Case(
        f"CoScore: {ANSWERS} answers, {name}",
        lambda: [scorer.score(each) for each in answers],
        lambda: straight(rule, answers),
        "the definition",
    )


def straight(rule: dict[str, Any], answers: list[list[str]]) -> list[object]:
    return [Definition(rule, each).score()[0] for each in answers]


def scorer_of(rule: dict[str, Any]) -> Scorer:
    read = read_rule(json.dumps(rule))
    assert read.rule is not None
    return Scorer(read.rule)


def strings(count: int, lengths: tuple[int, int]) -> list[str]:
    """Texts as pupils write them, the same in every run."""
    draw = random.Random(count)
    return ["".join(draw.choices(SIGNS, k=draw.randint(*lengths))) for _each in range(count)]


def exam() -> tuple[str, str]:
    """Whole variants with a right answer to every task but each seventh."""
    records = [record for number in range(VARIANTS) for record in variant(number)]
    answers = right_answers(records)
    for each in answers[::7]:
        each["outputs"] = "1,2"
    return as_document(records), as_document(answers)
