"""Parts of ``bench exchange`` without a crowd: a final is judged, a gateway comes back."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path

from contest.core.session_rules import Content, Event, Pace, Rules, Verdict, What
from contest.core.timeline import judge
from tests.bench.crowd import processor_of
from tests.bench.jobs import backends
from tests.bench.timing import ROUNDS, percentile
from tests.e2e.gateways import kill, listens
from tests.e2e.stack import Stack

FILES, SENDS, INTERVAL = 300, 10, 60
TARGET_JUDGED, TARGET_BACK = 0.010, 2.0
"""Seconds that are promised."""


def stacks(given: Mapping[str, str]) -> Iterator[tuple[str, Stack, Path]]:
    """The platform with its gateway at each backend, or where the name says ``only``."""
    for name, addresses in backends():
        if given.get("only", "") not in name.lower():
            continue
        with (
            addresses as found,
            tempfile.TemporaryDirectory() as folder,
            Stack(Path(folder), crew=("web", "gateway", "tick"), **found) as stack,
        ):
            yield name, stack, Path(folder)


def judged(_given: Mapping[str, str]) -> Iterator[str]:
    """A final of 300 files with ten answers each, judged from its events to its verdicts."""
    rules = Rules(Pace.SCHEDULE, 0, INTERVAL, INTERVAL, None, SENDS, Fraction(1, 20), None, 900)
    names = [f"{number:07d}" for number in range(FILES)]
    events = [Event(0, What.OPEN)] + [
        Event(INTERVAL * number + send, What.SEND, name, Content.VALID, f"{name}-{send}")
        for number, name in enumerate(names)
        for send in range(SENDS)
    ]
    found, seconds, worked = None, [], []
    for _ in range(ROUNDS):
        began, before = time.perf_counter(), time.process_time()
        found = judge(rules, names, events, INTERVAL * FILES)
        seconds.append(time.perf_counter() - began)
        worked.append(time.process_time() - before)
    assert found is not None
    counted = sum(each.verdict is Verdict.COUNTED for each in found.files)
    middle, most = (1000 * percentile(seconds, share) for share in (50, 95))
    processor = 1000 * percentile(worked, 50)
    yield (
        f"  {FILES} files x {SENDS} answers, {counted} counted: p50 {middle:.1f}, p95 {most:.1f}"
        f" ms, of the processor p50 {processor:.1f} ms (target {1000 * TARGET_JUDGED:.0f} ms)"
    )


def back(given: Mapping[str, str]) -> Iterator[str]:
    """Seconds from the death of a gateway until its address answers again; ``rounds=NUMBER``."""
    rounds = int(given.get("rounds", 10))
    for name, stack, _folder in stacks(given):
        stack.until(partial(listens, stack.gateway), "the gateway is up")
        measured = [_until_back(stack) for _ in range(rounds)]
        seconds, worked = ([*each] for each in zip(*measured, strict=True))
        middle, worst = (percentile(seconds, share) for share in (50, 100))
        yield (
            f"  {name}, the gateway killed {rounds} times, back after p50 {middle:.2f} s,"
            f" worst {worst:.2f} s (target {TARGET_BACK:.0f} s), of the processor p50"
            f" {percentile(worked, 50):.2f} s; load {os.getloadavg()[0]:.1f}"
        )


def _until_back(stack: Stack) -> tuple[float, float]:
    """Seconds by the clock, and what the new process worked in them."""
    gateway = stack.children["gateway"]
    kill(gateway)
    died = time.perf_counter()
    while not gateway.process or gateway.process.poll() is not None:
        stack.tend()  # as `run` does ten times a second
        time.sleep(0.1)
    stack.until(partial(listens, stack.gateway, 60), "the gateway is back")
    return time.perf_counter() - died, processor_of(gateway.process.pid)
