"""What a whole process takes: processor time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from config.bootstrap import bytecode

BETWEEN = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""
"""A small process starts the large one: at its beginning a process is as large as its parent."""


def spent(words: Sequence[str]) -> tuple[float, float]:
    """Processor seconds of a whole process, and the MiB it had at its peak.

    Its bytecode is kept, as wherever packages are installed.
    """
    kept = {**os.environ, **bytecode(os.environ)}
    told = subprocess.run(
        [sys.executable, "-c", BETWEEN, *words],
        check=True,
        capture_output=True,
        text=True,
        env=kept,
    )
    seconds, most = map(float, told.stdout.split())
    return seconds, most
