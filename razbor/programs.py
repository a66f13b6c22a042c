"""Programs that mark: one process a file, one for all files, or any that watches a folder."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from annotator.core.values import LARGEST_MARKUP
from razbor.client import File, as_bytes
from razbor.errors import Unusable
from razbor.words import _

CHUNK: Final = 65_536
AHEAD: Final = 64
"""So many chunks of what a program prints are kept before it must wait."""
GLANCE: Final = 0.2
"""Seconds between two looks into the folder of answers."""
GRACE: Final = 5.0
"""Seconds a program has to end once its output is closed."""


class MarkerFailed(Exception):
    """A program gave no answer; ``str()`` says why. ``late``: the time was over."""

    def __init__(self, sentence: str, *, late: bool = False) -> None:
        super().__init__(sentence)
        self.late = late


class Marker(Protocol):
    """Whatever answers an essay."""

    tick: Callable[[], None]
    """Called about once a second while it works."""
    corrects: bool
    """True when after an answer that cannot be used it may give another one."""

    def mark(self, file: File) -> bytes:
        """The answer to a file, before it is due. Raises ``MarkerFailed``."""

    def close(self) -> None:
        """Stop what still runs."""


def nothing() -> None:
    """Nobody watches."""


class Running:
    """A process in a group of its own: Ctrl+C is ours, and what it starts ends with it."""

    def __init__(self, words: list[str]) -> None:
        try:
            self.process = subprocess.Popen(  # noqa: S603 - the participant's own command, no shell
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            hint = _("{command}: cannot be started ({reason}). Check the command.")
            raise Unusable(hint.format(command=words[0], reason=error.strerror)) from None
        self.chunks: queue.Queue[bytes] = queue.Queue(AHEAD)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def say(self, data: bytes, *, last: bool) -> None:
        """Hand something over; ``last``: nothing comes after it. Does not wait."""
        threading.Thread(target=self._write, args=(data, last), daemon=True).start()

    def hear(self, due: float, tick: Callable[[], None]) -> bytes:
        """What is printed next; empty once there is no more. Raises ``MarkerFailed`` when late."""
        while (left := due - time.monotonic()) > 0:
            tick()
            with contextlib.suppress(queue.Empty):
                return self.chunks.get(timeout=min(left, 1.0))
        raise MarkerFailed(_("it was stopped: the time for the answer was over"), late=True)

    def forget(self) -> None:
        """What was printed and nobody asked for is dropped."""
        with contextlib.suppress(queue.Empty):
            while self.chunks.get_nowait():
                pass
            self.chunks.put(b"")  # the end is still to be heard

    def status(self) -> int | None:
        """How it ended; ``None`` when it does not end although it says no more."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(GRACE)
        return None

    def end(self) -> None:
        """Stop it and all it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        with contextlib.suppress(queue.Empty):
            while self.chunks.get(timeout=1.0):
                pass
        self.reader.join(1.0)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe and not self.reader.is_alive():
                with contextlib.suppress(OSError):
                    pipe.close()

    def _read(self) -> None:
        stdout = self.process.stdout
        with contextlib.suppress(OSError, ValueError):
            while stdout and (chunk := os.read(stdout.fileno(), CHUNK)):
                self.chunks.put(chunk)
        self.chunks.put(b"")

    def _write(self, data: bytes, last: bool) -> None:
        stdin = self.process.stdin
        with contextlib.suppress(OSError, ValueError):
            if stdin:
                stdin.write(data)
                stdin.flush()
                if last:
                    stdin.close()


class OneByOne:
    """A process a file: the essay's JSON comes in, the markup goes out, and it ends."""

    corrects = False

    def __init__(self, command: str) -> None:
        self.words = words_of(command)
        self.tick = nothing

    def mark(self, file: File) -> bytes:
        running = Running(self.words)
        try:
            running.say(as_bytes(file.essay), last=True)
            found = bytearray()
            while chunk := running.hear(file.due, self.tick):
                found += chunk
                refuse_endless(found)
            if status := running.status():
                raise crashed(status)
            return bytes(found)
        finally:
            running.end()

    def close(self) -> None:
        """Nothing runs between two files."""


