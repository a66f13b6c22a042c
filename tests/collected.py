"""The static files of the stacks of tests: collected and compressed once, and copied from then on.

Each copy has its stamp with it, by which the platform itself sees whether anything is out of date.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager

from config.prepare import STATIC_STAMP
from tests.migrated import KEPT, one_at_a_time

COLLECTED = KEPT / "collected"


@contextmanager
def collected(folder):
    """What a stack before has collected, for one that is prepared meanwhile; kept if it is new."""
    with one_at_a_time():
        if (COLLECTED / STATIC_STAMP).exists() and not (folder / "static").exists():
            copy(COLLECTED, folder)
        yield
        if stamp_of(folder) != stamp_of(COLLECTED):
            shutil.rmtree(COLLECTED, ignore_errors=True)
            copy(folder, COLLECTED)


def copy(source, target):
    shutil.copytree(source / "static", target / "static")
    shutil.copy2(source / STATIC_STAMP, target)  # last: without a stamp it counts as never made


def stamp_of(folder):
    stamp = folder / STATIC_STAMP
    return stamp.read_text("utf-8") if stamp.exists() else ""
