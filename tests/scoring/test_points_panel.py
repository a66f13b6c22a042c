from __future__ import annotations

import pytest
from django.utils import translation

from tests.factories import DraftFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def panel(log_in):
    draft = DraftFactory()
    client = log_in(draft.author)
    return lambda **headers: client.get(f"/markups/{draft.pk}/", headers=headers)


def test_the_panel_says_why_points_are_missing_and_names_alike_criteria_together(panel):
    absent = "ПРОБЛЕМА, ЛМНЕНИЕ, ПРМНЕНИЕ, ОБОСНОВАНИЕ, ВЫВОД"

    told = texts_of(panel(), ".points .why li")

    assert told[0].startswith("K1 the essay is too short; words:")
    assert told[1:] == [f"K2 blocks missing or out of order: 5; missing: {absent}"]


def test_the_panel_speaks_russian(panel):
    with translation.override("en"):  # the middleware leaves its language behind
        response = panel(**{"accept-language": "ru"})

    assert texts_of(response, ".points .why li")[1].startswith("K2 блоков пропущено")
