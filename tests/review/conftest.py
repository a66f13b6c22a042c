from __future__ import annotations

import pytest

from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
from tests.review.exporting import checked
from tests.scoring.work import score
from tests.strategies import fragment


@pytest.fixture
def exports_folder(settings, tmp_path):
    settings.EXPORTS = tmp_path / "exports"
    return settings.EXPORTS


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def essay_set():
    """Two essays, one of them checked twice, with themes a spreadsheet would compute."""
    essay_set = EssaySetFactory(name="March", access="open")
    essay = EssayFactory(essay_set=essay_set, number="1", theme='=HYPERLINK("x")', year=2024)
    EssayFactory(essay_set=essay_set, number="2", theme="@SUM(A1)")
    exact, other = fragment(5, 11), fragment(5, 12)
    score(
        checked(essay, exact, expert=PersonFactory(username="ann")),
        checked(essay, other, role="second", expert=PersonFactory(username="bob")),
    )
    return essay_set
