"""What an expert has not been told of the marking screen."""

from __future__ import annotations

from typing import Final

from accounts.models import User
from annotator.models.hints import SeenHint
from web.prepared import Given, Prepared

_SEEN_HINTS: Final = Prepared(
    lambda: SeenHint.objects.filter(user=Given("user")).values_list("hint", flat=True)
)


def unseen_hints(expert: User) -> frozenset[str]:
    """The hints of the marking screen an expert has not put away."""
    return frozenset(SeenHint.Hint.values) - frozenset(_SEEN_HINTS(user=expert.pk))
