"""What the command line says by itself: in the reader's language, with its remedy."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from razbor.commands.third import CAUSES
from razbor.inputs import unreadable
from razbor.main import COMMANDS, main
from scoring.core.third_expert import Cause
from web.core import languages


def said(language, *arguments):
    """What a new process says in a language, and its exit status."""
    bare = {name: value for name, value in os.environ.items() if name not in languages.VARIABLES}
    done = subprocess.run(
        [sys.executable, "-m", "razbor.main", *arguments],
        env={**bare, "LANG": language, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("language", "usage", "options", "own"),
    [
        ("ru_RU.UTF-8", "использование: razbor parse", "параметры:", "Прочитать размеченный файл"),
        ("en_US.UTF-8", "usage: razbor parse", "options:", "Read a marked file"),
        ("C.UTF-8", "usage: razbor parse", "options:", "Read a marked file"),
    ],
)
def test_help_is_of_one_language(language, usage, options, own):
    status, text = said(language, "parse", "--help")

    assert status == 0
    assert text.startswith(usage)
    assert f"\n{options}\n" in text
    assert own in text


@pytest.mark.parametrize(
    ("language", "heading", "one"),
    [
        ("ru_RU.UTF-8", "команды:", "  session   "),
        ("en_US.UTF-8", "commands:", "  session   judges an exchange session again, from its log"),
    ],
)
def test_the_list_of_commands_says_a_word_on_each(language, heading, one):
    status, text = said(language, "--help")

    listed = text.split(f"\n{heading}\n")[1].split("\n\n")[0].splitlines()
    assert (status, [line.split()[0] for line in listed]) == (0, list(COMMANDS))
    assert all(len(line) > len("  validate  ") and line[12:].strip() for line in listed)
    assert any(line.startswith(one) for line in listed)
    is_russian = language.startswith("ru")
    assert all(bool(set(line) & set("аеио")) == is_russian for line in listed)


def test_a_wrong_call_is_refused_in_russian():
    status, text = said("ru_RU.UTF-8", "compare", "--weights")

    assert status == 2
    assert text.splitlines()[-1] == (
        "razbor compare: ошибка: аргумент --weights: нужно одно значение"
    )


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (FileNotFoundError(), "a.txt: there is no such file. Check the name."),
        (IsADirectoryError(), "a.txt: this is a folder. Name a file in it."),
        (
            PermissionError(),
            "a.txt: reading this file is not allowed. Ask its owner for permission.",
        ),
        (OSError(5, "Input/output error"), "a.txt: Input/output error."),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_remedy(error, sentence):
    assert str(unreadable("a.txt", error)) == sentence


def test_files_and_lines_are_refused_alike(capsys, tmp_path):
    for arguments in (["grade", str(tmp_path)], ["grade", "--jsonl", str(tmp_path)]):
        assert main(arguments) == 2
        sentence = f"razbor: {tmp_path}: this is a folder. Name a file in it.\n"
        assert capsys.readouterr().err == sentence


def test_every_cause_of_a_third_check_has_its_words():
    assert CAUSES.keys() == set(Cause)


def test_the_causes_of_a_third_check_are_sentences(capsys, tmp_path):
    head = "Предмет: история\n\n"
    (tmp_path / "one.txt").write_text(f"{head}(*СЯП\\ Реформа *) (*РОЛЬ\\ Царь *)", "utf-8")
    (tmp_path / "other.txt").write_text(f"{head}Реформа Царь", "utf-8")

    assert main(["third", str(tmp_path / "one.txt"), str(tmp_path / "other.txt")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "totals 6 and 0, difference 6, threshold 5",
        "K1, K2, K3, K4, K5, K6, K7: the totals differ by 6, threshold 5",
        "K6: the points differ by 3, threshold 2",
        "K1, K2, K5, K6: criteria that differ: 4, threshold 4",
        "a third expert is needed",
    ]
