"""Painting one mark touches its own line and no more, however many marks there are."""

from __future__ import annotations

import pytest

from tests.annotator.drafts import draft_of
from tests.bench.essays import nested_markup
from tests.bench.keys import keys_of

pytestmark = pytest.mark.full

SLACK = 1.5
"""Lines of the two essays are not of one length."""


def test_a_key_paints_in_the_first_frame_and_renews_as_little_at_400_marks_as_at_40(visit):
    most = {}
    for words, fragments in ((300, 40), (3000, 400)):
        markup = nested_markup(words, fragments)
        record = draft_of(markup.text, *markup.fragments)
        page = visit(record.author, f"/markups/{record.pk}/")
        page.wait_for_selector("#desk[data-ready]")
        keys = [key for kind in keys_of(page) for key in kind]
        assert {each.seen["frames"] for each in keys} == {0}
        most[fragments] = {
            "nodes": max(each.seen["nodes"] for each in keys),
            "measured": max(each.seen["measured"] for each in keys),
            "layouts": max(each.layouts for each in keys),
            "styles": max(each.styles for each in keys),
        }

    assert all(most[400][name] <= SLACK * most[40][name] for name in most[40]), most
