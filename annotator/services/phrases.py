"""An expert's own phrases: what was written once is offered again."""

from __future__ import annotations

from django.db.models import F

from accounts.models import User
from annotator.core.values import Fragment
from annotator.models import Phrase

LONGEST = 200
"""Longer texts are written for one essay only."""


def remember_phrases(*, user: User, before: Fragment, after: Fragment) -> None:
    """Keep the comment and the explanation a change has brought in."""
    for field in Phrase.Field:
        text = getattr(after, field)
        if text and text != getattr(before, field) and len(text) <= LONGEST:
            _remember(user=user, code=after.code, field=field, text=text)


def _remember(**words: object) -> None:
    _phrase, made = Phrase.objects.get_or_create(**words)
    if not made:
        Phrase.objects.filter(**words).update(uses=F("uses") + 1)
