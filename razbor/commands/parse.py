"""Read a marked file and show what is in it."""

from __future__ import annotations

import argparse
import json

from annotator.core.codec import file_to_json
from annotator.core.stated import write_points
from razbor.inputs import Input, problem_as_json, read_input, read_text, sentences
from razbor.options import add_subject
from razbor.tables import table
from razbor.words import _


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Read a marked file and show what is in it.")
    parser.add_argument("file", help=_("a .txt in the markup language or a .json"))
    add_subject(parser)
    parser.add_argument("--source", help=_("the unmarked essay, to compare with"))
    parser.add_argument("--json", action="store_true", help=_("the exchange format, with problems"))


def run(args: argparse.Namespace) -> int:
    source = read_text(args.source).strip() if args.source else None
    read = read_input(args.file, subject=args.subject, source=source)
    if args.json:
        written = file_to_json(read.file)
        written["problems"] = [problem_as_json(problem) for problem in read.problems]
        print(json.dumps(written, ensure_ascii=False, indent=1))
    else:
        show(read)
    return 0


def show(read: Input) -> None:
    """The fragments as a table, then the problems."""
    rows = [
        (
            number,
            fragment.span.start if fragment.span else None,
            fragment.span.end if fragment.span else None,
            fragment.code,
            fragment.subcode,
            read.file.markup.covered(fragment)[:40],
            fragment.correction,
            fragment.tag,
        )
        for number, fragment in enumerate(read.file.markup.fragments, 1)
    ]
    head = ["№", _("from"), _("to"), _("code"), _("subcode"), _("words"), _("correction"), _("tag")]
    print(table(head, rows))
    if read.file.stated:
        points = [f"{name} {write_points(value)}" for name, value in read.file.stated.items()]
        print(_("stated points: {points}").format(points=", ".join(points)))
    for sentence in sentences(read.problems):
        print(sentence)
