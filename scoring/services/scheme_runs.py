"""Runs of the schemes: ordered by a person, scored by a job, deleted by their owner."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Sum
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.limits import Limit, take
from annotator.core.messages import N_
from annotator.services.refusals import Refused
from jobs.models import Job
from jobs.services.work import fenced, order, take_back
from scoring.access import may_read
from scoring.models import SchemeInput, SchemeItem, SchemeRun, StoredKey
from scoring.schemes import SCHEMES
from scoring.schemes.scheme import MAX_ITEMS, Item, Outcome, Scheme, TooLong, Unfit
from scoring.schemes.words import Said, said

RUNS: Final = Limit(tries=120, seconds=60 * 60)
WAITING: Final = 10
"""So many runs of one person may wait or be scored at a time."""
ROOM: Final = 500 * 1024 * 1024
"""So many bytes of inputs of one person are kept."""
SHARE: Final = 0.5
"""Of the time a job has, the scoring may take so much; the rest is for writing."""
PAUSE: Final = 0.5
"""Seconds between two notes of the progress."""
BATCH: Final = 2000
NAME: Final = 200
UNSOUND: Final = re.compile("[\0\ud800-\udfff]")
"""What no database takes in a text: NUL and halves of surrogate pairs."""

KEY_GONE: Final = N_("The stored key was deleted. Choose another one and run again.")
TOO_LONG: Final = N_("Scoring takes longer than a job may work. Split the input.")
TOO_MANY: Final = N_("There are more than {limit} items. Split the input.")


class TooOften(Refused):
    """The person has ordered as many runs as fit."""

    code = "too-often"


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


def order_run(*, owner: User, asked: Asked, client_key: str | None = None) -> SchemeRun:
    """Keep the inputs and promise the scoring; ordered twice by one client key it is one run.

    Raises ``TooOften``, and ``Refused`` when the person's room is full.
    """
    earlier = earlier_run(owner=owner, client_key=client_key)
    if earlier:
        return earlier
    _refuse_too_many(owner, asked)
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
                client_key=client_key,
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
            args = {"run_id": run.pk}
            run.job = order(kind="scoring.score_scheme", key=run.job_key, args=args)
            run.save(update_fields=["job"])
    except IntegrityError:
        earlier = earlier_run(owner=owner, client_key=client_key)  # sent twice at one moment
        if earlier is None:
            raise
        return earlier
    return run


def earlier_run(*, owner: User, client_key: str | None) -> SchemeRun | None:
    """The run a person has ordered by this key before."""
    if client_key is None:
        return None
    return SchemeRun.objects.filter(owner=owner, client_key=client_key).first()


def score_run(*, run_id: int) -> None:
    """Score a run and keep what comes out. Safe to repeat: the same inputs give the same."""
    run = SchemeRun.objects.select_related("key").filter(pk=run_id).first()
    if run is None or run.state in SchemeRun.FINISHED:
        return  # deleted or done meanwhile
    with fenced():
        SchemeRun.objects.filter(pk=run_id).update(
            state=SchemeRun.State.RUNNING, started_at=Now(), done=0, total=0
        )
    try:
        outcome = _outcome(run)
    except Unfit as unfit:
        _close(run_id, state=SchemeRun.State.FAILED, problems=list(unfit.sentences))
    except TooLong:
        _close(run_id, state=SchemeRun.State.FAILED, problems=[said(lambda tell: tell(TOO_LONG))])
    else:
        _keep(run_id, outcome)


def drop_run(*, run: SchemeRun) -> None:
    """Delete a run with its inputs and items, be it scored or not."""
    with transaction.atomic():
        take_back(key=run.job_key)
        SchemeItem.objects.filter(run=run).delete()
        run.delete()


def keep_key(*, owner: User, scheme: Scheme, name: str, data: bytes, offered: bool) -> StoredKey:
    """Store a key that can be used. Raises ``Unfit`` for another, ``Refused`` for a taken name."""
    source = scheme.key
    if source is None:
        raise Refused(_("This scheme has no key."))
    source.read(data, {}, {})
    _refuse_full(owner, len(data))
    try:
        with transaction.atomic():
            return StoredKey.objects.create(
                owner=owner,
                scheme=scheme.slug,
                name=name,
                offered=offered,
                content=data,
                size=len(data),
            )
    except IntegrityError:
        raise Refused(_("You have a key of this name. Choose another name.")) from None


def offer_key(*, key: StoredKey, offered: bool) -> None:
    """Let everybody use a key, or its readers only; runs that were made stay as they are."""
    StoredKey.objects.filter(pk=key.pk).update(offered=offered)


def drop_key(*, key: StoredKey) -> None:
    """Delete a key; finished runs by it stay."""
    StoredKey.objects.filter(pk=key.pk).delete()


def sound(text: str) -> str:
    """A text every database takes."""
    return UNSOUND.sub("\N{REPLACEMENT CHARACTER}", text)


def inputs_of(run: SchemeRun) -> dict[str, bytes]:
    """The inputs of a run by their sources. Raises ``Unfit`` when its stored key is gone."""
    scheme = SCHEMES[run.scheme]
    inputs = {each.source: bytes(each.content) for each in run.inputs.all()}
    if run.key is not None and scheme.key is not None:
        inputs[scheme.key.name] = bytes(run.key.content)
    if scheme.key is not None and scheme.key.name not in inputs:
        raise Unfit(said(lambda tell: tell(KEY_GONE)))
    return inputs


def _outcome(run: SchemeRun) -> Outcome:
    scheme = SCHEMES[run.scheme]
    reads = scheme.read(inputs_of(run), run.options)
    outcome = scheme.score(reads, run.options, run.veiled, _Progress(run.pk))
    if len(outcome.items) > MAX_ITEMS:
        raise Unfit(said(lambda tell: tell(TOO_MANY).format(limit=MAX_ITEMS)))
    return outcome


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


def _keep(run_id: int, outcome: Outcome) -> None:
    """Write the items and the figures in one transaction, in place of any earlier ones."""
    with fenced():
        if not SchemeRun.objects.select_for_update().filter(pk=run_id).exists():
            return  # deleted meanwhile
        SchemeItem.objects.filter(run_id=run_id).delete()
        rows = (_row(run_id, number, item) for number, item in enumerate(outcome.items, 1))
        while batch := list(islice(rows, BATCH)):
            SchemeItem.objects.bulk_create(batch)
        count = len(outcome.items)
        _finish(
            run_id,
            state=SchemeRun.State.DONE,
            figures=_sound(outcome.figures),
            problems=_sound(outcome.problems),
            readings=_sound(outcome.readings),
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
    SchemeRun.objects.filter(pk=run_id).update(finished_at=Now(), **fields)


def _sound(value: Any) -> Any:
    """JSON every database takes."""
    if isinstance(value, str):
        return sound(value)
    if isinstance(value, Mapping):
        return {sound(str(key)): _sound(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_sound(each) for each in value]
    return value


def _refuse_too_many(owner: User, asked: Asked) -> None:
    runs = SchemeRun.objects.filter(owner=owner).exclude(state__in=SchemeRun.FINISHED)
    waiting = runs.exclude(job__state=Job.State.FAILED).count()
    if waiting >= WAITING:
        words = _("You have %d runs that are not finished. Wait for them or delete some.")
        raise TooOften(words % waiting)
    _refuse_full(owner, sum(len(each.data) for each in asked.inputs.values()))
    if not take(key=f"scheme-runs:{owner.pk}", limit=RUNS):
        raise TooOften(_("You have ordered %d runs within an hour. Wait a little.") % RUNS.tries)


def _refuse_full(owner: User, more: int) -> None:
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
