"""Keeps processes alive together and stops them together; what they do is config/run.py."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from config.bootstrap import ROOT
from config.speech import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

STOPPING: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE: Final = 15.0
"""Seconds between asking a child to stop and killing it."""
LONGEST_PAUSE: Final = 30.0
"""A child that dies again and again is started again at once, then after 0.5, 1, 2 ... 30 s."""
PROVEN: Final = 30.0
"""A child that lived this long has not died again: its deaths are counted anew."""
HOPELESS: Final = 3
"""Deaths of one child before anything was served: then the set-up is wrong, not unlucky."""

LEASH: Final = (
    "import ctypes, os, pwd, signal, sys\n"
    "parent, account, *command = sys.argv[1:]\n"
    "if account:\n"
    "    entry = pwd.getpwnam(account)\n"
    "    os.setgroups([]), os.setgid(entry.pw_gid), os.setuid(entry.pw_uid)\n"
    "if sys.platform == 'linux': ctypes.CDLL(None).prctl(1, signal.SIGTERM)\n"
    "if os.getppid() == int(parent): os.execvp(command[0], command)\n"
)


def leashed(command: Sequence[str], account: str = "") -> list[str]:
    """Make a command get TERM when we die, even by KILL: no orphan is left to hold the port."""
    return [sys.executable, "-I", "-S", "-c", LEASH, str(os.getpid()), account, *command]


@dataclass
class Child:
    """One process of ours, with its log and the story of its deaths."""

    name: str
    command: Sequence[str]
    log: Path
    descriptors: tuple[int, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0
    started: float = 0.0
    due: float = 0.0

    def tend(self, now: float) -> None:
        """Start what is due, notice what has died."""
        if self.process is None:
            if now >= self.due:
                self.start(now)
        elif self.process.poll() is not None:
            self.mourn(now)

    def start(self, now: float) -> None:
        self.started = now
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - our own words, no shell
                leashed(self.command),
                cwd=ROOT,
                env={**os.environ, **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self.descriptors,
                start_new_session=True,  # Ctrl+C in the terminal is for us to pass on
            )

    def mourn(self, now: float) -> None:
        assert self.process is not None  # noqa: S101
        code = self.process.returncode
        self.sweep()
        self.deaths = 1 if now - self.started >= PROVEN else self.deaths + 1
        pause = min(0.5 * 2 ** (self.deaths - 2), LONGEST_PAUSE) if self.deaths > 1 else 0.0
        self.process, self.due = None, now + pause
        say(
            f"{self.name} stopped with code {code}, starting again in {pause:g} s ({self.log})",
            f"{self.name}: остановка с кодом {code}, запуск через {pause:g} с ({self.log})",
        )

    def sweep(self) -> None:
        """Kill the whole group: a dead parent may have left children at work."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)


def supervise(
    children: Sequence[Child],
    *,
    ready: Callable[[], bool],
    announce: Callable[[], None],
    shut: Callable[[], None],
    patience: float = PATIENCE,
) -> int:
    """Keep the children alive until a signal asks to stop; return the exit code.

    `announce` is called once `ready` says so, `shut` before the children are stopped.
    """
    announced = False
    with stop_signals() as asked:
        try:
            while not asked:
                for child in children:
                    child.tend(time.monotonic())
                if not announced and ready():
                    announced = True
                    announce()
                if not announced and (lost := hopeless(children)):
                    say(last_words(lost), last_words(lost))
                    return 1
                time.sleep(0.1)
        finally:
            shut()
            stop(children, patience, asked)
    return 0


def hopeless(children: Sequence[Child]) -> Child | None:
    return next((child for child in children if child.deaths >= HOPELESS), None)


def last_words(child: Child) -> str:
    lines = child.log.read_text("utf-8", "replace").splitlines()[-15:]
    return "\n".join([f"{child.log}:", *lines])


def stop(children: Sequence[Child], patience: float, asked: Sequence[int]) -> None:
    """TERM to all at once, KILL to whoever is left when patience (or the user's, twice) ends."""
    running = [child for child in children if child.process]
    say("Stopping (once more: at once)...", "Останавливаю (ещё раз: немедленно)...")
    for child in running:
        if child.process and child.process.poll() is None:
            child.process.terminate()
    deadline = time.monotonic() + patience
    signals = len(asked)
    while any(child.process and child.process.poll() is None for child in running):
        if time.monotonic() > deadline or len(asked) > signals:
            break
        time.sleep(0.05)
    for child in running:
        child.sweep()
        if child.process:
            child.process.wait()


@contextlib.contextmanager
def stop_signals() -> Iterator[list[int]]:
    """Collect requests to stop instead of dying of the first one."""
    asked: list[int] = []
    before = {name: signal.getsignal(name) for name in STOPPING}
    for name, handler in before.items():
        if handler is not signal.SIG_IGN:  # nohup
            signal.signal(name, lambda number, _: asked.append(number))
    try:
        yield asked
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
