"""A visit to which the fonts do not come: what stands in takes the room of ours."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.full

TEXTS = {
    "en": "Some people think that sport unites people, others do not agree with it at all. " * 8,
    "ru": "Многие считают, что спорт объединяет людей, другие с этим никак не согласны. " * 8,
}
SHARE = 0.01
"""By how much a line may be longer or shorter before our fonts come."""
MEASURED = """
([words, family, weight]) => {
  const line = document.createElement("span");
  line.textContent = words;
  Object.assign(line.style, { position: "absolute", whiteSpace: "nowrap", font: "16px serif" });
  Object.assign(line.style, { fontFamily: family, fontWeight: weight });
  document.body.append(line);
  const { width, height } = line.getBoundingClientRect();
  line.remove();
  return [width, height];
}
"""
OURS = """
async ([words, family, weight]) => {
  const measured = MEASURED;
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const faces = rules.filter((rule) => rule.constructor.name === "CSSFontFaceRule");
  for (const { style, parentStyleSheet: sheet } of faces) {
    if (style.getPropertyValue("font-family").replaceAll('"', "") !== family) continue;
    const source = style.getPropertyValue("src").match(/url\\("?(.+?)"?\\)/)[1];
    const ranges = { unicodeRange: style.getPropertyValue("unicode-range") || "U+0-10FFFF" };
    const chosen = { weight: style.getPropertyValue("font-weight"), ...ranges };
    const face = new FontFace("ours", `url(${new URL(source, sheet.href)})`, chosen);
    document.fonts.add(await face.load());
  }
  return measured([words, "ours", weight]);
}
""".replace("MEASURED", MEASURED)
"""With the font itself, whenever it comes: a page shows it only where it comes in time."""


FONTS = [
    ("--font-essay", "Literata", 400),
    ("--font-ui", "Golos Text", 400),
    ("--font-ui", "Golos Text", 600),
]


@pytest.fixture(autouse=True)
def trouble(visitors):
    """What the browser says of fonts that do not come is expected."""
    yield
    visitors.watch.problems.clear()


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("font", FONTS)
def test_a_line_is_as_long_and_as_high_before_the_fonts_come(visit, language, font):
    token, family, weight = font
    words = TEXTS[language]
    warm, cold = visit(None, "/login/"), visit(None, "about:blank")
    cold.route("**/*.woff2", lambda route: route.abort())
    cold.goto("/login/")

    ours = warm.evaluate(OURS, [words, family, weight])
    stand_in, bare = (
        cold.evaluate(MEASURED, [words, name, weight]) for name in (f"var({token})", "serif")
    )
    cold.close()  # what fails until then is expected

    assert stand_in == pytest.approx(ours, rel=SHARE)
    assert bare != pytest.approx(ours, rel=SHARE)
