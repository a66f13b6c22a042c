"""A final of many programs at a real gateway: how punctual files and acknowledgements are.

``judged`` and ``back`` are parts of their own: tests/bench/exchange_parts.py.

Clients of the original, or with ``door=rest`` programs whose answers the web's processes take.

The time is compressed by the rules of the final alone; the clock is the database's. All answers to
a file arrive within 100 ms. At the end history is asked whether any was lost or counted twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from tests.bench.crowd import processor_of
from tests.bench.exchange_parts import back, judged, stacks
from tests.bench.timing import percentile
from tests.contest.crowd import Crowd, Member, Plan
from tests.contest.rest_crowd import RestMember
from tests.e2e.database import connected
from tests.e2e.stack import Stack

OPTIONS = {"clients": 200.0, "files": 6.0, "seconds": 6.0, "after": 2.0}
"""``NAME=number``: programs, files, seconds for each of them, seconds until it is answered."""
ENTERING = 0.1
"""Seconds until the start of the final, for each program that opens its session."""


def figures(given: Mapping[str, str], *chosen: str) -> Iterator[str]:
    """Lines of the parts that are chosen, by default of the final.

    For each backend that is to be had here, or for ``only=sqlite``, ``only=postgres``.
    """
    parts = {"final": finals, "judged": judged, "back": back}
    if unknown := sorted(set(chosen) - set(parts)):
        yield f"No such part: {', '.join(unknown)}. There are: {', '.join(parts)}."
        return
    for part in chosen or ("final",):
        yield from parts[part](given)


def finals(given: Mapping[str, str]) -> Iterator[str]:
    """A final at each backend."""
    said = {**OPTIONS, **{name: float(given[name]) for name in OPTIONS if name in given}}
    for name, stack, folder in stacks(given):
        with connected(stack.database_url):
            yield f"\n{name}, {said['clients']:.0f} programs, a file in {said['seconds']} s"
            yield from a_final(stack, folder, said, given.get("door", ""))


def member_at(stack: Stack, door: str) -> Callable[..., Member | RestMember]:
    """What makes a program of the final at this door."""
    gateway = stack.gateway.getsockname()[1]
    if door == "rest":
        return partial(RestMember, stack.port, gateway)
    return partial(Member, gateway)


def a_final(stack: Stack, folder: Path, said: Mapping[str, float], door: str) -> Iterator[str]:
    clients = int(said["clients"])
    plan = Plan(clients, int(said["files"]), said["seconds"], 5 + ENTERING * clients, said["after"])
    gateway = stack.children["gateway"].process.pid
    crowd = Crowd(member_at(stack, door), plan)
    marks = [(time.time(), processor_of(gateway))]
    crowd.run(lambda: marks.append((time.time(), processor_of(gateway))))
    (began, before), (entered, opening) = marks
    worked = 1000 * (processor_of(gateway) - opening) / (clients * plan.files)
    took = 1000 * (opening - before) / clients
    early = crowd.start - entered
    yield f"  all were in after {entered - began:.1f} s, {early:.1f} s before the start"
    yield told("  files handed out after their moment", crowd.heard("handed_out"))
    yield told("  answers acknowledged", crowd.heard("acknowledged"))
    accepted, refused = len(crowd.heard("accepted")), len(crowd.heard("refused"))
    yield f"  answers: {accepted} accepted, {refused} refused of {clients * plan.files}"
    yield (
        f"  gateway: processor {took:.1f} ms to enter, {worked:.1f} ms a file and answer;"
        f" memory at most {memory_of(gateway)} MiB"
    )
    stack.until(lambda: not crowd.final.sessions.filter(closed_at=None).exists(), "all have ended")
    wrong = crowd.history(folder)
    yield f"  history: {len(wrong)} things wrong {'; '.join(wrong[:3])}"


def told(what: str, seconds: list[float]) -> str:
    middle, most, worst = (percentile(seconds, share) for share in (50, 99, 100))
    return f"{what}: p50 {middle:.3f} s, p99 {most:.3f} s, worst {worst:.3f} s ({len(seconds)})"


def memory_of(process: int) -> int:
    """The most memory a process has had, in MiB."""
    lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(peak) // 1024
