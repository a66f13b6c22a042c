"""docs/schemes/space2022.md is true: its files give its output, its messages are ours."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[4] / "docs" / "schemes" / "space2022.md").read_text("utf-8")
BLOCKS = re.findall(r"```\n(.*?)```", PAGE, re.DOTALL)
ANSWER, PREDICTION, COMMAND, OUTPUT, MESSAGES = BLOCKS[:5]


@pytest.fixture
def files(write):
    write(suffix="jsonl", answer=ANSWER, prediction=PREDICTION)


@pytest.mark.usefixtures("files")
def test_the_example_gives_what_the_page_shows(run):
    assert run(*COMMAND.split()[2:]) == (0, OUTPUT, "")


@pytest.mark.usefixtures("files")
def test_the_messages_of_the_page_are_those_of_the_command(write, run):
    of_record, of_file = MESSAGES.splitlines()
    write(suffix="jsonl", prediction=PREDICTION.replace("[1, 2, 3, 4, 7]", "[1, 2, 30]"))
    assert of_record in run(*COMMAND.split()[2:])[1].splitlines()

    write(suffix="jsonl", answer=f"[{ANSWER.splitlines()[0]}\n")
    assert run(*COMMAND.split()[2:]) == (2, "", f"{of_file}\n")


@pytest.mark.usefixtures("files")
def test_every_option_of_the_page_is_in_the_help_and_the_other_way_round(capsys, run):
    with pytest.raises(SystemExit):
        run("space2022", "--help")
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}

    assert set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE)) == options
