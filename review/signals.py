"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

letters_ordered = Signal()
"""``letters``: the number of each letter that is to be sent, and how often that was tried."""
