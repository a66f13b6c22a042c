from __future__ import annotations

import logging
import signal
import time
from types import FrameType

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections

from jobs.services.sweep import sweep
from jobs.signals import ticked

log = logging.getLogger("jobs")


class Command(BaseCommand):
    help = "Repair what was interrupted, again and again: an ordinary process, not a task."
    stopped = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=float, default=1.0, help="seconds between two rounds")
        parser.add_argument("--once", action="store_true", help="one round only")

    def handle(self, *, every: float, once: bool, **_: object) -> None:
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        while not self.stopped:
            self.round()
            if once:
                break
            time.sleep(every)

    def round(self) -> None:
        try:
            sweep()
            ticked.send_robust(sender=None)
        except DatabaseError as error:
            log.warning("tick waits for the database: %s", error)
        close_old_connections()

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True
