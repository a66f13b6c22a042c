"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

expert_left = Signal()
"""``user_id``, ``actor_id``: an account was closed, or its owner is no expert any more."""
