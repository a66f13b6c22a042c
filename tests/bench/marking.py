"""`bench marking`: what the marking screen is held to, each beside something in the same run.

In process: the processor's time of a save, a page and a comparison through all middleware, from a
WSGI request to its whole answer, beside a fixed piece of Python; queries and bytes of a save. Over
HTTP: 16 people at once (``tests.bench.crowd``). In Chromium: a key (``tests.bench.keys``), and
submitting with the next essay (``tests.bench.submitting``).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from statistics import median
from urllib.parse import urlencode

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotator.models import MarkupRecord
from config.garbage import stand
from tests.bench import crowd, keys, submitting
from tests.bench.comparison import two_markups
from tests.bench.screen import database, draft, uninstrumented
from tests.bench.timing import percentile, piece
from tests.factories import PersonFactory

ROUNDS = 40


def figures(addresses: Mapping[str, str], *chosen: str) -> Iterator[str]:
    """The parts that are chosen, or all: ``process``, ``crowd``, ``keys``, ``next``.

    ``addresses`` of other tools as ``tests.bench.crowd`` takes them.
    """
    parts = {
        "process": process,
        "crowd": lambda: crowd.figures(addresses),
        "keys": keys.figures,
        "next": submitting.figures,
    }
    for part in chosen or parts:
        yield from parts[part]()


def process() -> Iterator[str]:
    """A save, a page, a comparison, in a database of their own."""
    with database(), uninstrumented():
        yield from in_process()


def in_process() -> Iterator[str]:
    """A save, a page, a comparison: processor time, and what a save asks and sends."""
    record = draft(40)
    expert, judge = Client(), Client()
    expert.force_login(record.author)
    judge.force_login(PersonFactory(role=User.Role.JUDGE))
    left, right = two_markups()
    stand()  # as the web's processes do
    page, pair = f"/markups/{record.pk}/", f"/compare/{left.pk}/{right.pk}/"
    rest: list[Iterator[bytes]] = []

    def tidy() -> None:
        list(chain.from_iterable(rest))
        rest.clear()
        taken_out(record)

    yield measured(
        "save a mark, until it is stored", lambda: rest.append(begun(expert, record)), tidy
    )
    yield measured("save a mark, its whole answer", lambda: save(expert, record), tidy)
    yield measured("open the marking page, 40 marks", lambda: expert.get(page))
    yield measured("open a comparison, 2 x 60", lambda: judge.get(pair))
    with CaptureQueriesContext(connection) as queries:
        sent = save(expert, record)
    turns = ("BEGIN", "COMMIT")
    asked = [each for each in queries if not each["sql"].startswith(turns)]
    yield f"a save: {len(asked)} queries besides BEGIN and COMMIT, {sent} bytes up"


def measured(
    name: str, call: Callable[[], object], tidy: Callable[[], object] = lambda: None
) -> str:
    """The processor's milliseconds of a call, and how many pieces of plain Python that is.

    ``tidy`` follows each call, uncounted.
    """
    pairs = []
    for _ in range(ROUNDS + 4):
        pairs.append((spent(call), spent(piece)))
        tidy()
    del pairs[:4]  # what is made once is made
    ours, plain = ([each[at] for each in pairs] for at in (0, 1))
    ratio = median(ours) / median(plain)
    return (
        f"{name:<40} {median(ours) * 1000:>7.2f} ms, p95 {percentile(ours, 95) * 1000:>7.2f} ms, "
        f"{ratio:.2f} x a piece of Python ({median(plain) * 1000:.2f} ms)"
    )


def spent(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


def save(client: Client, record: MarkupRecord) -> int:
    """Mark a place as the page does; the bytes of the form."""
    list(begun(client, record))
    return len(form_of(record, record.version - 1))


def begun(client: Client, record: MarkupRecord) -> Iterator[bytes]:
    """Mark a place as the page does; with the first byte the page knows that it is stored."""
    answer = client.post(
        f"/markups/{record.pk}/fragments/",
        form_of(record, record.version),
        content_type="application/x-www-form-urlencoded",
        headers={"HX-Request": "true", "X-Stored": "?"},
    )
    assert answer.status_code == 200, answer.content
    record.version += 1
    parts = answer.streaming_content
    next(parts)
    return parts


def form_of(record: MarkupRecord, seen: int) -> str:
    """What a page that shows this version sends."""
    quote = record.essay.text[:4]
    fields = {"uid": uuid.uuid4(), "start": 0, "end": 4, "quote": quote, "code": "А.лекс"}
    return urlencode({**fields, "version": seen, "shown": seen, "page": "bench"})


def taken_out(record: MarkupRecord) -> None:
    """The draft has as many marks as before."""
    record.fragments.filter(start=0, end=4).delete()
