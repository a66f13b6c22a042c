"""SpaCE2022, subtask 2: the scheme against the same rule as it is written down."""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from schemes.core.space2022.reading import read_answers, read_predictions
from schemes.core.space2022.scoring import score
from schemes.core.space2022.values import ROLES
from tests.bench.timing import Case
from tests.schemes.core.space2022 import definition
from tests.schemes.core.space2022.questions import as_lines

QUESTIONS = 2000
LENGTH = 80
"""Characters of a context; those of the task's own data have about so many."""

Fields = dict[str, Any]


def cases() -> Iterator[Case]:
    asked, given = files(QUESTIONS)
    answers, predictions = read_answers(asked), read_predictions(given)
    pairs = list(zip(decoded(asked), decoded(given), strict=True))
    yield Case(
        f"score {QUESTIONS} questions of SpaCE2022",
        lambda: score(answers, predictions),
        lambda: by_definition(pairs),
        "the rule as written",
    )
    yield Case(
        f"read and score {QUESTIONS} questions of SpaCE2022",
        lambda: at_rest(lambda: score(read_answers(asked), read_predictions(given))),
        lambda: at_rest(lambda: (decoded(asked), decoded(given))),
        "json.loads alone",
    )


def at_rest(call: Callable[[], object]) -> object:
    """A call with the collector of garbage at rest, as it is in the command."""
    gc.disable()
    try:
        return call()
    finally:
        gc.enable()


def by_definition(pairs: list[tuple[Fields, Fields]]) -> list[object]:
    """All three figures of every question; none of the script's, no checks, no readings."""
    return [
        (
            definition.best(definition.element, one["reasons"], other["reasons"]),
            definition.best(definition.text, one["reasons"], other["reasons"]),
            definition.type_at_text(one["reasons"], other["reasons"]),
        )
        for one, other in pairs
    ]


def files(count: int) -> tuple[bytes, bytes]:
    """Answers with one to four reasons, predictions with one or two; half of them omit a role."""
    rng = random.Random(1)
    asked, given = [], []
    for number in range(count):
        context = "".join(chr(0x4E00 + rng.randrange(3000)) for _ in range(LENGTH))
        types = rng.choice(["A", "AC", "ACC", "B", "ACCC", "BB"])
        reasons = [reason(rng, context, type_) for type_ in types]
        chosen = dict(rng.choice(reasons))
        if rng.random() < 0.5:
            chosen["fragments"] = chosen["fragments"][:-1]
        more = [reason(rng, context, "C")] if rng.random() < 0.5 else []
        asked.append({"qid": str(number), "context": context, "reasons": reasons})
        given.append({"qid": str(number), "reasons": [chosen, *more]})
    return as_lines(*asked), as_lines(*given)


def reason(rng: random.Random, context: str, type_: str) -> Fields:
    """A reason with every role, each of one to six neighbouring characters."""
    fragments = []
    for role in ROLES[type_]:
        start = rng.randrange(len(context) - 6)
        indices = list(range(start, start + rng.randint(1, 6)))
        text = "".join(context[index] for index in indices)
        fragments.append({"role": role, "text": text, "idxes": indices})
    return {"type": type_, "fragments": fragments}


def decoded(data: bytes) -> list[Fields]:
    return [json.loads(line) for line in data.splitlines()]
