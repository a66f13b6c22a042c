"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

letters_ordered = Signal()
"""``letters``: the number of each letter that is to be sent, and how often that was tried."""

words_asked = Signal()
"""``letter_id``: what does this letter say, that is about nothing of ours?

A question: who has ordered it answers with a function without arguments, which gives its subject,
its template and what stands in it in the language in force; with ``None`` where nothing holds.
"""
