"""axe finds nothing serious on any page, in any window, light or dark."""

from __future__ import annotations

import importlib

import pytest
from django.utils.translation import override

from accounts.models import User
from scoring.services.grading import grade_markup
from tests.annotator.drafts import draft_of
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.strategies import fragment, whole_text
from tests.tiers import in_ci

pytestmark = pytest.mark.full

TEXT = "Some people think that sport unite people, while others does not agree.\n\nSo what?"
MARKS = (
    fragment(0, 41, "ПРОБЛЕМА"),
    fragment(5, 11, "А.грамм", subcode="множ", tag="множ1", comment="Number"),
    fragment(23, 28, "А.лекс", correction="sports"),
    fragment(23, 28, "А.орф"),
    fragment(43, 48, "ИСП", correction="when"),
    whole_text("А.логика"),
)
BAD = ("serious", "critical")
STAFF = [User.Role.COORDINATOR, User.Role.ORGANISER, User.Role.JUDGE, User.Role.COMMISSION]
LOOKS = [
    pytest.param(width, scheme, id=f"{width} {scheme}")
    for width in (1440, 375)
    for scheme in ("light", "dark")
]


@pytest.fixture(scope="package")
def axe():
    try:
        return importlib.import_module("axe_playwright_python.sync_playwright").Axe()
    except ImportError:
        return (pytest.fail if in_ci() else pytest.skip)("no axe-playwright-python here")


@pytest.fixture
def world(site):  # noqa: ARG001 - the rows need the database
    """Addresses of all pages, and who opens them."""
    return "world"
