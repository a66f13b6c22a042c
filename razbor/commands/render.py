"""Write a marked file in the markup language."""

from __future__ import annotations

import argparse
import sys

from annotator.core.errors import CannotWriteError
from annotator.core.language import render, tidy
from annotator.core.messages import describe_error
from razbor.errors import Unusable
from razbor.inputs import read_input, sentences
from razbor.options import add_subject
from razbor.words import _


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Write a marked file in the markup language.")
    parser.add_argument("file", help=_("a .json, or a .txt to be written anew"))
    add_subject(parser)


def run(args: argparse.Namespace) -> int:
    read = read_input(args.file, subject=args.subject)
    tidied = tidy(read.file)
    try:
        written = render(tidied.file)
    except CannotWriteError as error:
        raise Unusable(f"{args.file}: {describe_error(error, _)}") from None
    for sentence in sentences(tidied.problems):
        print(f"{args.file}: {sentence}", file=sys.stderr)
    print(written, end="")
    return 0