class Persistent:
    """One process for all files: a line of JSON comes in, a line goes out, each in its turn.

    The line that goes out is the markup, or a JSON string with the essay in the bracket language.
    A process that has ended or was stopped at the last moment is started again for the next file.
    """

    corrects = False

    def __init__(self, command: str) -> None:
        self.words = words_of(command)
        self.tick = nothing
        self.running: Running | None = None

    def mark(self, file: File) -> bytes:
        if self.running and self.running.process.poll() is not None:
            self.close()
        running = self.running = self.running or Running(self.words)
        running.forget()
        try:
            running.say(as_bytes(file.essay) + b"\n", last=False)
            found = bytearray()
            while b"\n" not in found:
                chunk = running.hear(file.due, self.tick)
                if not chunk:
                    raise crashed(running.status())
                found += chunk
                refuse_endless(found)
        except BaseException:
            self.close()
            raise
        return unquoted(bytes(found).partition(b"\n")[0])

    def close(self) -> None:
        if self.running:
            self.running.end()
            self.running = None


class Folders:
    """Essays go into a folder as ``NAME.json``, and any program puts its answers into another.

    The answer is ``NAME.json``, or ``NAME.txt`` in the bracket language, newer than the essay; it
    is taken once it has stopped changing.
    """

    corrects = True

    def __init__(self, essays: Path, answers: Path, *, goes_on: bool = False) -> None:
        self.essays, self.answers, self.goes_on = essays, answers, goes_on
        self.tick = nothing
        self.taken: dict[str, tuple[int, int]] = {}
        for folder in (essays, answers):
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise Unusable(f"{folder}: {error.strerror}.") from None

    def mark(self, file: File) -> bytes:
        since = self._laid(file)
        before: dict[Path, tuple[int, int]] = {}
        while file.seconds_left:
            self.tick()
            time.sleep(min(GLANCE, file.seconds_left))
            for path in (self.answers / f"{file.name}{kind}" for kind in (".json", ".txt")):
                with contextlib.suppress(OSError):
                    seen = path.stat()
                    now = (seen.st_mtime_ns, seen.st_size)
                    if now[0] < since or now == self.taken.get(str(path)):
                        continue
                    if now == before.get(path):
                        self.taken[str(path)] = now
                        return path.read_bytes()
                    before[path] = now
        words = _("no new answer {name}.json or {name}.txt was put into {folder} in time")
        raise MarkerFailed(words.format(name=file.name, folder=self.answers), late=True)

    def close(self) -> None:
        """The programs that watch the folders are not ours."""

    def _laid(self, file: File) -> int:
        """Lay the essay down, whole at once; since when it lies there."""
        if Path(file.name).name != file.name or file.name.startswith("."):
            raise MarkerFailed(_("“{name}” is no name of a file").format(name=file.name))
        path, data = self.essays / f"{file.name}.json", as_bytes(file.essay)
        lies_there = self.goes_on or file.name in self._names_taken()
        if not (lies_there and path.exists() and path.read_bytes() == data):
            try:
                fresh = path.with_name(f".{path.name}.new")
                fresh.write_bytes(data)
                fresh.replace(path)
            except OSError as error:
                raise Unusable(f"{path}: {error.strerror}.") from None
        return path.stat().st_mtime_ns

    def _names_taken(self) -> set[str]:
        return {Path(name).stem for name in self.taken}


def words_of(command: str) -> list[str]:
    """A command as a program and its arguments; no shell reads it. Raises ``Unusable``."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        hint = _("“{command}” is no command. Check its quotation marks.")
        raise Unusable(hint.format(command=command))
    return words


def refuse_endless(found: bytearray) -> None:
    if len(found) > LARGEST_MARKUP:
        raise MarkerFailed(_("its answer is larger than 2.5 MB"))


def crashed(status: int | None) -> MarkerFailed:
    """Why nothing more comes of a process."""
    if status is None:
        return MarkerFailed(_("it closed its output and did not end"))
    if status < 0:
        return MarkerFailed(_("it was ended by signal {number}").format(number=-status))
    return MarkerFailed(_("it ended with status {number}").format(number=status))


def unquoted(line: bytes) -> bytes:
    """The bracket text of a JSON string; else the line as it is."""
    if not line.lstrip().startswith(b'"'):
        return line
    try:
        text = json.loads(line)
    except ValueError:
        return line
    return str(text).encode("utf-8", "surrogatepass")


def essay_for_trial() -> Mapping[str, Any]:
    """An essay of nobody, to warm a program up with."""
    meta = {"id": "0", "subject": "eng", "theme": "A trial", "year": 2026, "test": "trial"}
    return {"meta": meta, "text": "This essay belongs to nobody. It only wakes the program up."}
