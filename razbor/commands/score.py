"""Score with another scoring system: ``razbor score SCHEME ...``; each is a module of its own."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Final

from razbor.helping import end_with
from razbor.words import _
from web.core.sentences import N_

SCHEMES: Final = {
    "use": "razbor.commands.score_use",
    "coscore": "razbor.commands.score_coscore",
    "space2022": "razbor.commands.score_space2022",
    "qac": "razbor.commands.score_qac",
}
WORDS: Final = {
    "use": N_("answers to the Russian Unified State Exam: a key and answers, CSV or JSON"),
    "coscore": N_("short answers by a rule: JSON, and a CSV of answers"),
    "space2022": N_("reasons of spatial anomalies in Chinese texts: JSON Lines"),
    "qac": N_("answers to questions, as NTCIR-3 scored them: lines of text"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _("Score with another scoring system: {schemes}.").format(
        schemes=", ".join(SCHEMES)
    )
    systems = [f"  {name:11}{_(words)}" for name, words in WORDS.items()]
    told = _("razbor score SCHEME --help shows the files of a system by an example.")
    end_with(parser, [_("systems:"), *systems, "", told])
    parser.add_argument("scheme", choices=SCHEMES, metavar="SCHEME")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    scheme = import_module(SCHEMES[args.scheme])
    parser = argparse.ArgumentParser(prog=f"razbor score {args.scheme}")
    scheme.add_arguments(parser)
    status: int = scheme.run(parser.parse_args(args.arguments))
    return status
