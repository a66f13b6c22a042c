"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

parcel_taken = Signal()
"""``parcel_id``: it is known of all its files what became of them."""

session_closed = Signal()
"""``session_id``: it has ended, and all its files have their verdicts."""
