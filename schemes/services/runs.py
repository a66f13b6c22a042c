"""Runs of the schemes: ordered by a person, scored by a job, deleted by their owner."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from jobs.models import Job
from jobs.services.work import fenced, order, take_back
from schemes.access import may_read
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import MAX_ITEMS, Item, Scheme, Scored, TooLong, Unfit
from schemes.adapters.words import Said, said
from schemes.models import SchemeInput, SchemeItem, SchemeRun, StoredKey
from schemes.signals import run_finished
from web.client_keys import ClientKey
from web.core.sentences import N_
from web.core.sound import sound
from web.refusals import Refused

SHARE: Final = 0.6
"""Of the time a job has, the scoring may take so much; the rest is for writing."""
WRITTEN: Final = 0.9
"""After so much of it the writing ends too: a job that is broken off would only begin anew."""
PAUSE: Final = 0.5
"""Seconds between two notes of the progress."""
BATCH: Final = 2000
NAME: Final = 200

KEY_GONE: Final = N_("The stored key was deleted. Choose another one and run again.")
TOO_LONG: Final = N_("Scoring takes longer than a job may work. Split the input.")
TOO_MANY: Final = N_("There are more than {limit} items. Split the input.")


@dataclass(frozen=True, slots=True)
class NamedInput:
    """The bytes of an input and the name of the file they came in."""

    data: bytes
    name: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be scored: inputs by source, ``key`` in place of the one that is missing."""

    scheme: Scheme
    inputs: Mapping[str, NamedInput]
    options: Mapping[str, Any] = field(default_factory=dict)
    key: StoredKey | None = None
    name: str = ""


def order_run(*, owner: User, asked: Asked, client_key: ClientKey | None = None) -> SchemeRun:
    """Keep the inputs and promise the scoring; ordered twice by one client key it is one run.

    Whether the person may order one more, ``quotas`` says: it is asked by who lets persons in.
    """
    earlier = earlier_run(owner=owner, client_key=client_key)
    if earlier:
        return earlier
    try:
        with transaction.atomic():
            run = SchemeRun.objects.create(
                owner=owner,
                scheme=asked.scheme.slug,
                version=asked.scheme.version,
                name=asked.name,
                options=dict(asked.options),
                key=asked.key,
                veiled=asked.key is not None and not may_read(owner, asked.key),
                client_key=client_key.name if client_key else None,
                client_digest=client_key.digest if client_key else "",
            )
            SchemeInput.objects.bulk_create(
                SchemeInput(
                    run=run,
                    source=source,
                    name=sound(each.name)[:NAME],
                    content=each.data,
                    size=len(each.data),
                )
                for source, each in asked.inputs.items()
            )
            run.job = order(
                kind="schemes.score_run",
                key=run.job_key,
                args={"run_id": run.pk},
                priority=Job.Priority.RUNS,
            )
            run.save(update_fields=["job"])
    except IntegrityError:
        earlier = earlier_run(owner=owner, client_key=client_key)  # sent twice at one moment
        if earlier is None:
            raise
        return earlier
    return run


def earlier_run(*, owner: User, client_key: ClientKey | None) -> SchemeRun | None:
    """The run a person has ordered by this key before. Raises ``Conflict`` for another."""
    if client_key is None:
        return None
    run = SchemeRun.objects.filter(owner=owner, client_key=client_key.name).first()
    if run:
        client_key.refuse_other(run.client_digest)
    return run


def score(*, run_id: int) -> None:
    """Score a run and keep what comes out. Safe to repeat: the same inputs give the same."""
    run = SchemeRun.objects.select_related("key").filter(pk=run_id).first()
    if run is None or run.state in SchemeRun.FINISHED:
        return  # deleted or done meanwhile
    with fenced():
        SchemeRun.objects.filter(pk=run_id).update(
            state=SchemeRun.State.RUNNING, started_at=Now(), done=0, total=0
        )
    end = time.monotonic() + WRITTEN * settings.JOB_LIMIT_SECONDS
    try:
        _keep(run_id, _scored(run), end)
    except Unfit as unfit:
        _close(run_id, state=SchemeRun.State.FAILED, problems=list(unfit.sentences))
    except TooLong:
        _close(run_id, state=SchemeRun.State.FAILED, problems=[said(lambda tell: tell(TOO_LONG))])


