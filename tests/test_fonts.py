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


def file_of(face):
    return re.search(r"url\(\"\.\./([^\"]+)", face)[1]


def weight_of(face):
    return re.search(r"font-weight: (\d+)", face)[1]


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
    assert {weight_of(face) for face in faces} == {weight_of(face) for face in named(ours)}
    assert len(faces) == 2 * len({weight_of(face) for face in faces})  # Latin and Cyrillic
    assert all(f"{measure}: " in face for face in faces for measure in MEASURES)


def test_fonts_of_the_marking_screen_are_asked_for_before_its_styles_are_read():
    texts = [
        (ROOT / "templates" / name).read_text("utf-8")
        for name in ("base.html", "annotator/markup.html")
    ]
    asked = set(re.findall(r'rel="preload"[^>]+static \'(fonts/[^\']+)\'', "".join(texts)))

    ours = [file_of(face) for family in ("Literata", "Golos Text") for face in named(family)]
    assert asked == {file for file in ours if file.startswith("fonts/")}


def test_a_file_of_common_letters_goes_before_each_whole_one():
    common = [face for face in FACES if 'url("../fonts/' in face]
    whole = [face for face in FACES if 'url("../vendor/' in face]

    named_alike = [re.sub(r".+/|-normal.woff2|.woff2", "", file_of(face)) for face in whole]
    assert [re.sub(r".+/|.woff2", "", file_of(face)) for face in common] == named_alike
    assert max(FACES.index(face) for face in whole) < min(FACES.index(face) for face in common)
    for face in common:
        lighter, heavier = (
            (ROOT / "static" / file_of(each)).stat().st_size
            for each in (face, whole[common.index(face)])
        )
        assert lighter < heavier * 0.75
