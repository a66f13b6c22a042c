from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Final

from annotator.models import MarkupRecord
from scoring.core.entries import Annulment
from scoring.signals import annulments_asked

AT_ONCE: Final = 5000
"""Solutions one question is about: each may become a parameter of a query."""


def annulments_among(
    solutions: Collection[tuple[int, str]],
) -> dict[tuple[int, str], Annulment]:
    """Which of these solutions, authors' numbers and origins, do not stand."""
    found: dict[tuple[int, str], Annulment] = {}
    waiting = iter(solutions)
    while some := set(islice(waiting, AT_ONCE)):
        for _receiver, told in annulments_asked.send(sender=MarkupRecord, solutions=some):
            found |= told
    return found
