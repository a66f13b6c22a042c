"""Is a file a data set as the seed describes it? Seed 001, «Поля датасета», «Разбиение данных».

Scoring needs less than this: it reads ids written as text and never looks at ``instruction``,
``inputs`` or ``score``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from schemes.core.use.answers import key_numbers
from schemes.core.use.errors import RecordError
from schemes.core.use.exam import TRAIN, AnswerKind
from schemes.core.use.formats import read_records, refuse_idle_split
from schemes.core.use.problems import NOWHERE, Place, Problem, Problems, Source
from schemes.core.use.prompts import INPUTS, inputs_of, unknown_slots
from schemes.core.use.reading import KEY_COLUMNS, id_of, report, task_of
from schemes.core.use.record import Record, RecordFile
from schemes.core.use.scoring import missing_tasks, unique_tasks
from schemes.core.use.values import Task

OF_PROMPTS: Final = ("instruction", "inputs")
"""What a key alone does not have; missing from every record it is one problem, not many."""
AS_NUMBERS: Final = ("id", "variant")
AS_TEXT: Final = ("id_task",)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a data set has: tasks that can be scored, their variants, and all its problems."""

    tasks: int
    variants: int
    split: str | None
    problems: tuple[Problem, ...]


def check_dataset(data: bytes | str, *, split: str | None = None) -> Checked:
    """Look for every problem of a split. Raises ``UnusableFileError`` if it cannot be read.

    Problems: fields that are missing or of another type, unknown types and tasks, keys that are
    empty or not as the seed writes them, ids and tasks given twice, and variants that are not
    whole, which only those of the train split need not be.
    """
    problems = Problems(Source.KEY)
    file = read_records(data, problems, split=split, columns=KEY_COLUMNS)
    refuse_idle_split(split, file)
    checking = _Checking(file, problems)
    tasks = unique_tasks(checking.tasks(), problems)
    checking.report_absent()
    missing = missing_tasks(tasks)
    if not tasks:
        problems.add("no-tasks")
    for name, absent in missing.items():
        if absent and file.split != TRAIN:
            problems.add("incomplete-variant", name=name, tasks=absent)
    return Checked(len(tasks), len(missing), file.split, problems.named())


class _Checking:
    """Goes through the records once; what every record lacks is told at the end."""

    def __init__(self, file: RecordFile, problems: Problems) -> None:
        self._file = file
        self._problems = problems
        self._absent: dict[str, list[Place]] = {name: [] for name in OF_PROMPTS}
        self._records = 0

    def tasks(self) -> Iterator[Task]:
        """The tasks that can be scored; all that is wrong is reported on the way."""
        for record in self._file.records:
            self._records += 1
            for error in _faults(record, typed=self._file.typed):
                if error.code == "no-field" and error.at in self._absent:
                    self._absent[error.at].append(replace(record.place, id=id_of(record)))
                else:
                    report(error, record, self._file, self._problems)
            try:
                task = task_of(record)
            except RecordError as error:
                report(error, record, self._file, self._problems)
                continue
            for fault in _faults_of_task(task, record):
                report(fault, record, self._file, self._problems)
            yield task

    def report_absent(self) -> None:
        """A key without prompts is told once for each field."""
        for name, places in self._absent.items():
            if places and len(places) == self._records:
                self._problems.add("no-field-anywhere", replace(NOWHERE, field=name))
            else:
                for place in places:
                    self._problems.add("no-field", replace(place, field=name))


def _faults(record: Record, *, typed: bool) -> Iterator[RecordError]:
    """What is wrong beside that for which a task cannot be scored."""
    meta = record.fields.get("meta")
    if typed and isinstance(meta, dict):
        yield from _faults_of_types(meta)
    yield from _faults_of_instruction(record.fields)
    try:
        inputs_of(record)
    except RecordError as error:
        yield error
        return
    for name in INPUTS:
        if name not in record.fields["inputs"]:
            yield RecordError("no-field", f"inputs.{name}")


def _faults_of_types(meta: Mapping[str, Any]) -> Iterator[RecordError]:
    for name in AS_NUMBERS:
        if isinstance(meta.get(name), str):
            yield RecordError("number-as-text", f"meta.{name}")
    for name in AS_TEXT:
        if isinstance(meta.get(name), int):
            yield RecordError("text-as-number", f"meta.{name}")


def _faults_of_instruction(fields: Mapping[str, Any]) -> Iterator[RecordError]:
    instruction = fields.get("instruction")
    if "instruction" not in fields:
        yield RecordError("no-field", "instruction")
    elif not isinstance(instruction, str):
        yield RecordError("not-a-string", "instruction")
    elif not instruction.strip():
        yield RecordError("empty-field", "instruction")
    else:
        for name in unknown_slots(instruction):
            yield RecordError("unknown-slot", "instruction", name=name)


def _faults_of_task(task: Task, record: Record) -> Iterator[RecordError]:
    """What the exam says otherwise than the record of a task that can be scored."""
    if task.kind is not task.expected_kind:
        fields = {"name": task.type, "task": task.id_task, "expected": task.expected_kind.value}
        yield RecordError("type-unusual", "meta.type", **fields)
    if task.kind is not AnswerKind.TEXT and task.key != ",".join(key_numbers(task.key) or ()):
        yield RecordError("key-format", "outputs", key=task.key)
    score = record.fields["meta"].get("score")
    if score is None:
        yield RecordError("no-field", "meta.score")
    elif isinstance(score, bool) or str(score) != str(task.maximum):
        yield RecordError("score-differs", "meta.score", task=task.id_task, expected=task.maximum)
