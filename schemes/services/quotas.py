"""How many runs and bytes a person may have: asked at the doors, before anything is ordered.

A service that orders runs by itself does not ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.limits import Limit, take
from jobs.models import Job
from schemes.models import SchemeInput, SchemeRun, StoredKey
from schemes.services.runs import Asked, earlier_run
from web.client_keys import ClientKey
from web.refusals import Refused

RUNS: Final = Limit(tries=120, seconds=60 * 60)
WAITING: Final = 10
"""So many runs of one person may wait or be scored at a time."""
ROOM: Final = 500 * 1024 * 1024
"""So many bytes of inputs of one person are kept."""


class TooOften(Refused):
    """The person has ordered as many runs as fit."""

    code = "too-often"


@contextmanager
def one_at_a_time(owner: User) -> Iterator[None]:
    """Within this block nothing else of the person is asked for and kept: many at once fit too."""
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=owner.pk).values("pk"))
        yield


def refuse_waiting(*, owner: User) -> None:
    """Raises ``TooOften`` while so many runs are unfinished: asked before inputs are read."""
    runs = SchemeRun.objects.filter(owner=owner).exclude(state__in=SchemeRun.FINISHED)
    waiting = runs.exclude(job__state=Job.State.FAILED).count()
    if waiting >= WAITING:
        words = _("You have %d runs that are not finished. Wait for them or delete some.")
        raise TooOften(words % waiting)


def refuse_too_many(*, owner: User, asked: Asked, client_key: ClientKey | None = None) -> None:
    """Ask once for every run; the one that was ordered by this key before is none more.

    Raises ``TooOften``, and ``Refused`` when the person's room is full.
    """
    if earlier_run(owner=owner, client_key=client_key):
        return
    refuse_waiting(owner=owner)
    refuse_full(owner=owner, more=sum(len(each.data) for each in asked.inputs.values()))
    if not take(key=f"scheme-runs:{owner.pk}", limit=RUNS):
        raise TooOften(_("You have ordered %d runs within an hour. Wait a little.") % RUNS.tries)


def refuse_full(*, owner: User, more: int) -> None:
    """Raises ``Refused`` when so many more bytes do not fit into the person's room."""
    kept = sum(
        rows.aggregate(bytes=Sum("size"))["bytes"] or 0
        for rows in (
            SchemeInput.objects.filter(run__owner=owner),
            StoredKey.objects.filter(owner=owner),
        )
    )
    if kept + more > ROOM:
        raise Refused(
            _("Your runs and keys hold %d MB, which is all the room there is. Delete some.")
            % (kept // 2**20)
        )
