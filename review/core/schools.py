"""One school, however its name is written."""

from __future__ import annotations


def school_named(words: str) -> str:
    """A school's name as all who mean it are compared: no letter case, single blanks; nothing
    where it is blank, which is nobody's school.
    """
    return " ".join(words.split()).casefold()
