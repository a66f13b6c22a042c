"""Small inputs of every scheme, and runs made of them as a person makes them."""

from __future__ import annotations

import json
from typing import Any, Final

from accounts.models import User
from jobs.models import Job
from schemes import tasks
from schemes.adapters import SCHEMES
from schemes.models import SchemeRun, StoredKey
from schemes.services.keys import keep_key
from schemes.services.runs import Asked, NamedInput, order_run
from tests.schemes.core.space2022 import questions
from tests.schemes.core.use.exams import answer, as_document, right_answers, variant

SECRET: Final = "тайнопись"
"""A key's answer nobody else may read."""

RULE: Final = {
    "atoms": {
        "0": {"type": "SM", "desc": f"{SECRET},苹果|梨"},
        "1": {"type": "OP", "desc": "0.5:爱祖国"},
    },
    "combos": {
        "A": {"combo": "M(0,T(0))", "score": 2, "mode": "value"},
        "B": {"combo": "G(1,T(*))", "score": 3, "mode": "logic"},
    },
    "comboMode": "ADD",
}
QAC_KEY: Final = f'''QAC1-1-01: "{SECRET}は？"
QAC1-1-01: "津", 1, "{SECRET}", 2
QAC1-2-01: "東京", 3
QAC1-3-01:
QAC1-4-01: "{SECRET}2", 4
QAC1-5-01: "京都", 5
'''
QAC_RESPONSES: Final = """QAC1-1-01: "津市", 1, "津", 1
QAC1-2-01: "東京", 4
QAC1-3-01:
QAC1-4-01:
QAC1-5-01: "京都", 5
QAC1-6-01: "大阪", 6
"""
"""Half right, another article, rightly nothing, nothing, right, an unknown question."""
ANSWERS: Final = "text,score\r\n我爱祖国,3\r\n苹果,0\r\n"


def use_key() -> str:
    """One whole variant; the word of task 2 is the secret."""
    records = variant()
    records[1]["outputs"] = SECRET
    return as_document(records)


def use_predictions() -> str:
    """All right but tasks 1, 2, 3 (no answer), 16 (half) and 26 (two of four)."""
    records = variant()
    answers = {each["meta"]["id"]: each for each in right_answers(records)}
    names = {each["meta"]["id_task"]: each["meta"]["id"] for each in records}
    answers[names["1"]] = answer(names["1"], "2,4")
    answers[names["2"]] = answer(names["2"], "=сова")
    answers[names["3"]] = answer(names["3"], "")
    answers[names["16"]] = answer(names["16"], "2")
    answers[names["26"]] = answer(names["26"], "4,1,2,3")
    return as_document(list(answers.values()))


def space2022_answers() -> str:
    """Four questions; the secret stands in the context of the first one and in its reason."""
    context = f"小明把{SECRET}放进了桌子旁。"
    secret = questions.fragment("S", *range(3, 3 + len(SECRET)), context=context)
    first = questions.question(questions.reason("C", secret), qid="1", context=context)
    return questions.as_lines(first, *(questions.question(qid=name) for name in "234")).decode()


def space2022_predictions() -> str:
    """Half of the secret, all right, nothing of the third question, nothing for the fourth."""
    half = questions.reason("C", questions.fragment("S", 3, 4, 5))
    del half["fragments"][0]["text"]
    wrong = questions.reason("B", questions.fragment("S1", 0))
    records = (
        questions.record(half, qid="1"),
        questions.record(questions.UNLIKELY, qid="2"),
        questions.record(wrong, qid="3"),
    )
    return questions.as_lines(*records).decode()


INPUTS: Final = {
    "use": lambda: {"key": use_key(), "predictions": use_predictions()},
    "coscore": lambda: {"rule": json.dumps(RULE, ensure_ascii=False), "answers": ANSWERS},
    "qac": lambda: {"key": QAC_KEY, "responses": QAC_RESPONSES},
    "space2022": lambda: {
        "answers": space2022_answers(),
        "predictions": space2022_predictions(),
    },
}
"""Scheme -> the texts of its sources. A further scheme needs a line here."""


def form_of(slug: str, **more: Any) -> dict[str, Any]:
    """What the page of a scheme posts."""
    initial = {name: make().initial for name, make in SCHEMES[slug].options.items()}
    plain = {name: value for name, value in initial.items() if value is not None}
    return {**plain, **INPUTS[slug](), **more}


def asked_of(slug: str, key: StoredKey | None = None, **options: Any) -> Asked:
    scheme = SCHEMES[slug]
    inputs = {name: NamedInput(text.encode()) for name, text in INPUTS[slug]().items()}
    if key is not None and scheme.key is not None:
        del inputs[scheme.key.name]
    return Asked(scheme, inputs, options, key)


def ordered(owner: User, slug: str, key: StoredKey | None = None, **options: Any) -> SchemeRun:
    return order_run(owner=owner, asked=asked_of(slug, key, **options))


def scored(owner: User, slug: str, key: StoredKey | None = None, **options: Any) -> SchemeRun:
    """A run whose job was done by the real task."""
    run = ordered(owner, slug, key, **options)
    do_all()
    return SchemeRun.objects.get(pk=run.pk)


def do_all() -> None:
    """Do every scheme's job that waits."""
    for job in Job.objects.filter(state=Job.State.QUEUED, kind="schemes.score_run"):
        tasks.score_run(job.pk)


def stored(owner: User, slug: str, **more: Any) -> StoredKey:
    scheme = SCHEMES[slug]
    assert scheme.key is not None
    data = INPUTS[slug]()[scheme.key.name].encode()
    return keep_key(
        owner=owner, scheme=scheme, **{"name": "key", "data": data, "offered": False, **more}
    )
