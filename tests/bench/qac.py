"""QAC beside the shortest script that gives the same score from sound files."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from schemes.core.qac import (
    Options,
    Task,
    read_key,
    read_responses,
    res_lines,
    score,
    score_lines,
)
from tests.bench.timing import Case

QUESTIONS = 2000
FIELD = re.compile(r'"((?:[^"]|"")*)"\s*,\s*([^,\s]+)')


def cases() -> Iterator[Case]:
    key, responses = questions(QUESTIONS)
    assert straight(key, responses) == ours(key, responses)
    yield Case(
        f"QAC: score {QUESTIONS} questions, 5 responses each",
        lambda: ours(key, responses),
        lambda: straight(key, responses),
        "a straight script",
    )


def questions(count: int) -> tuple[bytes, bytes]:
    """A key of two answers a question and five responses to each, every third with a right one."""
    draw = random.Random(3)
    key, responses = [], []
    for number in range(count):
        right = [f'"正{number}の{each}", 9801010{each:02}' for each in range(2)]
        said = [f'"誤{number}の{each}", 9801010{each:02}' for each in range(5)]
        if number % 3 == 0:
            said[draw.randrange(5)] = right[0]
        key.append(f"QAC1-{number}-01: {', '.join(right)}\n")
        responses.append(f"QAC1-{number}-01: {', '.join(said)}\n")
    return "".join(key).encode("euc_jp"), "".join(responses).encode("euc_jp")


def ours(key: bytes, responses: bytes) -> tuple[str, list[str]]:
    found = score(read_key(key), read_responses(responses), Options(Task.RANKED))
    return list(score_lines(found))[1], list(res_lines(found))


def straight(key: bytes, responses: bytes) -> tuple[str, list[str]]:
    """No check, no reading, no code but EUC-JP: the rule and nothing else."""
    right, said = (answers(data.decode("euc_jp")) for data in (key, responses))
    marks, lines = 0.0, []
    for name, accepted in right.items():
        hits = [each in accepted for each in said[name]]
        marks += 1 / (hits.index(True) + 1) if True in hits else 0
        signs = ("○" if hit else "×" for hit in hits)
        pieces = (f"{string} {sign}" for (string, _), sign in zip(said[name], signs, strict=True))
        lines.append(f"{name}: {', '.join(pieces)}")
    return f"{marks:.1f} marks out of {len(right):.1f} in TASK1", lines


def answers(text: str) -> dict[str, list[tuple[str, str]]]:
    found = {}
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        found[name] = FIELD.findall(rest)
    return found
