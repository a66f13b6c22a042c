from __future__ import annotations

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.bootstrap import ROOT
from tests.patience import PATIENCE

pytestmark = pytest.mark.full

FIRST_TIME = ("Preparing the database", "Loading demo data", "Collecting static files")


@pytest.fixture
def folder(tmp_path):
    """Where everything made at run time goes; whoever still works in it at the end is an orphan."""
    folder = tmp_path / "var"
    yield folder
    for pid in working_in(folder):
        os.kill(pid, signal.SIGKILL)


def working_in(folder):
    mark = f"RAZBOR_VAR={folder}\0".encode()
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark in environment.read_bytes():
                found.append(int(environment.parent.name))
        except OSError:
            continue
    return found


class Run:
    """`manage.py run` on a free port with a folder of its own."""

    def __init__(self, folder):
        self.output = folder.with_suffix(".txt")
        environment = {**os.environ, "RAZBOR_VAR": str(folder), "LC_ALL": "C.UTF-8"}
        for name in ("SECRET_KEY", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "BROKER_URL"):
            environment.pop(name, None)
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, ROOT / "manage.py", "run", "--port", "0"],
                env=environment,
                stdout=output,
                stderr=output,
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def said(self):
        return self.output.read_text()

    def url(self):
        deadline = time.monotonic() + 7 * PATIENCE
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/", self.said())):
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.1)
        return found[0]

    def stop(self):
        self.process.terminate()
        return self.process.wait(30)


def status(url, page="/healthz"):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", page)
        return connection.getresponse().status


def is_well(url):
    """Web is up first; until a worker is, the jobs of demo data wait and health says so."""
    deadline = time.monotonic() + 2 * PATIENCE
    while (said := status(url)) != 200:
        assert said == 503
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.fixture
def begin(folder):
    """``begin()`` runs the product; what still runs at the end has failed to stop."""
    with contextlib.ExitStack() as runs:
        yield lambda: runs.enter_context(Run(folder))


def leader(folder, word):
    """The eldest process of ours with this word in its command."""
    command = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in working_in(folder)}
    return min(pid for pid, words in command.items() if word in words)


def test_it_starts_from_nothing_heals_stops_starts_again_and_leaves_nobody_behind(folder, begin):
    first = begin()
    url = first.url()

    is_well(url)
    assert all(line in first.said() for line in FIRST_TIME)
    assert (folder / "secret_key").stat().st_mode & 0o777 == 0o600

    os.killpg(leader(folder, b"gunicorn"), signal.SIGKILL)

    # Asked while web is dead: the question waits for the next one.
    assert status(url, "/login/") == 200

    assert first.stop() == 0
    assert working_in(folder) == []

    second = begin()
    assert status(second.url(), "/login/") == 200  # jobs of before may be waiting for a worker yet
    assert not any(line in second.said() for line in FIRST_TIME)
    time.sleep(2)  # worker and tick start after web

    second.process.kill()
    second.process.wait()

    deadline = time.monotonic() + PATIENCE
    while working_in(folder):
        assert time.monotonic() < deadline
        time.sleep(0.1)
