"""A participant's own figures: by which expert's markup each row is measured."""

from __future__ import annotations

import pytest

from annotator.services.aliases import allot_aliases
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.pages import page_of
from tests.scoring.work import order, run_all
from tests.steps import counted_by_sqlite, steps_of
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


@counted_by_sqlite
def test_markups_of_other_essays_cost_own_figures_nothing(log_in):
    robot, essay_set = PersonFactory(role="participant"), EssaySetFactory(access="open")
    essay = EssayFactory(essay_set=essay_set)
    for record in (submitted(essay, *LEFT, author=robot, source="algorithm"), submitted(essay)):
        order(record)
    run_all()
    client, steps = log_in(robot), []
    expert = PersonFactory()
    for more in (0, 200):
        for other in EssayFactory.create_batch(more, essay_set=essay_set):
            submitted(other, author=expert)
        client.get("/scores/own/")
        steps.append(steps_of(lambda: client.get("/scores/own/")))

    assert steps[1] <= steps[0] + 5


def told_of(client, sent, expert):
    """What each door tells of an own markup: figures by essays, or none."""
    pair = f"/compare/{sent.pk}/{expert.pk}/"
    page, file, api = (
        client.get(address) for address in (pair, f"{pair}json/", f"/api/markups/{sent.pk}/scores/")
    )
    listed = page_of(client.get("/scores/own/")).find("tbody tr")
    restricted = api.json()["restricted"]
    return (
        (page.status_code, file.status_code, len(api.json()["scores"]), len(listed)),
        restricted and restricted.partition(" count")[0],
        file.json() if file.status_code == 200 else None,
    )


@pytest.mark.parametrize("count", [9, 10])
def test_of_a_test_set_no_door_tells_figures_by_essays_of_fewer_than_ten(log_in, count):
    robot, essay_set = PersonFactory(role="participant"), EssaySetFactory(access="closed")
    for number in range(count):
        essay = EssayFactory(essay_set=essay_set, number=f"{number:02}")
        sent = submitted(essay, *LEFT, author=robot, source="algorithm", origin="session-7")
        expert = submitted(essay, *RIGHT)
        for record in (sent, expert):
            order(record)
    again = submitted(essay, author=robot, source="algorithm")
    order(again)
    run_all()
    client = log_in(robot)

    counts, restricted, file = told_of(client, sent, expert)

    few = "So few essays of a test set"
    expected = ((200, 200, 1, 10), None) if count == 10 else ((404, 404, 0, 0), few)
    assert (counts, restricted) == expected
    assert told_of(client, again, expert)[:2] == ((404, 404, 0, expected[0][3]), few)
    if file:
        assert (file["counts"]["found"], file["points"]) == (1, None)
    points = page_of(client.get(f"/compare/{sent.pk}/{expert.pk}/")).find(".kk")
    assert points == []
    assert page_of(
        log_in(PersonFactory(role="judge")).get(f"/compare/{sent.pk}/{expert.pk}/")
    ).find(".kk")


def test_figures_of_two_essays_of_a_test_set_are_as_unknown_as_a_number_that_is_none(log_in):
    robot, essay_set = PersonFactory(role="participant"), EssaySetFactory(access="closed")
    essays = [EssayFactory(essay_set=essay_set) for _ in range(2)]
    sent = submitted(essays[0], author=robot, source="algorithm")
    others = submitted(essays[1], *RIGHT)
    client = log_in(robot)

    found = [client.get(f"/compare/{sent.pk}/{number}/") for number in (others.pk, 10**6)]

    assert [each.status_code for each in found] == [404, 404]
    assert "different essays" not in found[0].content.decode()
