"""Check marked files; exit status 1 when problems are found, 2 when a file cannot be read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from annotator.core.names import is_expert, split_name
from annotator.core.problems import Problem, renumbered
from annotator.core.validation import empty_fields, repeats
from razbor.errors import Unusable
from razbor.inputs import Input, look_into, sentences
from razbor.options import add_subject
from razbor.remarks import problems_of
from razbor.words import _
from scoring.core.criteria import explain
from scoring.core.criteria.reasons import stated_otherwise

NEVER_EMPTY: Final = {
    "uuid": "meta.uuid",
    "theme": "meta.theme",
    "year": "meta.year",
    "subject": "meta.subject",
    "test": "meta.test",
}
"""What the JSON format does not let be empty (Appendix 3, 2); ``meta.id`` may be."""
OF_EXPERTS: Final = {"expert": "meta.expert"}
IN_BRACKETS: Final = {"subject": "Предмет"}
"""Bracket text may leave any field empty (Appendix 3, 1.5); without this one no code is known."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Check marked files; exit status 1 when problems are found, 2 when a file cannot be read."
    )
    parser.add_argument("files", nargs="+", metavar="FILE")
    add_subject(parser)


def run(args: argparse.Namespace) -> int:
    return max([_check(name, args.subject) for name in args.files])


def _check(name: str, subject: str | None) -> int:
    """Print what is wrong with one file; the status it ends with."""
    try:
        read = look_into(name, subject=subject)
    except Unusable as error:
        sys.stdout.flush()
        print(f"razbor: {error}", file=sys.stderr)
        return 2
    problems = [*read.problems, *_empty(read), *_of_markup(read)]
    for sentence in sentences(problems):
        print(f"{name}: {sentence}")
    if not problems:
        print(_("{name}: no problems").format(name=name))
    if not read.has_markup and read.file.markup.text.strip():
        print(_("{name}: no markup in it, an essay alone.").format(name=name))
    return 2 if read.refused else int(bool(problems))


def _empty(read: Input) -> Iterator[Problem]:
    """Fields that may not be empty, those aside of which something is said already."""
    told = {problem.path for problem in read.problems}
    if "" in told:  # no object at all
        return
    names = NEVER_EMPTY if read.is_exchange else IN_BRACKETS
    if read.is_exchange and is_expert(split_name(Path(read.name).stem).author):
        names = names | OF_EXPERTS
    found = empty_fields(read.file, names)
    if not read.file.markup.text.strip():
        found += (Problem("empty-meta", path="text"),)
    paths = [problem.path for problem in found if problem.path and problem.path not in told]
    if paths:
        yield Problem("empty-meta", path=", ".join(paths))


def _of_markup(read: Input) -> list[Problem]:
    subject = read.file.meta.subject
    twice = (renumbered(each, read.numbers) for each in repeats(read.file.markup))
    problems = [*problems_of(read), *twice]
    if subject and read.file.stated and not read.refused:
        problems += stated_otherwise(read.file.stated, explain(subject, read.file.markup))
    return problems
