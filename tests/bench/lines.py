"""JSON Lines by command, beside Python's own reader and writer over the same lines."""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from annotator.core.classifier import classifier_of
from annotator.core.codec import GROUP_NAMES
from annotator.core.values import Markup, Subject
from tests.bench.corpora import ESSAYS, EXPERTS, drawn_essays
from tests.bench.processes import spent

PAIRS, CASES = 3000, 1000
TURNS = 5
TIMES = 4
"""So many times the lines, to see that memory does not grow with them."""
PEER = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        sys.stdout.write(json.dumps(json.loads(line), ensure_ascii=False) + "\\n")
"""


def figures() -> Iterator[str]:
    """Processor seconds of whole processes, in turns with the peer; the median of the ratios."""
    essays = drawn_essays()
    with tempfile.TemporaryDirectory() as folder:
        for command, lines in (("compare", pairs(essays)), ("star", cases(essays))):
            file = Path(folder) / f"{command}.jsonl"
            file.write_text("".join(lines), "utf-8")
            yield beside_peer(command, file, TURNS)
            large = file.with_suffix(".large")
            large.write_text(file.read_text("utf-8") * TIMES, "utf-8")
            few, many = (spent(ours(command, each))[1] for each in (file, large))
            yield f"razbor {command}: {few:.0f} MiB, of {TIMES} times the lines {many:.0f} MiB"


def beside_peer(command: str, file: Path, turns: int) -> str:
    """One line that says how much longer the command takes than reading and writing alone."""
    peer = [sys.executable, "-c", PEER, str(file)]
    spent(ours(command, file))
    both = [(spent(ours(command, file))[0], spent(peer)[0]) for _ in range(turns)]
    ratios = sorted(one / other for one, other in both)
    seconds = median(one for one, _ in both), median(other for _, other in both)
    return (
        f"razbor {command} --jsonl {seconds[0]:.2f} s, json alone {seconds[1]:.2f} s: "
        f"{median(ratios):.2f} times ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


def ours(command: str, file: Path) -> list[str]:
    return [sys.executable, "-m", "razbor.main", command, "--jsonl", str(file)]


def pairs(essays: Sequence[Sequence[Markup]]) -> Iterator[str]:
    """Two markups of one essay a line."""
    rng = random.Random(1)
    for number in range(PAIRS):
        one, other = rng.sample(essays[number % ESSAYS], 2)
        yield line({"id": number, "text": one.text, "X": sent(one), "Y": sent(other)})


def cases(essays: Sequence[Sequence[Markup]]) -> Iterator[str]:
    """An essay a line: a participant's markup and the experts'."""
    rng = random.Random(1)
    for number in range(CASES):
        experts = essays[number % ESSAYS][:EXPERTS]
        one = rng.choice(essays[number % ESSAYS][EXPERTS:])
        told = {"text": one.text, "algorithm": sent(one), "experts": [*map(sent, experts)]}
        yield line({"id": number, "essays": [told]})


def sent(markup: Markup) -> list[dict[str, Any]]:
    """The fragments with every key, as the platform's own files have them."""
    kind = classifier_of(Subject.ENGLISH).kind
    return [
        {
            "id": number,
            "startSelection": each.span.start if each.span else 0,
            "endSelection": each.span.end if each.span else 0,
            "type": each.code,
            "subtype": each.subcode,
            "comment": each.comment,
            "explanation": each.explanation,
            "correction": each.correction,
            "tag": each.tag,
            "group": GROUP_NAMES[kind(each.code)],
        }
        for number, each in enumerate(markup.fragments, 1)
    ]


def line(case: dict[str, Any]) -> str:
    return json.dumps(case, ensure_ascii=False) + "\n"
