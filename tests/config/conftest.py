from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from config.bootstrap import ROOT

PINS = "django==5.2.19 \\\n    --hash=sha256:0\n"

UV = """\
#!/bin/sh
# Stands for the installer: says when it starts and ends, and fails or dawdles on demand.
echo "start $*" >> "$UV_LOG"
sleep "${UV_SECONDS:-0}"
echo end >> "$UV_LOG"
exit "${UV_CODE:-0}"
"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with locks of its own and an installer that touches no network."""
    root = tmp_path / "моя копия"
    (root / "tests").mkdir(parents=True)
    (root / "requirements.txt").write_text(PINS)
    (root / "tests" / "requirements.txt").write_text(PINS)
    (root / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "uv").write_text(UV)
    (tools / "uv").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("UV_LOG", str(tmp_path / "uv.log"))
    monkeypatch.setenv("LANG", "C")
    for name in ("LC_ALL", "LC_MESSAGES", "RAZBOR_BOOTSTRAP", "RAZBOR_VAR", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    return root


@pytest.fixture
def installs(tmp_path):
    """What the installer was asked to do so far."""

    def read():
        log = tmp_path / "uv.log"
        return log.read_text().splitlines() if log.exists() else []

    return read


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start Python programs that import the project; none outlives its test."""
    monkeypatch.setenv("LC_ALL", "C")
    started = []

    def begin(program, *arguments):
        command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
        with (tmp_path / f"said{len(started)}.txt").open("w") as output:
            process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
        process.output = output.name
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def said():
    """All that a started program has printed."""
    return lambda process: Path(process.output).read_text()
