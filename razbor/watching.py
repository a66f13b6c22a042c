"""What whoever sits before a running session sees."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from razbor.answers import Checked
from razbor.client import ExchangeError, File, Receipt
from razbor.words import _
from web.core.sentences import N_

MODES: Final = {
    "technical": N_("technical"),
    "algorithmic": N_("algorithmic"),
    "final": N_("final"),
}
"""What a session is called whose mode was asked for by such a word."""
REHEARSAL: Final = N_("rehearsal")
REMARKS: Final = 3
"""So many of an answer are told; of a program that errs everywhere the others are counted."""
QUIET: Final = 5.0
"""So many seconds somebody waits for a program to wake up before it is said what is waited for."""
AFRESH: Final = "\r\x1b[K"
"""Back to the beginning of a line of the terminal, which is emptied."""


class Watcher:
    """A line a file on the output; on a terminal a bar with the time left below them."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.began = 0.0
        self.is_cut = False

    def begins(self, session: Mapping[str, Any], *, again: bool) -> None:
        """A session was opened, or is gone on with."""
        words = _("Session {id} goes on: {mode}, files: {files}, {limit:g} s for each.")
        if not again:
            words = _("Session {id} is open: {mode}, files: {files}, {limit:g} s for each.")
        rules = session["rules"]
        mode = _(MODES.get(session["mode"], session["mode"]))
        if session.get("rehearsal"):
            mode = _(REHEARSAL)
        self.say(words.format(**{**session, "mode": mode, "limit": rules["limit"]}))
        if session["state"] == "waiting":
            start = datetime.fromisoformat(rules["start"]).astimezone()
            self.say(_("The first file opens at {moment}.").format(moment=f"{start:%Y-%m-%d %X}"))
        if sys.stderr.isatty():
            self._show_bar(session["files"])

    def tries(self, seconds: float) -> Callable[[], None]:
        """What is called about once a second while a program wakes up, which has so many."""
        began, told = time.monotonic(), False

        def tick() -> None:
            nonlocal told
            if told or time.monotonic() - began < QUIET:
                return
            told = True
            words = _("Your program is tried with an essay of nobody, and has {n:g} s to wake up.")
            self.say(words.format(n=seconds))

        return tick

    def gets(self, file: File) -> None:
        """A file was handed out."""
        self.began, self.is_cut = time.monotonic(), False
        if self.bar is not None:
            self.bar.n = file.position - 1
        self.ticks(file)

    def ticks(self, file: File) -> None:
        """A second has passed."""
        if self.bar is not None:
            words = _("{file}: {seconds:.0f} s left")
            told = words.format(file=file.name, seconds=file.seconds_left)
            self.bar.set_postfix_str(told)

    def fails(self, file: File, why: str) -> None:
        """The program gave no answer that can be used."""
        self.tell(file, _("no answer is sent: {why}").format(why=why))

    def sent(self, file: File, checked: Checked, receipt: Receipt) -> None:
        """An answer was sent, and the platform said what it makes of it."""
        if receipt.accepted:
            words = _("accepted after {seconds:.1f} s, fragments: {count}")
            seconds = time.monotonic() - self.began
            self.tell(file, words.format(seconds=seconds, count=checked.fragments))
        else:
            found = [receipt.message, *(str(each.get("message", "")) for each in receipt.problems)]
            self.tell(file, _("does not count: {why}").format(why=" ".join(found[:2])))
        for remark in checked.remarks[:REMARKS]:
            self.tell(file, _("remark: {remark}").format(remark=remark))
        if more := len(checked.remarks[REMARKS:]):
            self.tell(file, _("further remarks: {count}").format(count=more))

    def cut(self, error: ExchangeError) -> None:
        """The platform does not answer; told once a file."""
        if not self.is_cut:
            self.is_cut = True
            self.say(_("{why} Trying again.").format(why=error.sentence))

    def tell(self, file: File, words: str) -> None:
        self.say(f"[{file.position}/{file.files}] {file.name}: {words}")

    def say(self, words: str) -> None:
        if self.bar is not None:
            self.bar.write(words)
        else:
            sys.stdout.write(words + "\n")
            sys.stdout.flush()

    def close(self) -> None:
        """No more is shown."""
        if self.bar is not None:
            self.bar.close()
            self.bar = None

    def _show_bar(self, files: int) -> None:
        try:
            from tqdm import tqdm  # noqa: PLC0415 - only where somebody watches
        except ImportError:
            self.bar = PlainBar(files)
        else:
            self.bar = tqdm(total=files, unit=_(" files"), file=sys.stderr)


class PlainBar:
    """The same where tqdm is not installed: a line of the terminal that is written over."""

    def __init__(self, total: int) -> None:
        self.n, self.total = 0, total

    def set_postfix_str(self, told: str) -> None:
        files = _(" files")
        sys.stderr.write(f"{AFRESH}{self.n}/{self.total}{files}, {told}")
        sys.stderr.flush()

    def write(self, words: str) -> None:
        sys.stderr.write(AFRESH)
        sys.stderr.flush()
        sys.stdout.write(words + "\n")
        sys.stdout.flush()

    def close(self) -> None:
        sys.stderr.write(AFRESH)
        sys.stderr.flush()
