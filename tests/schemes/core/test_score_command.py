"""`razbor score`: one command, a module for each system."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from razbor.commands.score import SCHEMES, WORDS
from razbor.main import main


def ended(*arguments):
    """The status a command ends with before it has done anything."""
    with pytest.raises(SystemExit) as caught:
        main([*arguments])
    return caught.value.code


@pytest.mark.usefixtures("marked_words")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score"], f"<Score with another scoring system: {', '.join(SCHEMES)}.>"),
        (["score", "use"], "<ё and е are one letter>"),
        (["score", "coscore"], "<Score short answers by a CoScore rule.>"),
    ],
    ids=["score", "use", "coscore"],
)
def test_the_words_of_help_go_through_the_catalogue(capsys, arguments, words):
    assert ended(*arguments, "--help") == 0
    assert words in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_system_has_its_own_help(capsys, scheme):
    assert ended("score", scheme, "--help") == 0
    assert capsys.readouterr().out.startswith(f"usage: razbor score {scheme} ")


@pytest.mark.parametrize(
    "arguments",
    [["score"], ["score", "nothing"], *(["score", scheme, "--no"] for scheme in SCHEMES)],
    ids=" ".join,
)
def test_an_unknown_system_or_option_is_refused(capsys, arguments):
    assert ended(*arguments) == 2
    assert capsys.readouterr().out == ""


def test_every_system_is_listed_with_a_word_on_it(capsys):
    assert WORDS.keys() == SCHEMES.keys()
    assert ended("score", "--help") == 0
    listed = capsys.readouterr().out.split("\nsystems:\n")[1].split("\n\n")[0]

    assert listed.splitlines() == [f"  {name:11}{words}" for name, words in WORDS.items()]


EXAMPLE = re.compile(r"^  (\S+): .*\n((?:    .*\n)+)", re.MULTILINE)
"""A file in a help: the option that names it, and its lines."""


@pytest.fixture
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_in_a_folder")
@pytest.mark.parametrize(
    ("scheme", "line", "output"),
    [
        ("use", "", "grade_norm 0.176"),
        ("coscore", "", "2      2  2      2  water-and ice"),
        ("space2022", "", "element F1 1.0000, text F1 1.0000, type accuracy 1.0000; questions: 1"),
        ("qac", "RESPONSES", "2.0 marks out of 2.0 in TASK1"),
    ],
)
def test_the_files_the_help_shows_are_read_and_scored(capsys, scheme, line, output):
    assert ended("score", scheme, "--help") == 0
    shown = dict(EXAMPLE.findall(capsys.readouterr().out))
    for option, lines in shown.items():
        Path(option).write_text(lines.replace("    ", ""), "utf-8")
    options = [f"{option}=./{option}" for option in shown if option.startswith("--")]

    assert main(["score", scheme, *options, *shlex.split(line)]) == 0
    printed = capsys.readouterr()
    assert output in printed.out
    assert "line " not in printed.err


def test_a_task_as_the_help_of_the_exam_shows_it_is_read(capsys, tmp_path):
    assert ended("score", "use", "--help") == 0
    record = capsys.readouterr().out.splitlines()[-1].strip()
    (file := tmp_path / "task.jsonl").write_text(record + "\n", "utf-8")

    assert main(["score", "use", "--answer", str(file), "--prediction", str(file)]) == 0
    assert "grade_norm" in capsys.readouterr().out
