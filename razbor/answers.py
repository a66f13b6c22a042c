"""What a participant's program answers -> what is sent, or why it would be refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from annotator.core.carrying import carry_onto
from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.codec import file_from_json, file_to_json, submission_from_json
from annotator.core.language import parse
from annotator.core.problems import Problem
from annotator.core.validation import beyond_limits, remarks_on
from annotator.core.values import LARGEST_MARKUP, MarkedFile
from razbor.client import as_bytes
from razbor.inputs import say, sentences
from razbor.words import _
from web.core.errors import JsonTextError
from web.core.json_text import read_json


class Nonsense(Exception):
    """An answer that is no markup of its essay; ``str()`` says where and why."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer as it is sent, how many fragments it has, and what was mended or ignored."""

    body: bytes
    fragments: int
    remarks: tuple[str, ...]


def check(data: bytes, essay: Mapping[str, Any]) -> Checked:
    """An answer to an essay: JSON of Appendix 3, 2, or the essay in the bracket language.

    JSON may leave out all but ``selections``. What is odd in brackets is mended and remarked, as
    everywhere. Raises ``Nonsense``.
    """
    if len(data) > LARGEST_MARKUP:
        raise Nonsense(_("The answer is larger than 2.5 MB."))
    text = _text(data)
    known = file_from_json(essay).file
    read = _from_json if text.lstrip().startswith("{") else _from_brackets
    file, remarks = read(text, known)
    _refuse(beyond_limits(file.markup))
    written = file_to_json(replace(file, meta=known.meta, file_name=""))
    written["meta"] = essay["meta"]
    classifier = classifier_of(known.meta.subject) if known.meta.subject else every_classifier()
    odd = [*remarks, *remarks_on(file.markup, classifier)]
    told = tuple(dict.fromkeys(sentences(odd)))
    return Checked(as_bytes(written), len(file.markup.fragments), told)


def _refuse(problems: Iterable[Problem]) -> None:
    """Raises ``Nonsense`` with the first problem that blocks."""
    blocking = [problem for problem in problems if problem.blocks]
    if blocking:
        raise Nonsense(sentences(blocking)[0])


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        words = _("Byte {byte} of the answer is not UTF-8.")
        raise Nonsense(words.format(byte=error.start)) from None
    if not text.strip():
        raise Nonsense(_("The answer is empty. A markup without fragments has “selections”: []."))
    return text


def _from_json(text: str, known: MarkedFile) -> tuple[MarkedFile, Sequence[Problem]]:
    try:
        payload = read_json(text, unique_keys=True)
    except JsonTextError as error:
        raise Nonsense(say(error)) from None
    reading = submission_from_json(payload, meta=known.meta, text=known.markup.text)
    _refuse(reading.problems)
    return reading.file, reading.problems


def _from_brackets(text: str, known: MarkedFile) -> tuple[MarkedFile, Sequence[Problem]]:
    subject, essay = known.meta.subject, known.markup.text
    classifier = classifier_of(subject) if subject else every_classifier()
    parsed = parse(text, source=essay, classifier=classifier)
    moved = carry_onto(parsed.file.markup, essay)
    if moved is None:
        with suppress(JsonTextError):
            read_json(text)
            raise Nonsense(_("The answer is JSON, but no object with “selections” in it."))
        words = _("Without its brackets the answer is another text than the essay.")
        first = [f" {sentence}" for sentence in sentences(parsed.problems)[:1]]
        raise Nonsense("".join([words, *first]))
    return replace(parsed.file, markup=moved), parsed.problems
