"""What ``razbor validate`` would say of a markup that is reckoned with as it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotator.core.classifier import classifier_of, every_classifier
from annotator.core.problems import Problem, renumbered
from annotator.core.validation import validate
from annotator.core.values import Markup, Subject
from razbor.errors import Unusable
from razbor.inputs import Input, read_input, sentences
from razbor.words import _


@dataclass(frozen=True, slots=True)
class Remarked:
    """A markup of a line, and sentences about what is wrong with it."""

    markup: Markup
    remarks: Sequence[str] = ()


def read_markup(name: str, *, subject: str | None = None) -> Input:
    """A file whose markup is reckoned with. Raises ``Unusable`` for an essay alone."""
    read = read_input(name, subject=subject)
    tell_remarks(read)
    if not read.has_markup:
        hint = _("{name}: “selections” is missing. A markup without fragments is an empty list.")
        raise Unusable(hint.format(name=name))
    return read


def tell_remarks(read: Input) -> None:
    """On the error output, each once: what was mended or ignored, what no figure rests on."""
    told = sentences([*read.problems, *problems_of(read)])
    for sentence in dict.fromkeys(told):
        sys.stderr.write(f"{read.name}: {sentence}\n")


def problems_of(read: Input) -> Iterator[Problem]:
    """Problems of the markup, fragments by their places in the file."""
    for problem in _found(read.file.markup, read.file.meta.subject):
        yield renumbered(problem, read.numbers) if read.numbers else problem


def remarks_of(
    markup: Markup, problems: Sequence[Problem], path: str, subject: Subject | None
) -> Sequence[str]:
    """Sentences about the fragments under ``path`` of a line."""
    found = [
        problem if problem.path is None else replace(problem, path=None)
        for problem in _found(markup, subject)
    ]
    if not found and not problems:
        return ()
    told = [*sentences(problems), *(f"{path}: {sentence}" for sentence in sentences(found))]
    return tuple(dict.fromkeys(told))


def with_remarks(answer: dict[str, Any], *read: Remarked) -> dict[str, Any]:
    """The answer with the key ``remarks`` where there are any."""
    remarks = [sentence for each in read for sentence in each.remarks]
    return {**answer, "remarks": remarks} if remarks else answer


def _found(markup: Markup, subject: Subject | None) -> tuple[Problem, ...]:
    return validate(markup, classifier_of(subject) if subject else every_classifier())
