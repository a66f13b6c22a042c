"""Templates know their own app and those below: what they load, include, extend and link to."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.*"))
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
FLOORS = [floor.split(" | ") for floor in reversed(CONTRACTS["contracts"][0]["layers"])]
APPS = [app for floor in FLOORS for app in floor if app != "config"]
LIBRARIES = {
    path.stem: app
    for app in APPS
    for path in (ROOT / app / "templatetags").glob("*.py")
    if path.stem != "__init__"
}

TAG = re.compile(r"\{%\s*(load|include|extends|url)\s+([^%]*?)\s*%\}")
NAME = re.compile(r"""["'](?:(\w+)[:/])[\w:/.#-]*["']""")


def app_of(path):
    """The app a template belongs to; what stands in no folder is of accounts."""
    folder = path.relative_to(ROOT / "templates").parts[0]
    return folder if folder in APPS else "accounts"


def known_to(app):
    """The app itself and those on the floors below its own."""
    height = next(number for number, floor in enumerate(FLOORS) if app in floor)
    return {app, *(each for floor in FLOORS[:height] for each in floor)}


def named_in(text):
    """The apps a template names, each with the words that do."""
    for tag, words in TAG.findall(text):
        if tag == "load":
            libraries = set(words.partition(" from ")[2].split() or words.split())
            for name in libraries & LIBRARIES.keys():
                yield LIBRARIES[name], f"load {name}"
        else:
            for app in NAME.findall(words.partition(" ")[0]):
                if app in APPS:
                    yield app, f"{tag} {words}"


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_know_their_own_app_and_those_below(path):
    known = known_to(app_of(path))

    named = named_in(path.read_text("utf-8"))
    assert [words for app, words in named if app not in known] == []


def chain_of(path):
    """The text of a template, and of those it extends."""
    text = path.read_text("utf-8")
    parent = re.search(r"""\{% extends ["']([\w/.]+)["']""", text)
    return text + (chain_of(ROOT / "templates" / parent[1]) if parent else "")


def test_a_page_that_asks_by_htmx_loads_it():
    asking = re.compile(r"\bhx-(get|post|delete|put|patch)=")
    pages = [each for each in TEMPLATES if "{% extends" in each.read_text("utf-8")]
    asked = [each for each in pages if asking.search(each.read_text("utf-8"))]

    assert asked
    assert [each.name for each in asked if "htmx_script" not in chain_of(each)] == []


@pytest.mark.parametrize("app", APPS)
def test_code_names_pages_and_templates_of_its_own_app_and_those_below(app):
    pages = re.compile(rf'"({"|".join(APPS)})(?::\w+|/[\w/]+\.(?:html|txt)[\w#]*)"')
    known = known_to(app)

    assert [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sorted((ROOT / app).rglob("*.py"))
        for found in pages.finditer(path.read_text("utf-8"))
        if found[1] not in known
    ] == []


@pytest.mark.parametrize(
    ("text", "apps"),
    [
        ('{% extends "base.html" %}{% load i18n scores %}', ["scoring"]),
        ("{% load at from scores %}", ["scoring"]),
        ('{% include "compare/mark.html" with mark=each.left %}', ["compare"]),
        ("{% url 'review:desk' %}{% url 'set_language' %}", ["review"]),
        ("{% url 'annotator:essay' essay.pk %}", ["annotator"]),
    ],
)
def test_what_a_template_names_is_found(text, apps):
    assert [app for app, _words in named_in(text)] == apps


def test_every_place_stands_in_a_template_and_every_tag_names_a_place():
    from web.panels import all_places  # noqa: PLC0415 - filled once the apps are ready

    texts = "".join(path.read_text("utf-8") for path in TEMPLATES)

    named = re.findall(r'\{% panels "([\w:-]+)"', texts)
    assert sorted(set(named)) == [place.name for place in all_places()]
    assert all(place.panels for place in all_places())


def test_a_place_is_in_a_template_of_the_app_that_offers_it():
    for path in TEMPLATES:
        for app in re.findall(r'\{% panels "(\w+):', path.read_text("utf-8")):
            assert app == app_of(path), path


def test_every_way_out_asks_what_waits():
    """There is one, besides that of the administration, whose people mark nothing."""
    found = {path.name: path.read_text("utf-8") for path in TEMPLATES}

    ways = [name for name, text in found.items() if "accounts:logout" in text]
    assert ways == ["account.html"]
    assert "data-waiting=" in found["account.html"]


def test_templates_are_laid_out_in_lines_of_120_signs():
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEMPLATES
        if path.suffix == ".html"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > 120
    ]

    assert long == []
