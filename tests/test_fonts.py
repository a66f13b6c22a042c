"""On a cold visit fonts of the machine stand in, which take the room of ours; those come soon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FONTS = (ROOT / "static/css/fonts.css").read_text("utf-8")
FACES = re.findall(r"@font-face \{(.+?)\}", FONTS, re.DOTALL)
TOKENS = dict(
    re.findall(r"(--font-(?:essay|ui)): (.+);", (ROOT / "static/css/tokens.css").read_text("utf-8"))
)
MEASURES = ("size-adjust", "ascent-override", "descent-override", "line-gap-override")


def named(family):
    return [face for face in FACES if f'font-family: "{family}"' in face]


@pytest.mark.parametrize(
    ("token", "ours", "stand_in"),
    [
        ("--font-essay", "Literata", "Literata stand-in"),
        ("--font-ui", "Golos Text", "Golos stand-in"),
    ],
)
def test_a_font_of_the_machine_with_our_measures_stands_in(token, ours, stand_in):
    assert TOKENS[token].startswith(f'"{ours}", "{stand_in}", ')
    assert all("font-display: optional" in face for face in named(ours))
    faces = named(stand_in)
    assert len(faces) == len(named(ours))
    assert all(f"{measure}: " in face for face in faces for measure in MEASURES)


def test_fonts_of_the_marking_screen_are_asked_for_before_its_styles_are_read():
    texts = [
        (ROOT / "templates" / name).read_text("utf-8")
        for name in ("base.html", "annotator/markup.html")
    ]
    asked = set(re.findall(r'rel="preload"[^>]+static \'(vendor/[^\']+)\'', "".join(texts)))

    ours = [face for family in ("Literata", "Golos Text") for face in named(family)]
    assert asked == {re.search(r"\.\./(vendor/[^\"]+)", face)[1] for face in ours}
