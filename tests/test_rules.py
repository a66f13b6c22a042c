"""Every reading a comment cites stands in docs/rules under the number that is cited."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from config.bootstrap import ROOT

RULES = ROOT / "docs" / "rules"
PAGES = "|".join(sorted(page.stem for page in RULES.glob("*.md") if page.stem != "README"))
NUMBER = r"(?:[RS]?\d+(?:\.\d+)*)"
JOINT = r"(?:, | and | to |-)"
CITED = re.compile(rf"\b({PAGES})\.md ({NUMBER}(?:{JOINT}{NUMBER})*)")
"""``markup.md 12 to 14 and 20``, ``schemes.md 2.3, 6 to 8``."""
SECTION = re.compile(r"^#+ (\d+(?:\.\d+)*) ", re.MULTILINE)
ROW = re.compile(r"^\| ([RS]?\d+) \|", re.MULTILINE)

FOLDERS = [path.parent for path in ROOT.glob("*/__init__.py")] + [
    ROOT / "static",
    ROOT / "templates",
]
KINDS = {".py", ".js", ".css", ".html"}


def sources():
    for folder in sorted(FOLDERS):
        yield from sorted(path for path in folder.rglob("*") if path.suffix in KINDS)
    yield ROOT / "pyproject.toml"


def numbers_of(page):
    """The numbers of a page: its sections, each with the rows of its tables."""
    text = (RULES / f"{page}.md").read_text("utf-8")
    places = [(each.group(1), each.start()) for each in SECTION.finditer(text)]
    ends = [*places[1:], ("", len(text))]
    return {
        section: set(ROW.findall(text[start:end]))
        for (section, start), (_next, end) in zip(places, ends, strict=True)
    }


def missing(page, cited):
    """What of a citation the page lacks: a section with its rows, or rows of any section."""
    sections = numbers_of(page)
    first, *more = re.findall(NUMBER, cited)
    anywhere = set(sections).union(*sections.values())
    rows = anywhere if first.isdigit() else sections.get(first, anywhere)
    return [number for number in (first, *more) if number not in rows | set(sections)]


def citations():
    for path in sources():
        text = re.sub(r"\s+(?:# |\* )?", " ", path.read_text("utf-8"))
        for page, cited in CITED.findall(text):
            yield str(path.relative_to(ROOT)), page, cited


def test_every_citation_leads_to_its_reading():
    found = list(citations())

    assert len(found) > 80
    assert [each for each in found if missing(each[1], each[2])] == []


@pytest.mark.parametrize(
    ("page", "cited", "lacking"),
    [
        ("markup", "12 to 14 and 20 to 25", []),
        ("markup", "26", ["26"]),
        ("schemes", "2.3, 6 to 8", []),
        ("schemes", "2.3, 25", ["25"]),
        ("reliability", "R13", ["R13"]),
    ],
)
def test_what_a_page_lacks_is_found(page, cited, lacking):
    assert missing(page, cited) == lacking


def test_no_page_is_cited_that_is_not_here():
    pages = {path.stem for path in (ROOT / "docs").rglob("*.md")} | {"README", "CONTRIBUTING"}
    named = re.compile(r"\b([a-z][\w-]+)\.md\b")
    strange = {
        (str(path.relative_to(ROOT)), name)
        for path in sources()
        for name in named.findall(path.read_text("utf-8"))
        if name not in pages
    }

    assert strange - {("tests/annotator/test_import_command.py", "notes")} == set()


def test_the_numbers_of_a_page_ascend():
    for page in PAGES.split("|"):
        for rows in numbers_of(page).values():
            plain = [int(row) for row in rows if row.isdigit()]
            assert sorted(plain) == sorted(set(plain)), page
            assert all(low < high for low, high in pairwise(sorted(plain)))
