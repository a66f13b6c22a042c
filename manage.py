#!/usr/bin/env python3
"""The one door: run, test, lint, bench, shots, and every command of Django.

Whatever Python starts it, the work is done inside .venv (config/bootstrap.py).
"""

from __future__ import annotations

import os
import sys

from config import bootstrap

TOOLS = ("test", "lint", "bench", "shots")
HELP = """\
run [--port N] [--no-demo]       start everything and print its address
test [--full | --long] [...]     the tests; what follows goes to pytest
lint [CHECK ...]                 style, types, contracts, security, templates, migrations
bench, shots                     measurements; screenshots into var/shots

"""


def main() -> int:
    command, arguments = (sys.argv[1] if len(sys.argv) > 1 else "help"), sys.argv[2:]
    bootstrap.enter(tools=command in TOOLS)
    # Imports wait until .venv is there to import from.
    if command in TOOLS:
        from config import tools  # noqa: PLC0415

        return tools.COMMANDS[command](arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if command == "run":
        from config.run import run  # noqa: PLC0415

        return run(arguments)
    from razbor.leaving import until_reader_leaves  # noqa: PLC0415

    return until_reader_leaves(of_django)


def of_django() -> int:
    from django.core.management import execute_from_command_line  # noqa: PLC0415

    if sys.argv[1:] in ([], ["help"], ["--help"], ["-h"]):
        sys.stdout.write(HELP)
    execute_from_command_line(sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
