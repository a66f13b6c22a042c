"""A person's own tables on a phone: what there is to press and to read stands within the window."""

from __future__ import annotations

import pytest

from accounts.services.tokens import issue_token
from review.models import ThirdCheck
from tests.contest.markup_world import markups_contest, sent_by, team_of, zipped
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.review.verdicts import judge, settled_set
from tests.scoring.work import order, run_all
from tests.strategies import fragment

pytestmark = pytest.mark.full

OUTSIDE = """() => [...document.querySelectorAll("main .scroll")].flatMap((box) => {
  const edge = box.getBoundingClientRect().right;
  return [...box.querySelectorAll("td, button")]
    .filter((each) => each.getBoundingClientRect().right > edge + 1)
    .map((each) => each.textContent.trim());
})"""
BOXES = """all => all.map(each => {
  const box = each.getBoundingClientRect();
  return [Math.round(box.top), Math.round(box.left)];
})"""
NUMBERS = """cells => cells.map(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell.firstChild);
  return Math.round(range.getBoundingClientRect().left);
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


def test_on_a_phone_the_figures_of_uploads_stand_beside_each_other(visit):
    contest = markups_contest()
    for name in ("Lynx", "Bear"):
        sent_by(team_of(contest, name), zipped(contest, "А.грамм", "А.лекс"))
    organiser = PersonFactory(role="organiser")

    for person in (organiser, contest.teams.first().account):
        page = visit(person, f"/contests/{contest.slug}/uploads/", **PHONE)

        cells = page.locator("#sent td.num").evaluate_all(BOXES)
        tops, lefts = cells[::2], cells[1::2]
        assert [top for top, _ in tops] == [top for top, _ in lefts]
        assert len({left for _, left in tops}) == len({left for _, left in lefts}) == 1
        assert page.evaluate(OUTSIDE) == []


def test_on_a_phone_gaps_stand_below_each_other_also_where_a_third_check_is_told(visit):
    essay_set = settled_set(name="Gaps")
    third = ThirdCheck.objects.filter(essay=essay_set.essays.last())
    third.update(needed=True)

    page = visit(judge(), f"/verdicts/sets/{essay_set.pk}/", **PHONE)

    cells = page.locator("[aria-labelledby=h-essays] tbody td.num:nth-of-type(2)")
    lefts = cells.evaluate_all(NUMBERS)
    assert (len(lefts), len(set(lefts)), page.locator("td.num .sub").count()) == (2, 1, 1)
