"""Sentences of ours in both languages, whatever the reader of the page speaks."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import override

from contest.core.both import Both


def in_both(said: Callable[[], str]) -> Both:
    """What ``said`` says under each language."""
    with override("ru"):
        russian = said()
    with override("en"):
        return Both(russian, said())
