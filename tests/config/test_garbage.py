from __future__ import annotations

import subprocess
import sys

from config.bootstrap import ROOT

STANDING = """
import gc
from config.garbage import SELDOM, stand
kept = [[] for _ in range(1000)]
stand()
print(gc.get_threshold() == SELDOM, gc.get_freeze_count() >= 1000, len(gc.get_objects()) < 1000)
"""


def test_a_process_that_stands_looks_for_garbage_seldom_and_not_among_what_was_there():
    command = [sys.executable, "-c", STANDING]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert told.stdout == "True True True\n"
