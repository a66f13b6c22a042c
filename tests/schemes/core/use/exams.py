"""Exam variants of our own, as values and as files of every format."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any, Final

from hypothesis import strategies as st

from schemes.core.use.exam import KINDS, MAXIMA, ORDER, AnswerKind
from schemes.core.use.problems import Place
from schemes.core.use.reading import read_key, read_predictions
from schemes.core.use.rules import score_answer
from schemes.core.use.scoring import score
from schemes.core.use.values import Options, Outcome, Score, Task

TYPES: Final = {
    AnswerKind.TEXT: "text",
    AnswerKind.MATCHING: "matching",
    AnswerKind.MULTIPLE_CHOICE: "multiple_choice_independent_options",
}
KEYS: Final = {
    AnswerKind.TEXT: "сова",
    AnswerKind.MATCHING: "4,1,3,2",
    AnswerKind.MULTIPLE_CHOICE: "2,5",
}
COLUMNS: Final = ("id", "variant", "id_task", "type", "outputs")

Fields = dict[str, Any]


def task(id_task: str, key: str | None = None, **more: str) -> Task:
    """A task of the exam with its usual type."""
    kind = KINDS[id_task]
    usual = {"id": "1", "variant": "0", "type": TYPES[kind], "place": Place()}
    return Task(id_task=id_task, key=KEYS[kind] if key is None else key, **{**usual, **more})


def outcome(id_task: str, key: str, answer: str | None, **options: bool) -> Outcome:
    return score_answer(task(id_task, key), answer, Options(**options))


def record(id_task: str, *, number: int = 0, variant: int = 0, key: str | None = None) -> Fields:
    """One record of a key as MERA writes it."""
    kind = KINDS[id_task]
    return {
        "outputs": KEYS[kind] if key is None else key,
        "meta": {
            "id": number,
            "id_task": id_task,
            "variant": variant,
            "score": MAXIMA[id_task],
            "type": TYPES[kind],
        },
    }


def variant(number: int = 0) -> list[Fields]:
    """The thirty records of a whole variant."""
    return [
        record(name, number=30 * number + place, variant=number) for place, name in enumerate(ORDER)
    ]


def answer(number: object, outputs: object) -> Fields:
    """One record of predictions: only what is needed."""
    return {"outputs": outputs, "meta": {"id": number}}


def right_answers(records: list[Fields]) -> list[Fields]:
    return [answer(each["meta"]["id"], each["outputs"]) for each in records]


def as_document(records: list[Any], split: str = "test", **more: Any) -> str:
    return json.dumps({"data": {split: records}, **more}, ensure_ascii=False)


def as_list(records: list[Any]) -> str:
    return json.dumps(records, ensure_ascii=False, indent=1)


def as_lines(records: list[Any]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records)


def as_csv(records: list[Fields], delimiter: str = ",", columns: tuple[str, ...] = COLUMNS) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(columns)
    for each in records:
        cells = {"outputs": each["outputs"], **each["meta"]}
        writer.writerow([cells[name] for name in columns])
    return stream.getvalue()


def as_archive(files: dict[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in files.items():
            archive.writestr(zipfile.ZipInfo(name), contents, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def scored(
    key: list[Any], predictions: list[Any], *, split: str | None = None, **options: bool
) -> Score:
    """Score lists of records."""
    return score(
        read_key(as_list(key), split=split),
        read_predictions(as_list(predictions), split=split),
        Options(**options),
    )


def points(found: Score) -> dict[str, int]:
    return {each.task.id: each.points for each in found.outcomes}


ANSWERS: Final = (
    st.sampled_from(
        ["2,5", "5,2", "2", "сова", "СОВА!", "4,1,3,2", "4,1", "", " ", "2;5", "12", ","]
    )
    | st.lists(st.integers(0, 9), max_size=6).map(lambda items: ",".join(map(str, items)))
    | st.text(max_size=12)
)
"""What a model may answer: near hits, numbers, anything."""
