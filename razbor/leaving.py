"""How a command ends whose output nobody reads on: head, less."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable


def until_reader_leaves(work: Callable[[], int]) -> int:
    """What ``work`` returns; 0 where the reader of its output has seen enough."""
    try:
        try:
            return work()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        if not _has_reader_left():
            raise  # it was another pipe, or a socket
        give_up_output()
        return 0


def give_up_output() -> None:
    """What is still kept back goes nowhere, lest it be tried again when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _has_reader_left() -> bool:
    if not hasattr(select, "poll"):
        return True
    watched = select.poll()
    watched.register(sys.stdout.fileno(), 0)
    return any(event & select.POLLERR for _number, event in watched.poll(0))
