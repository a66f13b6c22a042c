"""``@work`` makes a named Celery task of a function; ``ring`` calls it for a job."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps

from celery import Task, current_app, shared_task
from celery.exceptions import SoftTimeLimitExceeded

from jobs.services.work import LeaseLost, claim, fail, finish, holding

log = logging.getLogger("jobs")


def kind_of(function: Callable[..., None]) -> str:
    """The name of a task: its app and its function, ``scoring.grade_markup``."""
    return f"{function.__module__.split('.')[0]}.{function.__name__}"


def work(function: Callable[..., None]) -> Task:
    """A task that claims its job first, runs with the job's arguments and closes the job."""

    @shared_task(name=kind_of(function))
    @wraps(function)
    def run(job_id: int) -> None:
        held = claim(job_id=job_id)
        if held is None:
            return
        try:
            with holding(held):
                function(**held.args)
        except LeaseLost:
            log.warning("job %s was taken over by another worker", job_id)
        except SoftTimeLimitExceeded:
            fail(held, reason="The time limit was reached.")
        except Exception as error:
            log.exception("job %s failed", job_id)
            fail(held, reason=f"{type(error).__name__}: {error}")
        else:
            finish(held)

    return run


def ring(*, kind: str, job_id: int) -> None:
    """Tell the workers of a job. A bell that does not ring is no harm: tick rings again."""
    try:
        current_app.send_task(kind, args=[job_id], ignore_result=True)
    except Exception as error:
        log.warning("the broker did not take job %s: %s", job_id, error)
