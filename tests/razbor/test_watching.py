"""What the watcher of a session tells on the terminal."""

from __future__ import annotations

import io
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest

from razbor import words
from razbor.answers import Checked
from razbor.client import File, Receipt
from razbor.watching import Watcher

OPEN = {"id": 3, "mode": "final", "files": 2, "state": "open", "rules": {"limit": 60.0}}


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def watched(monkeypatch):
    """Gives somebody who watches, from now on, and whose terminal shows what is returned."""

    def begin():
        monkeypatch.setattr(sys, "stderr", Terminal())
        return sys.stderr

    return begin


def second_file():
    return File(3, "0000007", 2, 2, {"text": ""}, time.monotonic() + 41.4)


def test_who_watches_sees_how_many_files_are_done_and_the_time_left(watched):
    terminal = watched()
    watcher = Watcher()
    watcher.begins(OPEN, again=False)
    watcher.gets(second_file())
    watcher.ticks(second_file())
    watcher.close()

    shown = terminal.getvalue()
    assert "1/2" in shown
    assert "0000007: 41 s left" in shown


def test_without_tqdm_the_same_stands_in_a_line_that_is_written_over(watched, monkeypatch, capsys):
    terminal = watched()
    monkeypatch.setitem(sys.modules, "tqdm", None)
    watcher = Watcher()
    watcher.begins(OPEN, again=False)
    watcher.gets(second_file())
    watcher.say("Accepted.")
    watcher.ticks(second_file())
    watcher.close()

    line = "1/2 files, 0000007: 41 s left"
    assert [*filter(None, terminal.getvalue().split("\r\x1b[K"))] == [line, line]
    assert capsys.readouterr().out.splitlines() == [
        "Session 3 is open: final, files: 2, 60 s for each.",
        "Accepted.",
    ]


def test_where_nobody_watches_no_bar_is_shown(capsys):
    watcher = Watcher()
    watcher.begins(OPEN, again=False)
    watcher.gets(second_file())
    watcher.close()

    told = capsys.readouterr()
    assert (told.out, told.err) == ("Session 3 is open: final, files: 2, 60 s for each.\n", "")


def test_a_session_that_waits_says_when_it_starts_by_the_clock_of_the_reader(capsys):
    start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    rules = {"limit": 60.0, "start": start.isoformat()}
    session = {"id": 3, "mode": "final", "files": 2, "state": "waiting", "rules": rules}

    Watcher().begins(session, again=False)

    said = capsys.readouterr().out.splitlines()[1]
    assert said == f"The first file opens at {start.astimezone():%Y-%m-%d %X}."


@pytest.mark.parametrize(
    ("mode", "told"),
    [
        ("technical", "Сессия 3 открыта: техническая, файлов: 2, на каждый 60 с."),
        ("algorithmic", "Сессия 3 открыта: алгоритмическая, файлов: 2, на каждый 60 с."),
        ("final", "Сессия 3 открыта: финал, файлов: 2, на каждый 60 с."),
        ("rehearsal", "Сессия 3 открыта: репетиция, файлов: 2, на каждый 60 с."),
    ],
)
def test_the_mode_of_a_session_is_told_in_russian_to_who_reads_it(capsys, monkeypatch, mode, told):
    russian = words.gettext.translation(words.DOMAIN, words.LOCALE, languages=["ru"])
    monkeypatch.setattr(words, "_catalogue", russian)
    kind = {"mode": mode, "rehearsal": False}
    if mode == "rehearsal":
        kind = {"mode": "final", "rehearsal": True}

    Watcher().begins({**OPEN, **kind}, again=False)

    assert capsys.readouterr().out == f"{told}\n"


def test_what_is_odd_in_an_answer_that_counts_is_told_and_very_much_of_it_counted(capsys):
    receipt = Receipt(True, None, "Accepted.", [], 9, None, False, False)
    watcher = Watcher()
    watcher.gets(second_file())

    watcher.sent(second_file(), Checked(b"", 5, ("a key.", "a code.")), receipt)
    watcher.sent(second_file(), Checked(b"", 5, tuple("12345")), receipt)

    told = [line.removeprefix("[2/2] 0000007: ") for line in capsys.readouterr().out.splitlines()]
    assert [line for line in told if not line.startswith("accepted")] == [
        "remark: a key.",
        "remark: a code.",
        "remark: 1",
        "remark: 2",
        "remark: 3",
        "further remarks: 2",
    ]
