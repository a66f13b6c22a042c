"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

run_finished = Signal()
"""``run_id``: a run is done, or has failed for what was sent."""

key_asked = Signal()
"""``key_id``: a question: is this the key of something that nobody may try it by? Whoever keeps one
answers true. Nothing is written.
"""
