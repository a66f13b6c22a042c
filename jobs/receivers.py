from __future__ import annotations

from celery.signals import worker_ready, worker_shutdown
from django.dispatch import receiver

from jobs.beats import start_beating, stop_beating
from jobs.signals import job_ordered, work_waits
from jobs.tasks import ring, ring_again


@receiver(job_ordered)
def ring_for_job(**_: object) -> None:
    ring()


@receiver(work_waits)
def ring_for_what_waits(**_: object) -> None:
    ring_again()


@worker_ready.connect
def show_life(sender: object, **_: object) -> None:
    start_beating(sender)


@worker_shutdown.connect
def take_leave(**_: object) -> None:
    stop_beating()
