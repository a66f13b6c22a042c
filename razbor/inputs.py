"""Files given on the command line -> values of the core, or one sentence about what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.core.carrying import carry_onto
from annotator.core.classifier import classifier_of
from annotator.core.codec import file_from_json
from annotator.core.errors import JsonTextError
from annotator.core.json_text import read_json
from annotator.core.language import parse
from annotator.core.messages import describe, describe_error, place_of
from annotator.core.problems import Problem
from annotator.core.values import MarkedFile, Markup, Subject, normalise
from razbor.words import _


class Unusable(Exception):  # noqa: N818 - the input is, not the program
    """The input cannot be used; ``str()`` names the file, the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Input:
    """A file that was read: its name, its value, what was odd in it."""

    name: str
    file: MarkedFile
    problems: tuple[Problem, ...]

    @property
    def subject(self) -> Subject:
        """The subject the file names. Raises ``Unusable`` when it names none."""
        if self.file.meta.subject is None:
            hint = _("{name}: the subject is not known. Add --subject.")
            raise Unusable(hint.format(name=self.name))
        return self.file.meta.subject


def read_bytes(name: str) -> bytes:
    """The contents of a file, or of standard input for ``-``."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise unreadable(name, error) from None


def unreadable(name: str, error: OSError) -> Unusable:
    """Why a file cannot be read; what is rare is said in the system's own words."""
    if isinstance(error, FileNotFoundError):
        return Unusable(_("{name}: there is no such file. Check the name.").format(name=name))
    if isinstance(error, IsADirectoryError):
        return Unusable(_("{name}: this is a folder. Name a file in it.").format(name=name))
    if isinstance(error, PermissionError):
        hint = _("{name}: reading this file is not allowed. Ask its owner for permission.")
        return Unusable(hint.format(name=name))
    return Unusable(f"{name}: {error.strerror}.")


def read_text(name: str) -> str:
    """The text of a UTF-8 file."""
    try:
        return normalise(read_bytes(name).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        hint = _("{name}: byte {byte} is not UTF-8. Save the file in that encoding.")
        raise Unusable(hint.format(name=name, byte=error.start)) from None


def read_input(name: str, *, subject: str | None = None, source: str | None = None) -> Input:
    """Read a marked file: JSON when its name or its first sign says so, else bracket text."""
    text = read_text(name)
    chosen = Subject(subject) if subject else None
    if name.endswith(".json") or text.lstrip().startswith("{"):
        return _with_subject(_read_json(name, text), chosen)
    classifier = classifier_of(chosen) if chosen else None
    parsed = parse(text, source=source, classifier=classifier)
    return _with_subject(Input(name, parsed.file, parsed.problems), chosen)


def on_one_text(left: Input, right: Input) -> tuple[Markup, Markup]:
    """Two markups over one and the same text. Raises ``Unusable`` when their words differ."""
    moved = carry_onto(left.file.markup, right.file.markup.text)
    if moved is None:
        hint = _("{left} and {right} are markups of different texts. Choose two of one essay.")
        raise Unusable(hint.format(left=left.name, right=right.name))
    return moved, right.file.markup


def sentences(problems: Iterable[Problem]) -> list[str]:
    """Problems as sentences with their places."""
    return [
        f"{place}: {describe(problem, _)}"
        if (place := place_of(problem, _))
        else describe(problem, _)
        for problem in problems
    ]


def problem_as_json(problem: Problem) -> dict[str, object]:
    """A problem with its number, code, sentence and place."""
    found: dict[str, object] = {
        "number": problem.number,
        "code": problem.code,
        "message": describe(problem, _),
        "line": problem.line,
        "column": problem.column,
    }
    if problem.path is not None:
        found["path"] = problem.path
    if problem.fragment is not None:
        found["fragment"] = problem.fragment
    return found


def say(error: JsonTextError) -> str:
    """An error of the JSON reader with its place."""
    fields = error.fields
    sentence = describe_error(error, _)
    if "line" in fields:
        place = _("line {line}, column {column}")
        return f"{place.format(line=fields['line'], column=fields['column'])}: {sentence}"
    return f"{fields['path']}: {sentence}" if fields.get("path") else sentence


def _read_json(name: str, text: str) -> Input:
    try:
        reading = file_from_json(read_json(text))
    except JsonTextError as error:
        raise Unusable(f"{name}: {say(error)}") from None
    if reading.refused:
        blocking = [problem for problem in reading.problems if problem.blocks]
        raise Unusable(f"{name}: {sentences(blocking)[0]}")
    return Input(name, reading.file, reading.problems)


def _with_subject(read: Input, subject: Subject | None) -> Input:
    if subject is None:
        return read
    meta = replace(read.file.meta, subject=subject)
    return replace(read, file=replace(read.file, meta=meta))
