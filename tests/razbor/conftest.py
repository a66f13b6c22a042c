from __future__ import annotations

import json

import pytest

from razbor import words
from razbor.main import main


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
