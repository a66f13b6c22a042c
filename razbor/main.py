"""``razbor``: score markups offline. Each command is a module of ``razbor.commands``."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from importlib import import_module
from io import TextIOWrapper
from typing import Final

from razbor.errors import Unusable
from razbor.helping import end_with
from razbor.leaving import give_up_output, until_reader_leaves
from razbor.words import _, teach_argparse
from web.core.sentences import N_


@dataclass(frozen=True, slots=True)
class Command:
    """The module of a command, read only where it is called, and what it does, for the list."""

    module: str
    words: str


COMMANDS: Final = {
    "parse": Command(
        "razbor.commands.parse", N_("reads a marked file: fragments, or JSON; tells what is odd")
    ),
    "render": Command("razbor.commands.render", N_("writes a markup in the bracket language")),
    "validate": Command(
        "razbor.commands.validate", N_("tells what is wrong with marked files, and where")
    ),
    "compare": Command(
        "razbor.commands.compare", N_("pairs the fragments of two markups: M2 to M6, accuracy")
    ),
    "grade": Command(
        "razbor.commands.grade", N_("the points of a marked essay, with the counts they come from")
    ),
    "third": Command(
        "razbor.commands.third", N_("whether two experts differ so much that a third one is needed")
    ),
    "star": Command(
        "razbor.commands.star", N_("how an algorithm marks beside experts: STAR, STER, OTAR")
    ),
    "board": Command(
        "razbor.commands.board",
        N_("the ranks of the algorithms in a folder, and how sure they are"),
    ),
    "report": Command(
        "razbor.commands.report", N_("figures by code and criterion, what is confused with what")
    ),
    "score": Command(
        "razbor.commands.score", N_("other scoring systems: use, coscore, space2022, qac")
    ),
    "qac": Command(
        "razbor.commands.score_qac",
        N_("answers to questions, as NTCIR-3 scored them; the same as score qac"),
    ),
    "session": Command(
        "razbor.commands.session", N_("judges an exchange session again, from its log")
    ),
    "exchange": Command(
        "razbor.commands.exchange", N_("your program takes part in an exchange session")
    ),
}

VERSION: Final = "0.1.0"
"""As in ``pyproject.toml``, which is not at hand where the package is installed."""
INTERRUPTED: Final = 130
"""What a shell calls the end of a program by Ctrl+C."""


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns 0 done, 1 problems found, 2 unusable input, 130 Ctrl+C."""
    try:
        return until_reader_leaves(lambda: _choose(argv))
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # what is read has its own sentences: a full disk, say
        give_up_output()
        words = _("razbor: the output cannot be written: {reason}.")
        print(words.format(reason=error.strerror), file=sys.stderr)
        return 2


def _choose(argv: list[str] | None) -> int:
    teach_argparse()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="razbor",
        description=_("Score markups of essays, without the web."),
    )
    commands = [f"  {name:10}{_(each.words)}" for name, each in COMMANDS.items()]
    end_with(parser, [_("commands:"), *commands, "", _("razbor COMMAND --help tells about it.")])
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    version = f"razbor {VERSION}"
    parser.add_argument("--version", action="version", version=version, help=_("print the version"))
    chosen = parser.parse_args(arguments[:1]).command
    return _run(chosen, arguments[1:])


def _run(chosen: str, arguments: list[str]) -> int:
    command = import_module(COMMANDS[chosen].module)
    parser = argparse.ArgumentParser(prog=f"razbor {chosen}")
    command.add_arguments(parser)
    try:
        status: int = command.run(parser.parse_args(arguments))
    except Unusable as error:
        sys.stdout.flush()
        print(f"razbor: {error}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
