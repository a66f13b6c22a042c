"""Plain words in two languages, for what runs before any catalogue of translations is installed."""

from __future__ import annotations

import os
import sys


def say(english: str, russian: str) -> None:
    """Progress goes to stderr: what a command prints to stdout stays clean."""
    sys.stderr.write(choose(english, russian) + "\n")
    sys.stderr.flush()


def choose(english: str, russian: str) -> str:
    words = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return russian if next(filter(None, words), "").startswith("ru") else english
