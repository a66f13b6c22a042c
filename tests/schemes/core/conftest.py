from __future__ import annotations

import pytest

from razbor import words
from razbor.main import main


class Marked:
    """A catalogue that marks every message it is asked for."""

    def gettext(self, message):
        return f"<{message}>"


@pytest.fixture(autouse=True)
def _english(monkeypatch):
    monkeypatch.setattr(words, "_catalogue", words.gettext.NullTranslations())


@pytest.fixture
def marked_words(monkeypatch):
    """Every word that goes through the catalogue stands in angle brackets."""
    monkeypatch.setattr(words, "_catalogue", Marked())


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write files into the folder the command is run in."""
    monkeypatch.chdir(tmp_path)

    def write_each(suffix="json", **files):
        for name, contents in files.items():
            data = contents if isinstance(contents, bytes) else contents.encode()
            (tmp_path / f"{name}.{suffix}").write_bytes(data)

    return write_each


@pytest.fixture
def run(capsys):
    """Exit status, output and errors of `razbor score`."""

    def run_score(*arguments):
        status = main(["score", *arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run_score
