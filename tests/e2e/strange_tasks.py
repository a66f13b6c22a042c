"""Work no product should have; only tests/e2e/misbehaving.py loads it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from celery import shared_task

from jobs.tasks import work
from review.services.arbitration import arbitrate
from scoring.services.grading import grade


@work
def swallow_poison():
    """Kill whoever does this."""
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="tests.swallow_again", acks_late=True, reject_on_worker_lost=True)
def swallow_again(journal):
    """The naive twin of the poison: no row counts the tries, Celery brings it back each time."""
    with Path(journal).open("a") as tries:
        tries.write(f"{os.getpid()}\n")
    os.kill(os.getpid(), signal.SIGKILL)


@shared_task(name="tests.grade_without_job")
def grade_without_job(markup_id):
    """The naive twin of `scoring.grade_markup`: all that is known of it is its message."""
    arbitrate(essay_id=grade(markup_id=markup_id))
