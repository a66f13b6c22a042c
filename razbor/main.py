"""``razbor``: score markups offline. Each command is a module of ``razbor.commands``."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import Final

from razbor.inputs import Unusable
from razbor.words import _, teach_argparse

COMMANDS: Final = {
    "parse": "razbor.commands.parse",
    "render": "razbor.commands.render",
    "validate": "razbor.commands.validate",
    "compare": "razbor.commands.compare",
    "grade": "razbor.commands.grade",
    "third": "razbor.commands.third",
    "star": "razbor.commands.star",
    "score": "razbor.commands.score",
    "qac": "razbor.commands.score_qac",
}


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns 0 done, 1 problems found, 2 unusable input."""
    teach_argparse()
    arguments = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(
        prog="razbor",
        description=_("Score markups of essays: {commands}.").format(commands=", ".join(COMMANDS)),
        epilog=_("razbor COMMAND --help tells about a command."),
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    chosen = parser.parse_args(arguments[:1]).command
    return _run(chosen, arguments[1:])


def _run(chosen: str, arguments: list[str]) -> int:
    command = import_module(COMMANDS[chosen])
    parser = argparse.ArgumentParser(prog=f"razbor {chosen}")
    command.add_arguments(parser)
    try:
        status: int = command.run(parser.parse_args(arguments))
        sys.stdout.flush()
    except Unusable as error:
        sys.stdout.flush()
        print(f"razbor: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader has seen enough: head, less
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


if __name__ == "__main__":
    sys.exit(main())
