"""Check marked files; exit status 1 when problems are found."""

from __future__ import annotations

import argparse

from annotator.core.classifier import classifier_of
from annotator.core.problems import Problem
from annotator.core.validation import compare_criteria, validate
from razbor.inputs import Input, read_input, sentences
from razbor.options import add_subject
from razbor.words import _
from scoring.core.criteria import grade


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Check marked files; exit status 1 when problems are found.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    add_subject(parser)


def run(args: argparse.Namespace) -> int:
    found = 0
    for name in args.files:
        read = read_input(name, subject=args.subject)
        problems = [*read.problems, *_problems(read)]
        found += len(problems)
        for sentence in sentences(problems):
            print(f"{name}: {sentence}")
        if not problems:
            print(_("{name}: no problems").format(name=name))
    return 1 if found else 0


def _problems(read: Input) -> list[Problem]:
    markup = read.file.markup
    problems = list(validate(markup, classifier_of(read.subject)))
    if read.file.stated:
        graded = grade(read.subject, markup).points
        problems += compare_criteria(read.file.stated, graded)
    return problems
