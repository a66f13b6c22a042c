"""A person's own tables on a phone: what there is to press and to read stands within the window."""

from __future__ import annotations

import pytest

from accounts.services.tokens import issue_token
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.scoring.work import order, run_all
from tests.strategies import fragment

pytestmark = pytest.mark.full

OUTSIDE = """() => [...document.querySelectorAll("main .scroll")].flatMap((box) => {
  const edge = box.getBoundingClientRect().right;
  return [...box.querySelectorAll("td, button")]
    .filter((each) => each.getBoundingClientRect().right > edge + 1)
    .map((each) => each.textContent.trim());
})"""
PHONE = {"viewport": {"width": 360, "height": 740}}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_phone_a_key_is_revoked_without_scrolling_sideways(visit, language):
    person = PersonFactory(role="participant")
    issue_token(user=person, name="The program of the second stage")

    page = visit(person, "/account/", language=language, **PHONE)

    assert page.locator(".scroll button.danger").count() == 1
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_on_a_phone_the_own_figures_are_read_without_scrolling_sideways(visit, language):
    robot = PersonFactory(role="participant")
    essay = EssayFactory(essay_set=EssaySetFactory(access="open"), number="1")
    mark = fragment(0, 3, "А.грамм")
    for record in (
        submitted(essay, mark, author=robot, source="algorithm"),
        submitted(essay, mark),
    ):
        order(record)
    run_all()

    page = visit(robot, "/scores/own/", language=language, **PHONE)

    assert page.locator("tbody tr").count() == 1
    assert page.evaluate(OUTSIDE) == []
