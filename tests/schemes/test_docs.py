"""The examples of docs/schemes/use.md and coscore.md are true: offline, on the page, in the API."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from razbor import words
from razbor.main import main
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import MAX_ITEMS
from schemes.models import SchemeRun
from schemes.services.quotas import ROOM, RUNS
from tests.factories import PersonFactory
from tests.schemes.inputs import do_all

DOCS = Path(__file__).resolve().parents[2] / "docs" / "schemes"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = {
    "use": ["key.csv", "answers.csv"],
    "coscore": ["rule.json", "data.csv"],
}
"""Scheme -> the files of its example, in the order of its sources."""


def blocks(slug):
    return BLOCK.findall((DOCS / f"{slug}.md").read_text("utf-8"))


@pytest.fixture
def razbor(tmp_path, monkeypatch, capsys):
    """What a command prints in a folder that holds the files of an example."""
    monkeypatch.setattr(words, "_catalogue", words.gettext.NullTranslations())
    monkeypatch.chdir(tmp_path)

    def printed(slug, line):
        for name, text in zip(EXAMPLES[slug], blocks(slug), strict=False):
            Path(name).write_text(text, "utf-8")
        assert main(line.split()[1:]) == 0
        return capsys.readouterr().out.replace("\r\n", "\n")

    return printed


@pytest.mark.parametrize("slug", EXAMPLES)
def test_the_command_of_the_example_prints_what_is_said(razbor, slug):
    _first, _second, command, output, *_more = blocks(slug)

    assert razbor(slug, command) == output


def test_the_table_of_coscore_is_the_one_shown(razbor):
    _rule, _data, command, _output, table, *_more = blocks("coscore")

    assert razbor("coscore", f"{command.strip()} --csv") == table


@pytest.mark.django_db
@pytest.mark.parametrize(("slug", "points"), [("use", 27), ("coscore", 16)])
def test_the_example_gives_the_same_points_on_the_page(log_in, slug, points):
    sources = [source.name for source in SCHEMES[slug].sources]
    form = dict(zip(sources, blocks(slug), strict=False))
    if slug == "coscore":
        form["separator"] = "-"

    log_in(PersonFactory()).post(f"/schemes/{slug}/", form)
    do_all()

    assert sum(item.points for item in SchemeRun.objects.get().items.all()) == points


def test_the_limits_are_those_of_the_program():
    text = " ".join((DOCS / "use.md").read_text("utf-8").split())

    assert f"{MAX_ITEMS:,} tasks a run" in text
    assert f"{ROOM // 2**20} MB of inputs and {RUNS.tries} runs an hour" in text


@pytest.mark.parametrize("slug", SCHEMES)
def test_every_scheme_has_a_page_of_documentation(slug):
    assert (DOCS / f"{slug}.md").read_text("utf-8").startswith("# ")
