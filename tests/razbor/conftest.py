from __future__ import annotations

import json
import shlex
import sys
import threading

import pytest
from django.db import connection

from accounts.services.tokens import issue_token
from contest import tasks
from jobs.models import Job
from razbor import words
from razbor.main import main
from tests.contest.world import marked_set, team


@pytest.fixture(autouse=True)
def _in_english(monkeypatch):
    monkeypatch.setattr(words, "_catalogue", words.gettext.NullTranslations())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder a command is run in; its files are written by name."""
    monkeypatch.chdir(tmp_path)

    def write(**files):
        for name, contents in files.items():
            path = tmp_path / name.replace("__", ".")
            text = contents if isinstance(contents, str) else json.dumps(contents)
            path.write_text(text, "utf-8")
        return tmp_path

    return write


@pytest.fixture
def run(capsys):
    """Exit status, output and errors of `razbor`."""

    def run_command(*arguments):
        try:
            status = main([*map(str, arguments)])
        except SystemExit as ended:
            status = ended.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run_command


@pytest.fixture
def key(transactional_db, monkeypatch):  # noqa: ARG001 - the rows need the database
    """The key of a participant; three essays are there to be marked."""
    marked_set(3)
    found = issue_token(user=team(), name="program")
    monkeypatch.setenv("RAZBOR_TOKEN", found)
    return found


@pytest.fixture
def exchange(key, live_server, run):  # noqa: ARG001 - it stands in the environment
    """``razbor exchange`` with an address and these arguments."""

    def call(*arguments, url=live_server.url):
        return run("exchange", "--url", url, *arguments)

    return call


@pytest.fixture
def program(tmp_path):
    """The command of a program that is written here."""

    def write(code):
        path = tmp_path / "program.py"
        path.write_text("import json, os, signal, sys, time\n" + code, "utf-8")
        return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"

    return write


@pytest.fixture
def worker():
    """Takes in the first parcel that comes, however long its test needs before it sends one."""
    ended = threading.Event()

    def work():
        try:
            while not ended.wait(0.05):
                job = Job.objects.filter(kind="contest.take_parcel", state="queued").first()
                if job is not None:
                    tasks.take_parcel(job.pk)
                    return
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    ended.set()
    thread.join()
