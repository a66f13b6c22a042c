"""Files given on the command line -> values of the core, or one sentence about what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotator.core.carrying import carry_onto
from annotator.core.classifier import classifier_of
from annotator.core.codec import file_from_json
from annotator.core.language import parse
from annotator.core.messages import describe, describe_error, place_of
from annotator.core.problems import Problem
from annotator.core.values import MarkedFile, Markup, Subject, normalise
from annotator.core.wrapper import is_wrapper, wrapper_from_json
from razbor.errors import Unusable
from razbor.words import _
from web.core.errors import JsonTextError
from web.core.json_text import read_json
from web.core.packed import why_not_utf8
from web.core.sentences import describe_json, in_one_line


@dataclass(frozen=True, slots=True)
class Input:
    """A file that was read: its name, its value, what was odd in it.

    ``has_markup`` is false for an essay alone: JSON without ``selections``. ``is_exchange`` is true
    for JSON as programs send it, not for bracket text nor for what ``razbor parse`` made of it.
    ``numbers`` are the places in the file of fragments of which some were refused.
    """

    name: str
    file: MarkedFile
    problems: tuple[Problem, ...]
    has_markup: bool = True
    is_exchange: bool = False
    refused: bool = False
    numbers: tuple[int, ...] = ()

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
    data = read_bytes(name)
    try:
        return normalise(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        found = why_not_utf8(data, error.start)
        if found.code != "not-utf8":
            raise Unusable(f"{name}: {describe_json(found, _)}") from None
        hint = _("{name}: byte {byte} is not UTF-8. Save the file in that encoding.")
        raise Unusable(hint.format(name=name, byte=error.start)) from None


def read_input(name: str, *, subject: str | None = None, source: str | None = None) -> Input:
    """Read a marked file. Raises ``Unusable`` with the first reason to refuse it."""
    read = look_into(name, subject=subject, source=source)
    if read.refused:
        blocking = [problem for problem in read.problems if problem.blocks]
        raise Unusable(f"{name}: {sentences(blocking)[0]}")
    return read


def look_into(name: str, *, subject: str | None = None, source: str | None = None) -> Input:
    """A marked file as far as it can be read: JSON when its name or its first sign says so, else
    bracket text.
    """
    if name.endswith(".jsonl"):
        hint = _("{name}: many cases, a line each, are read by --jsonl FILE.")
        raise Unusable(hint.format(name=name))
    text = read_text(name)
    chosen = Subject(subject) if subject else None
    if name.endswith(".json") or text.lstrip().startswith("{"):
        return _with_subject(_look_into_json(name, text), chosen)
    classifier = classifier_of(chosen) if chosen else None
    parsed = parse(text, source=source, classifier=classifier)
    return _with_subject(Input(name, parsed.file, parsed.problems), chosen)


def common_subject(left: Input, right: Input) -> Subject | None:
    """The subject both files name, or the one of them that names any. Raises ``Unusable``."""
    one, other = left.file.meta.subject, right.file.meta.subject
    if one and other and one is not other:
        hint = _(
            "{left} is of the subject {one}, {right} of {other}. "
            "Choose two of one subject, or add --subject."
        )
        raise Unusable(hint.format(left=left.name, one=one, right=right.name, other=other))
    return one or other


def on_one_text(left: Input, right: Input) -> tuple[Markup, Markup]:
    """Two markups over one and the same text. Raises ``Unusable`` when their words differ."""
    moved = carry_onto(left.file.markup, right.file.markup.text)
    if moved is None:
        raise _of_two_texts(left, right)
    return moved, right.file.markup


def refuse_two_essays(left: Input, right: Input) -> None:
    """White space apart, both must be of one text. Raises ``Unusable``."""
    if left.file.markup.text.split() != right.file.markup.text.split():
        raise _of_two_texts(left, right)


def _of_two_texts(left: Input, right: Input) -> Unusable:
    hint = _("{left} and {right} are markups of different texts. Choose two of one essay.")
    told = hint.format(left=left.name, right=right.name)
    broken = [read.name for read in (left, right) if any(p.number for p in read.problems)]
    if broken:
        more = _("What was mended in {names} may have changed the text: see the remarks.")
        told += " " + more.format(names=", ".join(broken))
    return Unusable(told)


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


def say(error: JsonTextError, number: int = 1) -> str:
    """An error of the JSON reader with its place; ``number`` is that of its first line."""
    fields = error.fields
    sentence = describe_error(error, _)
    if "line" in fields:
        line = int(str(fields["line"])) + number - 1
        place = _("line {line}, column {column}").format(line=line, column=fields["column"])
        return f"{place}: {sentence}"
    path = in_one_line(str(fields.get("path", "")))
    return f"{path}: {sentence}" if path else sentence


def _look_into_json(name: str, text: str) -> Input:
    if not text.strip():
        raise Unusable(_("{name}: the file is empty.").format(name=name))
    try:
        payload = read_json(text, unique_keys=True)
    except JsonTextError as error:
        raise Unusable(f"{name}: {say(error)}") from None
    if is_wrapper(payload):
        return _only_markup(name, payload)
    reading = file_from_json(payload)
    body = payload if isinstance(payload, dict) else {}
    return Input(
        name,
        reading.file,
        reading.problems,
        has_markup=body.get("selections") is not None,
        is_exchange="problems" not in body,
        refused=reading.refused,
        numbers=reading.numbers,
    )


def _only_markup(name: str, payload: Any) -> Input:
    """The markup of a wrapper that holds one; of several none can be meant."""
    wrapper = wrapper_from_json(payload)
    if len(wrapper.markups) != 1:
        hint = _("{name}: the file holds {n} markups. Give each in a file of its own.")
        raise Unusable(hint.format(name=name, n=len(wrapper.markups)))
    (markup,) = wrapper.markups
    problems = (*wrapper.essay.problems, *markup.reading.problems)
    return Input(
        name,
        markup.reading.file,
        problems,
        refused=any(problem.blocks for problem in problems),
        numbers=markup.reading.numbers,
    )


def _with_subject(read: Input, subject: Subject | None) -> Input:
    if subject is None:
        return read
    meta = replace(read.file.meta, subject=subject)
    return replace(read, file=replace(read.file, meta=meta))
