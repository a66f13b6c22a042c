"""A participant's own figures: by which expert's markup each row is measured."""

from __future__ import annotations

import pytest

from annotator.services.aliases import allot_aliases
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of
from tests.scoring.work import order, run_all
from tests.strategies import fragment

pytestmark = pytest.mark.django_db

LEFT = (fragment(0, 4, "А.лекс"), fragment(12, 17, "А.грамм"))
RIGHT = (fragment(0, 4, "А.лекс"), fragment(5, 11, "А.орф", subcode="x"))


def test_figures_say_which_expert_each_row_is_about_as_the_set_lets_its_readers_know(log_in):
    robot = PersonFactory(role="participant")
    expected = []
    for names_experts in (False, True):
        essay_set = EssaySetFactory(access="open", names_experts=names_experts)
        essay = EssayFactory(essay_set=essay_set, number="1")
        sent = submitted(essay, *LEFT, author=robot, source="algorithm")
        experts = [submitted(essay, *RIGHT) for _ in range(2)]
        for record in (sent, *experts):
            order(record)
        allot_aliases(essay_set_id=essay_set.pk, experts=[each.author_id for each in experts])
        numbers = essay_set.aliases.values_list("number", flat=True)
        names = [str(each.author) for each in experts]
        expected += names if names_experts else [f"Expert {number}" for number in numbers]
    run_all()

    page = page_of(log_in(robot).get("/scores/own/"))

    told = [each.text for each in page.find("tbody td[data-label=Expert]")]
    assert sorted(told) == sorted(expected)
    assert log_in(PersonFactory(role="expert")).get("/scores/own/").status_code == 403
