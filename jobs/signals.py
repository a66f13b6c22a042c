from __future__ import annotations

from django.dispatch import Signal

job_ordered = Signal()
"""``job_id``, ``kind``: sent after the commit that ordered a job, and when its bell rings again."""

job_failed = Signal()
"""``job_id``: sent when a job is given up."""

ticked = Signal()
"""Sent after every round of tick: whoever watches deadlines listens."""
