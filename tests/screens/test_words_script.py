from __future__ import annotations

import re
import unicodedata

import pytest

pytestmark = pytest.mark.full

SNAP = "(words, text, start, end) => words.snap(words.signsOf(text), start, end)"
TRIM = "(words, text, start, end) => words.trim(words.signsOf(text), start, end)"
WALK = """
(words, text, step, direction) => {
  const signs = words.signsOf(text);
  const stops = [];
  for (let at = direction > 0 ? 0 : signs.length; ;) {
    const next = words[step](signs, at, direction);
    if (next === at) return stops;
    stops.push(next);
    at = next;
  }
}
"""
TEXT = "Well-known people don’t, as a rule, agree!"
FAMILY = "👩‍👩‍👧"
SCOTLAND = "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbsct") + "\U000e007f"
CLUSTERS = ["a", "e\u0301", FAMILY, "🇷🇺", "и\u0306", "👍🏽", "\u00a0", "z"]


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        pytest.param(1, 3, "Well-known", id="within a word with a hyphen"),
        pytest.param(5, 6, "Well-known", id="behind the hyphen"),
        pytest.param(19, 21, "don’t", id="within a word with an apostrophe"),
        pytest.param(13, 20, "people don’t", id="over two words"),
        pytest.param(10, 19, "people don’t", id="from the space to a letter"),
        pytest.param(10, 18, "people", id="spaces at both ends"),
        pytest.param(23, 24, ",", id="a lone comma"),
        pytest.param(23, 26, ", as", id="a comma and a piece of a word"),
        pytest.param(41, 42, "!", id="the last sign"),
        pytest.param(0, 42, TEXT, id="everything"),
    ],
)
def test_a_selection_snaps_to_words(script, start, end, words):
    place = script("places", SNAP, TEXT, start, end)

    assert TEXT[place["start"] : place["end"]] == words


@pytest.mark.parametrize(
    ("text", "start", "end", "words"),
    [
        ("don't stop", 1, 2, "don't"),
        ("rock 'n' roll", 6, 7, "n"),
        ("«Тургенев»", 3, 4, "Тургенев"),
        ("так – и не так", 4, 5, "–"),
        ("кто-нибудь, кое-что", 13, 14, "кое-что"),
        ("end -, end", 4, 5, "-"),
        ("cafe\u0301s", 1, 2, "cafe\u0301s"),
        ("и\u0306од", 0, 1, "и\u0306од"),
        ("𝒜bc d", 1, 2, "𝒜bc"),
        ("a\u00a0b", 0, 2, "a"),
        ("2,5 кг", 0, 1, "2"),
    ],
)
def test_words_of_every_script_are_whole(script, text, start, end, words):
    place = script("places", SNAP, text, start, end)

    assert text[place["start"] : place["end"]] == words


@pytest.mark.parametrize("text", ["   ", "\u00a0\n\t", " \u2028 "])
def test_white_space_alone_is_no_place(script, text):
    assert script("places", SNAP, text, 0, len(text)) is None
    assert script("places", TRIM, text, 0, len(text)) is None


def test_signs_that_were_meant_stay_but_for_spaces(script):
    assert script("places", TRIM, " ab, c ", 2, 7) == {"start": 2, "end": 6}


def test_a_step_by_signs_never_stops_within_one(script):
    text = "".join(CLUSTERS)
    borders = [sum(map(len, CLUSTERS[:count])) for count in range(len(CLUSTERS) + 1)]

    assert script("places", WALK, text, "stepSign", 1) == borders[1:]
    assert script("places", WALK, text, "stepSign", -1) == borders[-2::-1]


@pytest.mark.parametrize("sign", ["e" + "\u0301" * 4, FAMILY, SCOTLAND])
def test_a_long_sign_is_one_step(script, sign):
    text = f"x{sign}y"

    assert script("places", WALK, text, "stepSign", 1) == [1, 1 + len(sign), 2 + len(sign)]
    assert script("places", WALK, text, "stepSign", -1) == [1 + len(sign), 1, 0]


@pytest.mark.parametrize("count", [2, 20, 33, 64])
def test_flags_in_a_row_are_stepped_over_one_by_one(script, count):
    text = "🇷🇺" * count

    assert script("places", WALK, text, "stepSign", 1) == list(range(2, 2 * count + 1, 2))
    assert script("places", WALK, text, "stepSign", -1) == list(range(2 * count - 2, -1, -2))


def test_a_step_by_words_stops_where_words_end_and_begin(script):
    ends = [found.end() for found in re.finditer(r"[\w’-]+|[,!]", TEXT)]
    starts = [found.start() for found in re.finditer(r"[\w’-]+|[,!]", TEXT)]

    assert script("places", WALK, TEXT, "stepWord", 1) == ends
    assert script("places", WALK, TEXT, "stepWord", -1) == starts[::-1]


def test_the_signs_of_a_text_are_the_code_points_of_python(script):
    text = "".join(chr(code) for code in (0x41, 0x301, 0x1F469, 0x10FFFF, 0x202E, 0xA0, 0x10400))
    assert unicodedata.category(text[-1]) == "Lu"

    assert script("places", "(words, text) => words.signsOf(text)", text) == list(text)
