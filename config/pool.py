"""The worker's pool: a process that is killed takes nothing with it that the others wait for.

Where the broker is a folder, the processes of a pool take turns at one pipe by a lock. Celery's own
lock is a semaphore, which nobody gives back for the dead; a lock on a file the kernel gives back.
"""

from __future__ import annotations

import fcntl
import tempfile

from billiard.pool import Pool
from celery.concurrency import prefork


class Turn:
    """A lock between processes that ends with its holder, even by KILL."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as its pool

    def acquire(self) -> None:
        fcntl.lockf(self.file, fcntl.LOCK_EX)

    def release(self) -> None:
        fcntl.lockf(self.file, fcntl.LOCK_UN)

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class TurnsPool(Pool):
    def _setup_queues(self) -> None:
        super()._setup_queues()
        self._inqueue._rlock = Turn()
        self._outqueue._wlock = Turn()

    def _join_exited_workers(self, shutdown: bool = False) -> list[int]:
        """Count as lost, too, what a process took from the pipe and died before it could say so."""
        codes: list[int] = super()._join_exited_workers(shutdown)
        if codes and not self._inqueue._reader.poll():
            for job in list(self._cache.values()):
                if not job.accepted() and not job.ready():
                    self.on_job_process_lost(job, None, codes[0])
        return codes


class TaskPool(prefork.TaskPool):
    BlockingPool = TurnsPool
