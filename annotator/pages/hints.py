"""The three hints an expert meets on the first visit to the marking screen."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.models import EssaySet, MarkupRecord, SeenHint
from annotator.queries.hints import unseen_hints
from annotator.queries.practice import has_practice


@dataclass(frozen=True, slots=True)
class Hints:
    """What is still shown, by the names of ``SeenHint.Hint``.

    ``has_practice``: there is another essay, with a key, to try one's hand at.
    """

    shown: frozenset[str]
    has_practice: bool


def hints_beside(record: MarkupRecord) -> Hints:
    """The hints beside a draft: those its author has not put away."""
    shown = unseen_hints(record.author)
    is_practice = record.essay.essay_set.access == EssaySet.Access.PRACTICE
    if is_practice or SeenHint.Hint.SELECT not in shown:
        return Hints(shown, has_practice=False)
    return Hints(shown, has_practice(record.author))
