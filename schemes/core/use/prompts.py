"""Instructions and inputs -> prompts, as the seed puts them together.

Seed 001, «Поля датасета» and «Промпты»: an instruction is a template with the names of the
inputs in braces; ``{task}``, ``{text}``, ``{choices}`` and ``{additional_text}`` are replaced by
the strings of ``inputs``. There are five kinds of instruction, one for each type, and several
instructions of each kind: the seed counts 5x10, another description of the same set 3x5, so any
number from one up is taken, and a plain list under ``multiple_choice`` serves its three types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from schemes.core.use.errors import RecordError, UnusableFileError
from schemes.core.use.exam import AnswerKind
from schemes.core.use.formats import read_records, read_text, refuse_idle_split
from schemes.core.use.problems import Problems
from schemes.core.use.reading import KEY_COLUMNS, report, task_of
from schemes.core.use.record import Record
from web.core.errors import JsonTextError
from web.core.json_text import read_json

INPUTS: Final = ("task", "text", "choices", "additional_text")
SLOT: Final = re.compile(r"\{\{|\}\}|\{(\w+)\}")
"""A doubled brace, which stands for one, or the name of an input in braces."""
SUBTYPES: Final = ("based_on_text", "options_within_text", "independent_options")
PLAIN: Final = AnswerKind.MULTIPLE_CHOICE.value

Instructions = Mapping[str, Sequence[str]]
"""``meta.type`` -> the instructions of that kind."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked. ``number``: which instruction of its kind, counted from 1."""

    id: str
    variant: str
    id_task: str
    type: str
    number: int
    text: str


def render(instruction: str, inputs: Mapping[str, str]) -> str:
    """Put the inputs into an instruction; braces within the inputs stay what they are.

    Outer blanks are dropped. Raises ``RecordError`` for a name in braces that is no input.
    """
    for name in unknown_slots(instruction):
        raise RecordError("unknown-slot", "instruction", name=name)

    def fill(found: re.Match[str]) -> str:
        return inputs.get(found[1], "") if found[1] else found[0][0]

    return SLOT.sub(fill, instruction).strip()


def unknown_slots(instruction: str) -> list[str]:
    """The names in braces that are not those of inputs."""
    names = [found[1] for found in SLOT.finditer(instruction)]
    return [name for name in names if name and name not in INPUTS]


def read_instructions(data: bytes | str) -> Instructions:
    """Read a file of instructions in the shape of the seed. Raises ``UnusableFileError``."""
    try:
        value = read_json(read_text(data))
    except JsonTextError as error:
        raise UnusableFileError(error.code, **error.fields) from None
    if not isinstance(value, dict):
        raise UnusableFileError("instructions-shape", path="")
    found = {
        kind: _strings(value[kind], kind)
        for kind in (AnswerKind.TEXT.value, AnswerKind.MATCHING.value)
        if kind in value
    }
    return {**found, **_multiple_choice(value.get(PLAIN))}


def prompts_of(
    data: bytes | str,
    problems: Problems,
    *,
    instructions: Instructions | None = None,
    split: str | None = None,
) -> Iterator[Prompt]:
    """The prompts of a data set, in its order: one for each task and instruction of its kind.

    Without ``instructions`` each record's own one is taken. Records that cannot be rendered are
    added to ``problems`` while the others are read. Raises ``UnusableFileError``.
    """
    file = read_records(data, problems, split=split, columns=(*KEY_COLUMNS, "instruction"))
    refuse_idle_split(split, file)
    for record in file.records:
        try:
            yield from _prompts(record, instructions)
        except RecordError as error:
            report(error, record, file, problems)


def inputs_of(record: Record) -> Mapping[str, str]:
    """The four inputs of a record; one that is left out is empty. Raises ``RecordError``."""
    found = record.fields.get("inputs")
    if not isinstance(found, dict):
        raise RecordError(
            "not-an-object-field" if "inputs" in record.fields else "no-field", "inputs"
        )
    for name in INPUTS:
        if not isinstance(found.get(name, ""), str):
            raise RecordError("not-a-string", f"inputs.{name}")
    return {name: found.get(name, "") for name in INPUTS}


def _prompts(record: Record, instructions: Instructions | None) -> list[Prompt]:
    task = task_of(record)
    inputs = inputs_of(record)
    chosen = _own(record) if instructions is None else instructions.get(task.type, ())
    if not chosen:
        raise RecordError("no-instruction", "meta.type", name=task.type)
    return [
        Prompt(task.id, task.variant, task.id_task, task.type, number, render(text, inputs))
        for number, text in enumerate(chosen, 1)
    ]


def _own(record: Record) -> Sequence[str]:
    found = record.fields.get("instruction")
    if found is None:
        raise RecordError("no-field", "instruction")
    if not isinstance(found, str):
        raise RecordError("not-a-string", "instruction")
    return (found,)


def _multiple_choice(value: object) -> Instructions:
    if value is None:
        return {}
    types = [f"{PLAIN}_{name}" for name in SUBTYPES]
    if isinstance(value, list):
        return dict.fromkeys((*types, PLAIN), _strings(value, PLAIN))
    if not isinstance(value, dict):
        raise UnusableFileError("instructions-shape", path=PLAIN)
    return {
        kind: _strings(value[name], f"{PLAIN}.{name}")
        for name, kind in zip(SUBTYPES, types, strict=True)
        if name in value
    }


def _strings(value: Any, path: str) -> Sequence[str]:
    if not isinstance(value, list) or not value:
        raise UnusableFileError("instructions-shape", path=path)
    for index, each in enumerate(value):
        if not isinstance(each, str) or not each.strip():
            raise UnusableFileError("instructions-shape", path=f"{path}[{index}]")
        for name in unknown_slots(each):
            raise UnusableFileError("instructions-slot", path=f"{path}[{index}]", name=name)
    return tuple(value)
