"""``@work`` makes a named Celery task of a function; a ring makes a worker do what comes next."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Final

from celery import Task, current_app, shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import connection

from jobs.queries import live_hands, waiting_jobs
from jobs.services.bell import count_anew, hear, may_ring, not_rung
from jobs.services.work import (
    Claim,
    LeaseLost,
    begin,
    claim,
    fail,
    finish,
    holding,
    put_back,
    take_from_people,
    take_next,
)

log = logging.getLogger("jobs")

BULK_FIRST: Final = 10
"""Every so manieth turn belongs to the work in bulk, so that people do not keep it waiting."""

_kinds: Final[dict[str, Callable[..., None]]] = {}


def kind_of(function: Callable[..., None]) -> str:
    """The name of a task: its app and its function, ``scoring.grade_markup``."""
    return f"{function.__module__.split('.')[0]}.{function.__name__}"


def work(function: Callable[..., None]) -> Task:
    """Work of a kind, and the task that does one certain job of it from claim to end."""
    return _task(kind_of(function), function)


def work_formerly(*names: str) -> Callable[[Callable[..., None]], Task]:
    """``work`` whose jobs and messages may still bear the names it had before."""

    def also_of_these(function: Callable[..., None]) -> Task:
        for name in names:
            _task(name, function)
        return work(function)

    return also_of_these


def _task(kind: str, function: Callable[..., None]) -> Task:
    _kinds[kind] = function

    @shared_task(name=kind)
    @wraps(function)
    def run(job_id: int) -> None:
        held = claim(job_id=job_id)
        if held is not None:
            carry_out(held)

    return run


@shared_task(
    name="jobs.take_turn",
    acks_late=False,  # a message stands for no job: nothing is lost with it
    soft_time_limit=settings.JOB_LIMIT_SECONDS,
    time_limit=settings.JOB_LIMIT_SECONDS + settings.JOB_LEASE_MARGIN_SECONDS,
)
def take_turn() -> None:
    """What one message does: one claim, worked through, and the next ring if more waits."""
    try:
        number = hear()
        work_through(deque(take_next(bulk_first=number % BULK_FIRST == 0)))
        if waiting_jobs().exists():
            ring()
    except SoftTimeLimitExceeded:
        let_go()
        raise


def work_through(claims: deque[Claim]) -> None:
    """Do what was taken; people's work that comes meanwhile goes before the next of it.

    Nothing more is begun after the lease's margin, so that every job has its whole time limit.
    """
    end = time.monotonic() + settings.JOB_LEASE_MARGIN_SECONDS
    if claims:
        do(claims.popleft())
    while claims and time.monotonic() < end:
        do((take_from_people() or [claims.popleft()])[0])
    put_back(claims)


def do(held: Claim) -> None:
    """Begin a job and bring it to its end, whatever happens in it."""
    if begin(held):
        carry_out(held)


def carry_out(held: Claim) -> None:
    try:
        with holding(held):
            _kinds[held.kind](**held.args)
    except LeaseLost:
        log.warning("job %s was taken over by another worker", held.job_id)
    except SoftTimeLimitExceeded:
        let_go()
        fail(held, reason="The time limit was reached.")
    except Exception as error:
        log.exception("job %s failed", held.job_id)
        fail(held, reason=f"{type(error).__name__}: {error}")
    else:
        finish(held)


def let_go() -> None:
    """Close the connection after an interruption: it may be in a transaction Django has not noted.

    Who waits for a turn to write is interrupted at the instant it has begun.
    """
    if not connection.in_atomic_block:
        connection.close()


def ring() -> None:
    """Send the workers a message, unless enough are on their way.

    A bell that does not ring is no harm: tick rings again.
    """
    if not may_ring():
        return
    try:
        current_app.send_task(take_turn.name, ignore_result=True)
    except Exception as error:
        not_rung()
        log.warning("the broker did not take a message: %s", error)


def ring_again() -> None:
    """Wake as many hands as there are for work that waits: messages may have been lost."""
    try:
        waiting = messages_waiting()
    except Exception as error:
        log.warning("the broker does not answer: %s", error)
        return
    count_anew(rung=waiting)
    for _ in range(max(1, live_hands()) - waiting):
        ring()


def messages_waiting() -> int:
    """How many messages nobody has taken yet."""
    queue = current_app.conf.task_default_queue
    with current_app.connection_for_write() as connection:
        channel = connection.default_channel
        try:
            return int(channel.queue_declare(queue, passive=True).message_count)
        except connection.channel_errors:  # Redis knows no empty queue
            return 0