def drop_run(*, run: SchemeRun) -> None:
    """Delete a run with its inputs and items, be it scored or not.

    Raises ``Refused`` where an app above holds it.
    """
    try:
        with transaction.atomic():
            take_back(key=run.job_key)
            SchemeItem.objects.filter(run=run).delete()
            run.delete()
    except ProtectedError:
        raise Refused(_("This run is of a contest: it is kept.")) from None


def inputs_of(run: SchemeRun) -> dict[str, bytes]:
    """The inputs of a run by their sources. Raises ``Unfit`` when its stored key is gone."""
    scheme = SCHEMES[run.scheme]
    inputs = {each.source: bytes(each.content) for each in run.inputs.all()}
    if run.key is not None and scheme.key is not None:
        inputs[run.key.source or scheme.key.name] = bytes(run.key.content)
    if any(each.name not in inputs for each in scheme.sources):
        raise Unfit(said(lambda tell: tell(KEY_GONE)))
    return inputs


def _scored(run: SchemeRun) -> Scored:
    scheme = SCHEMES[run.scheme]
    reads = scheme.read(inputs_of(run), run.options)
    scored = scheme.score(reads, run.options, run.veiled, _Progress(run.pk))
    if len(scored.items) > MAX_ITEMS:
        raise Unfit(said(lambda tell: tell(TOO_MANY).format(limit=MAX_ITEMS)))
    return scored


class _Progress:
    """Notes how far a run is, now and then; ends one that takes too long."""

    def __init__(self, run_id: int) -> None:
        self._run_id = run_id
        self._end = time.monotonic() + SHARE * settings.JOB_LIMIT_SECONDS
        self._next = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now > self._end:
            raise TooLong
        if now >= self._next:
            self._next = now + PAUSE
            running = SchemeRun.objects.filter(pk=self._run_id, state=SchemeRun.State.RUNNING)
            running.update(done=done, total=total)


def _keep(run_id: int, scored: Scored, end: float) -> None:
    """Write the items in place of any earlier ones, then the figures.

    In transactions of ``BATCH`` items: between two of them others write. Nobody sees the items
    before the run is done. Raises ``TooLong`` when the clock shows ``end`` before.
    """
    with fenced():
        SchemeItem.objects.filter(run_id=run_id).delete()
    rows = (_row(run_id, number, item) for number, item in enumerate(scored.items, 1))
    while batch := list(islice(rows, BATCH)):
        if time.monotonic() > end:
            raise TooLong
        with fenced():
            if not SchemeRun.objects.select_for_update().filter(pk=run_id).exists():
                return  # deleted meanwhile
            SchemeItem.objects.bulk_create(batch)
    count = len(scored.items)
    with fenced():
        _finish(
            run_id,
            state=SchemeRun.State.DONE,
            figures=_sound(scored.figures),
            problems=_sound(scored.problems),
            readings=_sound(scored.readings),
            done=count,
            total=count,
        )


def _row(run_id: int, number: int, item: Item) -> SchemeItem:
    return SchemeItem(
        run_id=run_id,
        number=number,
        name=sound(item.name)[:NAME],
        group=sound(item.group)[:NAME],
        verdict=item.verdict,
        points=item.points,
        maximum=item.maximum,
        reason=_sound(item.reason),
        cells=_sound(item.cells),
    )


def _close(run_id: int, *, state: SchemeRun.State, problems: list[Said]) -> None:
    with fenced():
        _finish(run_id, state=state, problems=_sound(problems))


def _finish(run_id: int, **fields: Any) -> None:
    if SchemeRun.objects.filter(pk=run_id).update(finished_at=Now(), **fields):
        run_finished.send(sender=SchemeRun, run_id=run_id)


def _sound(value: Any) -> Any:
    """JSON every database takes."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, Mapping):
        return {sound(str(key)): _sound(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_sound(each) for each in value]
    return value
