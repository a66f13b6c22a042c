"""How a command ends that is interrupted, and what it says of itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from razbor.commands.score import SCHEMES
from razbor.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
BUFFERED = {"PYTHONUNBUFFERED": ""}
WAITING = {
    "parse": ["parse", "pipe"],
    "render": ["render", "pipe"],
    "validate": ["validate", "pipe"],
    "compare": ["compare", "pipe", "pipe"],
    "grade": ["grade", "pipe"],
    "third": ["third", "--jsonl", "pipe"],
    "star": ["star", "--jsonl", "pipe"],
    "session": ["session", "pipe"],
    "board": ["board", "--jsonl", "pipe"],
    "report": ["report", ".", "--session", "pipe"],
    "qac": ["qac", "--answer", "pipe", "pipe"],
    "use": ["score", "use", "--check", "pipe"],
    "coscore": ["score", "coscore", "--check", "pipe"],
    "space2022": ["score", "space2022", "--answer", "pipe", "--prediction", "pipe"],
}
"""A call of each command that waits for its input."""


def started(folder, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "razbor.main", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.mark.parametrize("command", WAITING)
def test_ctrl_c_ends_a_command_without_a_word(folder, command):
    path = folder()
    os.mkfifo(path / "pipe")

    with started(path, *WAITING[command]) as process, (path / "pipe").open("w"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out, err) == (130, "", "")


def test_every_command_is_interrupted_here():
    waits_for_a_platform = {"exchange"}  # see test_exchange.py
    assert COMMANDS.keys() | SCHEMES.keys() == WAITING.keys() | {"score"} | waits_for_a_platform


def test_cases_come_through_a_pipe_too(folder):
    path = folder()
    os.mkfifo(path / "pipe")
    case = {"id": 1, "subject": "eng", "text": "x", "selections": []}

    with started(path, "grade", "--jsonl", "pipe") as process:
        (path / "pipe").write_text(json.dumps(case) + "\n", "utf-8")
        out, err = process.communicate(timeout=60)

    assert (process.returncode, json.loads(out)["total"], err) == (0, 9, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [["grade", "a.txt"], ["grade", "--jsonl", "cases.jsonl"], ["validate", "a.txt"], ["--version"]],
)
def test_a_full_disk_is_told_in_one_sentence(folder, arguments):
    case = {"id": 1, "subject": "eng", "text": "x", "selections": []}
    path = folder(a__txt="Предмет: английский\n\nx", cases__jsonl=json.dumps(case))

    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "razbor.main", *arguments],
            cwd=path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", **BUFFERED},
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )

    told = "razbor: the output cannot be written: No space left on device.\n"
    assert (ended.returncode, ended.stderr) == (2, told)


def test_the_version_is_that_of_the_package(run):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert run("--version") == (0, f"razbor {project['version']}\n", "")


def test_a_terminal_of_ascii_gets_every_sign_escaped(folder):
    path = folder(a__txt="Предмет: английский\n\nShe (\\ А.грам \\ have \\) a bike")

    done = subprocess.run(
        [sys.executable, "-m", "razbor.main", "parse", "a.txt"],
        cwd=path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C", "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        encoding="ascii",
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u0410.\\u0433\\u0440\\u0430\\u043c" in done.stdout
