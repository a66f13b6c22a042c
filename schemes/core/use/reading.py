"""Records -> tasks and predictions: the only module that knows the names of MERA's fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from schemes.core.use.errors import RecordError
from schemes.core.use.formats import read_records
from schemes.core.use.problems import Problems, Source
from schemes.core.use.record import Record, RecordFile
from schemes.core.use.values import Key, Prediction, Predictions, Task

KEY_COLUMNS: Final = ("id", "variant", "id_task", "type", "outputs")
PREDICTION_COLUMNS: Final = ("id", "outputs")


def read_key(data: bytes | str, *, split: str | None = None) -> Key:
    """Read the tasks of a split with their keys, from any format of ``formats``.

    Records that cannot be used are problems of the key. Raises ``UnusableFileError``.
    """
    problems = Problems(Source.KEY)
    file = read_records(data, problems, split=split, columns=KEY_COLUMNS)
    tasks: list[Task] = []
    for record in file.records:
        try:
            tasks.append(task_of(record, typed=file.typed))
        except RecordError as error:
            report(error, record, file, problems)
    return Key(tuple(tasks), file.split, problems.named(), file.has_splits)


def read_predictions(data: bytes | str, *, split: str | None = None) -> Predictions:
    """Read the answers of a model: of each record only ``outputs`` and ``meta.id``.

    Records that cannot be used are problems of the predictions. Raises ``UnusableFileError``.
    """
    problems = Problems(Source.PREDICTION)
    file = read_records(data, problems, split=split, columns=PREDICTION_COLUMNS)
    answers: list[Prediction] = []
    for record in file.records:
        try:
            answers.append(_prediction_of(record, typed=file.typed))
        except RecordError as error:
            report(error, record, file, problems)
    return Predictions(tuple(answers), file.split, problems.named(), file.has_splits)


def task_of(record: Record, *, typed: bool = True) -> Task:
    """The task of a record. Raises ``RecordError`` for a missing or unfit field.

    ``typed``: false for a format in which a number and a text look alike.
    """
    meta = _object(record.fields, "meta")
    name = _name(meta, "id")
    return Task(
        id=name,
        id_task=_name(meta, "id_task"),
        variant=_name(meta, "variant"),
        type=_string(meta, "type", "meta.type").strip(),
        key=_string(record.fields, "outputs", "outputs"),
        place=replace(record.place, id=name),
        id_type=_id_type(meta, typed=typed),
    )


def report(error: RecordError, record: Record, file: RecordFile, problems: Problems) -> None:
    """Add what is wrong with a record to the problems, at its place."""
    at = error.at if file.typed else error.at.removeprefix("meta.")
    place = replace(record.place, id=id_of(record), field=at)
    problems.add(error.code, place, **error.fields)


def id_of(record: Record) -> str:
    """The id of a record that may be unfit otherwise; empty if it has none."""
    meta = record.fields.get("meta")
    found = meta.get("id") if isinstance(meta, dict) else None
    return str(found).strip() if _is_name(found) else ""


def _prediction_of(record: Record, *, typed: bool) -> Prediction:
    meta = _object(record.fields, "meta")
    name = _name(meta, "id")
    answer = _string(record.fields, "outputs", "outputs")
    return Prediction(name, answer, replace(record.place, id=name), _id_type(meta, typed=typed))


def _object(fields: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    if key not in fields:
        raise RecordError("no-field", key)
    found = fields[key]
    if not isinstance(found, dict):
        raise RecordError("not-an-object-field", key)
    return found


def _string(fields: Mapping[str, Any], key: str, at: str) -> str:
    if key not in fields:
        raise RecordError("no-field", at)
    found = fields[key]
    if not isinstance(found, str):
        raise RecordError("not-a-string", at)
    return found


def _name(meta: Mapping[str, Any], key: str) -> str:
    """A number or a string, compared as a string (schemes.md 1.2, 11)."""
    at = f"meta.{key}"
    if key not in meta:
        raise RecordError("no-field", at)
    if not _is_name(meta[key]):
        raise RecordError("not-a-name", at)
    name = str(meta[key]).strip()
    if not name:
        raise RecordError("empty-field", at)
    return name


def _is_name(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _id_type(meta: Mapping[str, Any], *, typed: bool) -> str:
    if not typed:
        return ""
    return "text" if isinstance(meta["id"], str) else "number"
