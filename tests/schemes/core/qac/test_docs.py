"""The example of docs/schemes/qac.md is true: its files give its output."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

PAGE = Path(__file__).parents[4] / "docs" / "schemes" / "qac.md"
BLOCK = re.compile(r"^```\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def test_the_example_gives_what_the_page_says(write, run, tmp_path):
    answer, system, command, printed, noted, res_dat = BLOCK.findall(PAGE.read_text("utf-8"))[:6]
    write("txt", answer=answer, system=system)

    razbor, *arguments = shlex.split(command)

    assert (razbor, run(*arguments)) == ("razbor", (0, printed, noted))
    assert (tmp_path / "res.dat").read_text("utf-8") == res_dat


def test_the_page_names_every_option(run, capsys):
    page = PAGE.read_text("utf-8")
    try:
        run("qac", "--help")
    except SystemExit:
        options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))

    assert len(options) == 11
    assert all(f"`{option}" in page or f", `{option}" in page for option in options)
