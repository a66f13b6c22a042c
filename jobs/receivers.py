from __future__ import annotations

from django.dispatch import receiver

from jobs.signals import job_ordered
from jobs.tasks import ring


@receiver(job_ordered)
def ring_for_job(job_id: int, kind: str, **_: object) -> None:
    ring(kind=kind, job_id=job_id)
