"""Score with another scoring system: ``razbor score SCHEME ...``; each is a module of its own."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Final

from razbor.words import _

SCHEMES: Final = {
    "use": "razbor.commands.score_use",
    "coscore": "razbor.commands.score_coscore",
    "space2022": "razbor.commands.score_space2022",
    "qac": "razbor.commands.score_qac",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Score with another scoring system: {schemes}.").format(
        schemes=", ".join(SCHEMES)
    )
    parser.epilog = _("razbor score SCHEME --help tells about a system.")
    parser.add_argument("scheme", choices=SCHEMES, metavar="SCHEME")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    scheme = import_module(SCHEMES[args.scheme])
    parser = argparse.ArgumentParser(prog=f"razbor score {args.scheme}")
    scheme.add_arguments(parser)
    status: int = scheme.run(parser.parse_args(args.arguments))
    return status
