"""Two ways of doing one thing, measured in turns in one run."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

ROUNDS = 15
LONG_ENOUGH = 0.02
"""Seconds a round lasts at least: a quick thing is done several times in it."""


@dataclass(frozen=True)
class Case:
    """What is measured: ours, and a peer that does the same or a part of it."""

    name: str
    ours: Callable[[], object]
    peer: Callable[[], object] | None = None
    peer_name: str = ""


@dataclass(frozen=True)
class Figures:
    """Seconds a call takes (median and the 95th percentile of rounds), bytes it needs at most."""

    name: str
    ours: list[float]
    peer_name: str = ""
    peer: list[float] = field(default_factory=list)
    memory: int | None = None

    def __str__(self) -> str:
        line = f"{self.name:<52}{ms(median(self.ours))}{ms(percentile(self.ours, 95))}"
        line += f"{self.memory / 1024:>10.0f}" if self.memory is not None else f"{'–':>10}"
        if self.peer:
            ratio = median(self.ours) / median(self.peer)
            line += f"{ratio:>9.2f} × {self.peer_name} ({median(self.peer) * 1000:.3f} ms)"
        return line


HEAD = f"{'':<52}{'p50, ms':>10}{'p95, ms':>10}{'KiB':>10}{'ratio':>9}"


def ms(seconds: float) -> str:
    return f"{seconds * 1000:>10.3f}"


def percentile(values: list[float], share: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def measure(case: Case) -> Figures:
    """Time a case and its peer in turns; memory is traced in a call of its own."""
    calls = [each for each in (case.ours, case.peer) if each]
    repeats = [calls_per_round(each) for each in calls]
    gc.collect()
    gc.freeze()  # as the web server does once it is up
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for call, often, found in zip(calls, repeats, times, strict=True):
            found.append(seconds(call, often))
    return Figures(
        case.name, times[0], case.peer_name, times[1] if case.peer else [], peak(case.ours)
    )


def calls_per_round(call: Callable[[], object]) -> int:
    call()  # what is made once is made
    return max(1, int(LONG_ENOUGH / max(seconds(call, 1), 1e-7)))


def seconds(call: Callable[[], object], often: int) -> float:
    began = time.perf_counter()
    for _ in range(often):
        call()
    return (time.perf_counter() - began) / often


def piece() -> int:
    """A fixed piece of work: 60,000 numbers written, kept and measured."""
    kept: dict[int, str] = {}
    total = 0
    for number in range(60_000):
        kept[number & 1023] = str(number)
        total += len(kept[number & 1023])
    return total


def peak(call: Callable[[], object]) -> int:
    tracemalloc.start()
    call()
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most
