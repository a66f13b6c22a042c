"""How the list of pairs of a comparison is set: no words are cut, no value is left alone."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.screens.pair import Pair
from tests.strategies import fragment

pytestmark = pytest.mark.full

SENTENCE = "Some people think that sport unite people, others… does not. "
TEXT = SENTENCE * 12
WIDTHS = [320, 375, 1152, 1366, 1440]
CUT = """(all) => all.filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.textContent)"""
ALONE = r"""
(all) => all.flatMap((each) => {
  const node = each.firstChild;
  const words = [...node.data.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + 1);
    return [word, Math.round(range.getBoundingClientRect().top)];
  });
  return words.filter(([, top], at) => at && top > words[at - 1][1]).map(([word]) => word);
})
"""
"""The first word of every line but the first."""


@pytest.fixture
def listed(visit):
    """The list of a comparison with pairs of every kind, their words 8 to 60 signs long."""

    def opened(width, language):
        essay = EssayFactory(text=TEXT)
        starts = [at * len(SENTENCE) for at in range(12)]
        left = [fragment(at, at + 8 + 13 * row, "ПРОБЛЕМА") for row, at in enumerate(starts[:8])]
        right = [fragment(at, at + 5 + 4 * row, "ПРОБЛЕМА") for row, at in enumerate(starts[:8])]
        left += [fragment(at, at + 11) for at in starts[8:11]]
        right += [fragment(at + 6, at + 30, "А.лекс") for at in starts[8:12]]
        one, other = (submitted(essay, *fragments) for fragments in (left, right))
        judge = PersonFactory(role=User.Role.JUDGE)
        address = f"/compare/{one.pk}/{other.pk}/"
        window = {"width": width, "height": 768}
        page = visit(judge, address, viewport=window, language=language)
        return Pair(page).page.locator("#difflist > li")

    return opened


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_words_of_a_pair_are_cut_once_at_most_and_no_value_begins_a_line(listed, width, language):
    rows = listed(width, language)
    assert rows.count() > 8

    assert rows.locator("q").evaluate_all(CUT) == []
    begin = rows.locator(".sub").evaluate_all(ALONE)
    assert [word for word in begin if word[0] in "0123456789=—"] == []
