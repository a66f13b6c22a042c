"""Sends the whole corpus to a database of its own and writes down every verdict.

Run as a process: ``python -m tests.hostile.driver OUTPUT [GROUP ...]`` with ``DATABASE_URL``.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from pathlib import Path

import django


def main(output: str, *groups: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    logging.disable(logging.CRITICAL)
    from django.core.management import call_command

    from tests.hostile.doors import GROUPS
    from tests.hostile.storm import storm
    from tests.hostile.verdicts import verdict
    from tests.hostile.world import seed

    call_command("migrate", verbosity=0)
    world = seed()
    told = {}
    for group in groups or GROUPS:
        begun = time.monotonic()
        for struck in storm(world, group):
            seconds = time.monotonic() - begun
            told[str(struck.case)] = {
                "verdict": verdict(struck.answer),
                "complaints": struck.complaints,
                "seconds": round(seconds, 3),
            }
            begun = time.monotonic()
    Path(output).write_text(json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
