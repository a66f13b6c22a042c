"""Style sheets that one page loads together: one class means one thing; phones are no paper."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHEETS = ROOT / "static" / "css"
TEMPLATES = ROOT / "templates"

CONTINUED = {
    ("ui.css", "bar"): "the bar of every page has the name of the check as well",
    ("ui.css", "guide"): "the keys in its dialog; the login over the screen stands there",
    ("ui.css", "status"): "the line at the foot: what it says of marking and of pairs",
    ("ui.css", "skip"): "the way past the bar, where the bar is another one",
    ("ui.css", "foot"): "the last line of a page, which paper leaves out",
    ("ui.css", "page"): "the width of a page, on paper all of it",
    ("essay.css", "f"): "a piece of a fragment: how it answers to the pointer and prints",
    ("essay-page.css", "f"): "the same on the paper of a pupil",
    ("marking.css", "pairs-bar"): "the bar to the pairs: where it is, points are no strip",
    ("marking.css", "settling"): "the third desk, at which hints stay where they are",
    ("pages.css", "essay"): "the words of an essay",
    ("pages.css", "pager"): "the way to more rows, which paper leaves out",
    ("public.css", "doors"): "the ways in of the first page: their height on a phone",
    ("public.css", "hero"): "the head of the first page: how far it is from what follows",
    ("public.css", "sub-head"): "a heading over a part of a section",
    ("public.css", "two"): "two columns of the first page: how far they are from the rest",
}
"""What a later sheet goes on to say of the same thing an earlier one names."""


@cache
def words_of(sheet):
    return re.sub(r"/\*.*?\*/", "", (SHEETS / sheet).read_text("utf-8"), flags=re.DOTALL)


def with_imports(sheet):
    imported = re.findall(r'@import url\("([^"]+)"\)', words_of(sheet))
    return [*imported, sheet]


def selectors(sheet):
    for head in re.findall(r"([^{}]+)\{", words_of(sheet)):
        if not head.strip().startswith("@"):
            yield from (each.strip() for each in re.split(r",(?![^()]*\))", head))


@cache
def styled_alone(sheet):
    return {each[1:] for each in selectors(sheet) if re.fullmatch(r"\.[\w-]+", each)}


@cache
def named(sheet):
    return {name for each in selectors(sheet) for name in re.findall(r"\.([A-Za-z_][\w-]*)", each)}


def own_sheets(template):
    """The style sheets of a page, in their order."""
    words = (TEMPLATES / template).read_text("utf-8")
    block = re.search(r"{% block styles %}(.*?){% endblock %}", words, re.DOTALL)
    parent = re.search(r'{% extends "([^"#]+)"', words)
    linked = re.findall(r"css/([\w-]+\.css)", block[1] if block else words)
    if parent and (not block or "block.super" in block[1]):
        return own_sheets(parent[1]) + (linked if block else [])
    return linked


def clashes():
    found = set()
    for path in TEMPLATES.rglob("*.html"):
        own = own_sheets(path.relative_to(TEMPLATES))
        loaded = dict.fromkeys(each for sheet in ["site.css", *own] for each in with_imports(sheet))
        for earlier, later in combinations(loaded, 2):
            found |= {(earlier, each) for each in styled_alone(later) & named(earlier)}
    return found


def test_a_class_means_one_thing_in_all_sheets_of_a_page():
    assert clashes() == CONTINUED.keys()


def test_rules_for_phones_do_not_reach_paper():
    narrow = re.compile(r"@media \((?:max-width:|width <=) (\d+)rem\)")
    sheets = [path.name for path in SHEETS.glob("*.css")]

    found = {
        sheet for sheet in sheets for width in narrow.findall(words_of(sheet)) if int(width) <= 48
    }

    assert found == set()
