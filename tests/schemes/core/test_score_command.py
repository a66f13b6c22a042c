"""`razbor score`: one command, a module for each system."""

from __future__ import annotations

import pytest

from razbor.commands.score import SCHEMES
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
