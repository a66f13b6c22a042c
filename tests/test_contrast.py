"""Contrast of the colours, measured from the tokens (WCAG 2.2: text 4.5, lines and controls 3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = (Path(__file__).resolve().parent.parent / "static" / "css" / "tokens.css").read_text("utf-8")
LIGHT, DARK = (
    dict(re.findall(r"(--[\w-]+):\s*(#[0-9a-f]{6})", block))
    for block in re.findall(r"color-scheme: (?:light|dark);(.*?)\n\}", CSS, flags=re.DOTALL)[:2]
)
THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]
GROUNDS = ["--ground", "--sheet", "--raised", "--sunken"]
TEXTS = ["--ink", "--ink-2", "--ink-3", "--accent", "--success", "--warning", "--danger"]
KINDS = ["block", "mistake", "both", "isp"]
STATES = ["code", "shift", "subtype", "correction", "left", "right"]


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", TEXTS)
def test_text_can_be_read_on_every_ground(theme, text, ground):
    assert contrast(theme[text], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", range(1, 6))
def test_an_essay_can_be_read_at_every_depth(theme, kind, step):
    assert contrast(theme["--ink"], theme[f"--{kind}-{step}"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("line", ["--mistake-line", "--isp-line"])
@pytest.mark.parametrize("kind", KINDS)
def test_underlines_can_be_seen_on_the_deepest_colour(theme, line, kind):
    assert contrast(theme[line], theme[f"--{kind}-5"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", STATES)
def test_states_of_a_comparison_can_be_read_and_told_apart(theme, state):
    fill, line = theme[f"--cmp-{state}"], theme[f"--cmp-{state}-line"]

    assert contrast(theme["--ink"], fill) >= 4.5
    assert contrast(line, fill) >= 3
    assert contrast(line, theme["--sheet"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("soft", ["success", "warning", "danger"])
def test_messages_can_be_read_on_their_own_ground(theme, soft):
    assert contrast(theme[f"--{soft}"], theme[f"--{soft}-soft"]) >= 4.5
    assert contrast(theme["--ink"], theme[f"--{soft}-soft"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_buttons_and_controls_can_be_seen(theme):
    assert contrast(theme["--on-accent"], theme["--accent"]) >= 4.5
    for ground in GROUNDS:
        assert contrast(theme["--line-strong"], theme[ground]) >= 3
