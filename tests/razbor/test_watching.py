"""What the watcher of a session tells on the terminal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from razbor.watching import Watcher


def test_a_session_that_waits_says_when_it_starts_by_the_clock_of_the_reader(capsys):
    start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
    rules = {"limit": 60.0, "start": start.isoformat()}
    session = {"id": 3, "mode": "final", "files": 2, "state": "waiting", "rules": rules}

    Watcher().begins(session, again=False)

    said = capsys.readouterr().out.splitlines()[1]
    assert said == f"The first file opens at {start.astimezone():%Y-%m-%d %X}."
