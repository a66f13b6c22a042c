"""A command of manage.py whose output nobody reads on ends without a word."""

from __future__ import annotations

import os
import subprocess
import sys

from config.bootstrap import ROOT


def test_a_reader_who_has_seen_enough_is_no_fault():
    reading, writing = os.pipe()
    os.close(reading)

    ended = subprocess.run(
        [sys.executable, ROOT / "manage.py", "help"],
        env={**os.environ, "RAZBOR_BOOTSTRAP": "off"},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    os.close(writing)

    assert (ended.returncode, ended.stderr) == (0, "")
