"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

markup_submitted = Signal()
"""``markup_id``: an expert or an algorithm handed a markup in."""

markup_reopened = Signal()
"""``markup_id``: a submitted markup is a draft again; what was computed from it is void."""
