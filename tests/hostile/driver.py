"""Sends the corpus to a database of its own and writes down every verdict.

For a process of its own: ``DATABASE_URL`` names the database, ``django.setup()`` comes first.
"""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path

from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from tests.hostile.dealing import Dealer
from tests.hostile.doors import GROUPS
from tests.hostile.storm import storm
from tests.hostile.verdicts import verdict
from tests.hostile.world import seed

NUMBER = re.compile(r"/\d+(?=/)")
"""Two databases number their rows differently."""


def main(output: str, hands: int) -> None:
    """Each door gets one of ``hands`` of the inputs; 1 is all of them."""
    logging.disable(logging.CRITICAL)
    keep_connected()
    call_command("migrate", verbosity=0)
    world = seed(Dealer(hands))
    told = {
        NUMBER.sub("/%s", str(struck.case)): {
            "verdict": verdict(struck.answer),
            "complaints": struck.complaints,
        }
        for group in GROUPS
        for struck in storm(world, group)
    }
    Path(output).write_text(json.dumps(told))


def keep_connected() -> None:
    """One connection for all requests: with a new one each PostgreSQL would take much longer."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
