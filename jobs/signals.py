from __future__ import annotations

from django.dispatch import Signal

job_ordered = Signal()
"""``job_id``: sent after the commit that ordered a job, or began a failed one anew."""

work_waits = Signal()
"""Sent by a round of tick that finds work nobody has begun in time."""

job_failed = Signal()
"""``job_id``: sent when a job is given up."""

ticked = Signal()
"""Sent after every round of tick: whoever watches deadlines listens."""
