"""``razbor``: score markups offline. Each command is a module of ``razbor.commands``."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Final

from razbor.errors import Unusable
from razbor.words import _, teach_argparse

COMMANDS: Final = {
    "parse": "razbor.commands.parse",
    "render": "razbor.commands.render",
    "validate": "razbor.commands.validate",
    "compare": "razbor.commands.compare",
    "grade": "razbor.commands.grade",
    "third": "razbor.commands.third",
    "star": "razbor.commands.star",
    "board": "razbor.commands.board",
    "report": "razbor.commands.report",
    "score": "razbor.commands.score",
    "qac": "razbor.commands.score_qac",
    "session": "razbor.commands.session",
    "exchange": "razbor.commands.exchange",
}


VERSION: Final = "0.1.0"
"""As in ``pyproject.toml``, which is not at hand where the package is installed."""
INTERRUPTED: Final = 130
"""What a shell calls the end of a program by Ctrl+C."""


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns 0 done, 1 problems found, 2 unusable input, 130 Ctrl+C."""
    try:
        try:
            return _choose(argv)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough: head, less
        _give_up_output()
        return 0
    except OSError as error:  # what is read has its own sentences: a full disk, say
        _give_up_output()
        words = _("razbor: the output cannot be written: {reason}.")
        print(words.format(reason=error.strerror), file=sys.stderr)
        return 2


def _give_up_output() -> None:
    """What is still kept back goes nowhere, lest it be tried again when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _choose(argv: list[str] | None) -> int:
    teach_argparse()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="razbor",
        description=_("Score markups of essays: {commands}.").format(commands=", ".join(COMMANDS)),
        epilog=_("razbor COMMAND --help tells about a command."),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    version = f"razbor {VERSION}"
    parser.add_argument("--version", action="version", version=version, help=_("print the version"))
    chosen = parser.parse_args(arguments[:1]).command
    return _run(chosen, arguments[1:])


def _run(chosen: str, arguments: list[str]) -> int:
    command = import_module(COMMANDS[chosen])
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
