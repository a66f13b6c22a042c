"""Announcements of this app, each sent inside the transaction that made it true; ids only."""

from __future__ import annotations

from django.dispatch import Signal

essay_graded = Signal()
"""``essay_id``: the points of an essay's checks are there, of one or of all that came in.

Sent inside the job that computed them: what a receiver does is done before the job is.
"""

points_regraded = Signal()
"""``markup_id``: the stored points of a markup are other ones now, by a rule that changed."""
