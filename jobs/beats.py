"""A thread of the worker's main process that says every few seconds: we live.

It does not depend on what the processes of the pool are at.
"""

from __future__ import annotations

import logging
import os
import threading
from typing import Any, Final

from django.db import DatabaseError, connection

from jobs.services.beating import beat, leave

log = logging.getLogger("jobs")

EVERY: Final = 3.0
"""Seconds between two signs of life: a few may be lost before a worker counts as silent."""

_stopped: Final = threading.Event()


def start_beating(consumer: Any) -> None:
    """Begin when the worker is ready; ``consumer`` is Celery's."""
    name = f"{consumer.hostname}:{os.getpid()}"
    thread = threading.Thread(
        target=_beat_on, args=(name, consumer.controller.concurrency), daemon=True
    )
    thread.start()


def stop_beating() -> None:
    """The worker stops of its own will."""
    _stopped.set()


def _beat_on(name: str, hands: int) -> None:
    _say(beat, name=name, hands=hands)
    while not _stopped.wait(EVERY):
        _say(beat, name=name, hands=hands)
    _say(leave, name=name)


def _say(what: Any, **words: Any) -> None:
    try:
        what(**words)
    except DatabaseError as error:
        log.warning("the database does not hear the worker: %s", error)
    finally:
        connection.close()  # a process of the pool forked meanwhile must not inherit it
