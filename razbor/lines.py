"""JSON Lines: one case a line in, one answer a line out, in the same order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final, Generic, TypeVar

from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.codec import markup_from_json
from annotator.core.values import Subject
from razbor.cases import BESIDE, FRAGMENT, Shape
from razbor.errors import Unusable
from razbor.inputs import say, sentences, unreadable
from razbor.remarks import Remarked, remarks_of
from razbor.resting import collector_at_rest
from razbor.words import _
from web.core.errors import JsonTextError
from web.core.json_text import read_json

LONG: Final = 200_000
"""Input of so many bytes gets a progress bar, when somebody watches."""

NEEDED: Final = frozenset(FRAGMENT.needed)
KNOWN: Final = frozenset({*FRAGMENT.needed, *FRAGMENT.optional})

AT_ONCE: Final = 250
"""Lines that are answered together, unless they are long."""
CHUNK: Final = 4_000_000
"""So many bytes of lines are answered together at most, or one line."""

_written: Final = json.JSONEncoder(ensure_ascii=False).encode

Read = TypeVar("Read")
Answer = Callable[[Mapping[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Line(Generic[Read]):
    """A line that was read, or why it cannot be used; its number in the file, and its id.

    ``names_line``: the error is about the line as a whole and says itself which one it is.
    """

    number: int
    case_id: object
    read: Read | None = None
    error: str | None = None
    names_line: bool = False

    def told(self, name: str, error: str) -> str:
        """What is said of the file because of this line, with the place in it."""
        if self.names_line:
            return f"{name}: {error}"
        return _("{name}, line {line}: {reason}").format(name=name, line=self.number, reason=error)


def answer_lines(name: str, shape: Shape, answer: Answer) -> int:
    """Answer every case of a file. A broken line gets ``{"id", "error"}`` and exit status 2."""
    return answer_chunks(name, shape, answer, lambda answers: answers, at_once=1)


def answer_chunks(
    name: str,
    shape: Shape,
    read: Callable[[Mapping[str, Any]], Read],
    answer: Callable[[Sequence[Read]], Iterable[dict[str, Any]]],
    *,
    at_once: int = AT_ONCE,
) -> int:
    """The same for cases that are answered quicker together; in memory are those of a chunk.

    ``read`` makes of a case what ``answer`` needs, or raises ``Unusable``.
    """
    first_bad, is_empty = "", True
    with _open(name) as stream:
        for chunk in _chunks(_watched(name, stream), at_once):
            with collector_at_rest():
                lines = [_read(line, number, shape, read) for number, line in chunk]
                answers = iter([*answer([each.read for each in lines if each.read is not None])])
            for each in lines:
                is_empty = False
                found = {"error": each.error} if each.error is not None else next(answers)
                if not first_bad and "error" in found:
                    first_bad = each.told(name, str(found["error"]))
                answered = {"id": each.case_id, **found}
                sys.stdout.write(_written(answered) + "\n")
    if is_empty:
        raise Unusable(_("{name}: no lines.").format(name=name))
    if first_bad:
        raise Unusable(first_bad)
    return 0


def markup_of(
    case: Mapping[str, Any], key: str, subject: Subject | None = None, *, path: str = ""
) -> Remarked:
    """The markup under ``key`` over the case's text. Raises ``Unusable``.

    ``path`` is its place in the line where that is not ``key``.
    """
    path = path or key
    text = case.get("text")
    if not isinstance(text, str):
        raise Unusable(_("“text” must be a string."))
    if not isinstance(case[key], list):
        raise Unusable(_("“{key}” must be a list of fragments.").format(key=path))
    classifier = classifier_of(subject) if subject else every_classifier()
    markup, problems = markup_from_json(case[key], text=text, classifier=classifier, path=path)
    if problems or not all(each.code for each in markup.fragments):
        _check_fragments(case[key], path)
    blocking = [problem for problem in problems if problem.blocks]
    if blocking:
        raise Unusable(sentences(blocking)[0])
    return Remarked(markup, remarks_of(markup, problems, path, subject))


def subject_of(case: Mapping[str, Any]) -> Subject:
    """The case's subject. Raises ``Unusable``."""
    known = {subject.value: subject for subject in Subject}
    found = known.get(str(case.get("subject")))
    if found is None:
        raise Unusable(_("“subject” must be one of {known}.").format(known=", ".join(known)))
    return found


def _check_fragments(selections: Sequence[object], key: str) -> None:
    """An object of another shape, or without a code, is refused with its path."""
    for index, each in enumerate(selections):
        if isinstance(each, dict) and not NEEDED <= each.keys() <= KNOWN:
            FRAGMENT.check(each, f"{key}[{index}]")
        if isinstance(each, dict) and each["type"] is None:
            hint = _("{path}: the code is missing. Write one.")
            raise Unusable(hint.format(path=f"{key}[{index}].type"))


def _chunks(lines: Iterable[bytes], at_once: int) -> Iterator[list[tuple[int, bytes]]]:
    """Lines with their numbers, some at a time; blank ones after the last case are none."""
    chunk: list[tuple[int, bytes]] = []
    size, told = 0, 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            chunk += [(blank, b"") for blank in range(told + 1, number)]
            chunk.append((number, line))
            told = number
            size += len(line)
        if len(chunk) >= at_once or size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _read(
    line: bytes, number: int, shape: Shape, read: Callable[[Mapping[str, Any]], Read]
) -> Line[Read]:
    case_id: object = None
    if not line:
        empty = _("line {line}: it is empty.")
        return Line(number, case_id, error=empty.format(line=number), names_line=True)
    try:
        case = read_json(line, unique_keys=True)
        if not isinstance(case, dict):
            wrong = _("line {line}: it must be a JSON object.")
            return Line(number, None, error=wrong.format(line=number), names_line=True)
        case_id = case.get("id")
        shape.check(case, beside=BESIDE)
        return Line(number, case_id, read(case))
    except JsonTextError as error:
        return Line(number, case_id, error=say(error, number), names_line="line" in error.fields)
    except Unusable as error:
        return Line(number, case_id, error=str(error))


def _open(name: str) -> IO[bytes]:
    try:
        return sys.stdin.buffer if name == "-" else open(name, "rb")
    except OSError as error:
        raise unreadable(name, error) from None


def _watched(name: str, stream: IO[bytes]) -> Iterator[bytes]:
    """The lines; with a progress bar when the input is long and somebody watches."""
    size = stream.seek(0, 2) if name != "-" and stream.seekable() else 0
    if size:
        stream.seek(0)
    if size < LONG or not sys.stderr.isatty():
        yield from stream
        return
    from tqdm import tqdm  # noqa: PLC0415 - a bar nobody sees must not cost start-up time

    with tqdm(total=size, unit="B", unit_scale=True, file=sys.stderr) as bar:
        for line in stream:
            yield line
            bar.update(len(line))
