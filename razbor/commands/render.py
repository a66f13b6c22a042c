"""Write a marked file in the markup language."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from typing import Final

from annotator.core.errors import CannotWriteError
from annotator.core.language import render, tidy
from annotator.core.m2 import m2_of
from annotator.core.messages import describe_error
from annotator.core.tables import fragment_table
from annotator.core.values import Markup
from razbor.errors import Unusable
from razbor.inputs import read_input, sentences
from razbor.options import add_subject
from razbor.words import _
from web.core.sheets import as_csv

OTHER_FORMS: Final[Mapping[str, Callable[[Markup], str]]] = {
    "csv": lambda markup: "".join(as_csv(fragment_table(markup))),
    "m2": m2_of,
}
"""Ways of writing that hold every markup."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Write a marked file in the markup language.")
    parser.add_argument("file", help=_("a .json, or a .txt to be written anew"))
    add_subject(parser)
    parser.add_argument(
        "--format",
        choices=[*sorted(OTHER_FORMS), "txt"],
        default="txt",
        help=_("txt: the markup language; csv: a row a fragment; m2: tokens and corrections"),
    )


def run(args: argparse.Namespace) -> int:
    read = read_input(args.file, subject=args.subject)
    if args.format in OTHER_FORMS:
        sys.stdout.write(OTHER_FORMS[args.format](read.file.markup))
        return 0
    tidied = tidy(read.file)
    try:
        written = render(tidied.file)
    except CannotWriteError as error:
        raise Unusable(f"{args.file}: {describe_error(error, _)}") from None
    for sentence in sentences(tidied.problems):
        print(f"{args.file}: {sentence}", file=sys.stderr)
    print(written, end="")
    return 0
