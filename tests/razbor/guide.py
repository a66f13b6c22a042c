"""What docs/participating.md tells participants to type."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "participating.md").read_text("utf-8")
ADDRESS = "https://razbor.example"


def blocks(language=""):
    """The code of the guide in this language; what is typed into a terminal has none."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, flags=re.MULTILINE | re.DOTALL)


def typed(beginning):
    """The one block whose first line begins so, as words, a list for each line."""
    (found,) = [each for each in blocks() if each.startswith(beginning)]
    return [shlex.split(line) for line in found.splitlines()]


def program(line, address):
    """The one program in Python that has this line, for the platform at an address."""
    (found,) = [each for each in blocks("python") if line in each.splitlines()]
    return found.replace(ADDRESS, address)
