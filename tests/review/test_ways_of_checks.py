"""From an essay's checks to those of the next one, and back to the desk somebody came from."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import AssignmentFactory, EssayFactory, EssaySetFactory, PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def essays():
    alpha, beta = EssaySetFactory(name="Alpha"), EssaySetFactory(name="Beta")
    return {
        number: EssayFactory(essay_set=essay_set, number=number, theme=theme)
        for number, essay_set, theme in (
            ("a1", alpha, "Parks"),
            ("a2", alpha, "Sport"),
            ("a3", alpha, "Parks"),
            ("b1", beta, "Parks"),
        )
    }


def ways(page):
    found = [each for each in page_of(page).find("a") if each.attributes.get("rel")]
    return [(each["rel"], each["href"]) for each in found]


def test_the_checks_of_an_essay_lead_to_those_beside_it_in_the_list_and_to_the_list(desk, essays):
    listed = "?list=desk&q=Parks"

    page = desk.get(f"/desk/essays/{essays['a3'].pk}/{listed}")

    assert ways(page) == [
        ("prev", f"/desk/essays/{essays['a1'].pk}/{listed}"),
        ("next", f"/desk/essays/{essays['b1'].pk}/{listed}"),
    ]
    assert page_of(page).one("#to-desk")["href"] == "/desk/?q=Parks"


def test_without_a_list_they_lead_through_the_set_and_to_its_desk(desk, essays):
    page = desk.get(f"/desk/essays/{essays['a3'].pk}/")

    assert ways(page) == [("prev", f"/desk/essays/{essays['a2'].pk}/")]
    assert page_of(page).one("#to-desk")["href"] == "/desk/?set=Alpha"


def test_the_desk_of_all_essays_is_led_back_to_as_it_was(desk, essays):
    page = desk.get(f"/desk/essays/{essays['b1'].pk}/?list=desk")

    assert page_of(page).one("#to-desk")["href"] == "/desk/"


def test_what_is_beside_an_essay_stands_beside_it_on_the_desk_in_the_desks_own_order(desk, essays):
    now = timezone.now()
    for number, days in (("b1", -3), ("a3", -1), ("a1", 1)):
        due = now + timedelta(days=days)
        AssignmentFactory(essay=essays[number], role="first", deadline_at=due)

    listed = [each["href"] for each in page_of(desk.get("/desk/?q=")).find("tbody th a")]
    second = desk.get(listed[1])

    order = [essays[number] for number in ("b1", "a3", "a1", "a2")]
    assert listed == [f"/desk/essays/{each.pk}/?list=desk&at={at}" for at, each in enumerate(order)]
    assert ways(second) == [("prev", listed[0]), ("next", listed[2])]
    assert ways(desk.get(listed[0])) == [("next", listed[1])]
    assert ways(desk.get(listed[3])) == [("prev", listed[2])]
    text = desk.get(listed[1].replace("/desk/essays/", "/essays/"))
    assert ways(text) == [
        (rel, href.replace("/desk/essays/", "/essays/")) for rel, href in ways(second)
    ]


def test_what_took_the_place_of_an_essay_that_was_done_with_is_next(desk, essays):
    waiting = "?list=desk&state=unassigned"
    AssignmentFactory(essay=essays["a2"], role="first")
    AssignmentFactory(essay=essays["a2"], role="second")

    page = desk.get(f"/desk/essays/{essays['a2'].pk}/{waiting}&at=1")

    assert ways(page) == [
        ("prev", f"/desk/essays/{essays['a1'].pk}/{waiting}&at=0"),
        ("next", f"/desk/essays/{essays['a3'].pk}/{waiting}&at=1"),
    ]


@pytest.mark.parametrize(
    ("at", "back"),
    [("49", ""), ("50", "&page=2"), ("149", "&page=3"), ("x", ""), ("-1", ""), ("9" * 30, "")],
)
def test_the_way_back_leads_to_the_page_of_the_desk_somebody_came_from(desk, essays, at, back):
    page = desk.get(f"/desk/essays/{essays['a3'].pk}/?list=desk&q=Parks&at={at}")

    assert page_of(page).one("#to-desk")["href"] == f"/desk/?q=Parks{back}"


def test_the_ways_go_on_from_the_last_essay_of_a_page_to_the_first_of_the_next_page(desk):
    found = EssayFactory.create_batch(52, essay_set=EssaySetFactory(), theme="Parks")
    EssayFactory.create_batch(2, essay_set=found[0].essay_set, theme="Sport")
    for days, essay in enumerate(reversed(found[2:])):
        due = timezone.now() + timedelta(days=days)
        AssignmentFactory(essay=essay, role="first", deadline_at=due)

    asked = "/desk/?q=Parks&order=due"
    pages = [page_of(desk.get(f"{asked}&page={number}")) for number in (1, 2)]
    listed = [each["href"] for page in pages for each in page.find("tbody th a")]

    assert len(listed) == 52
    assert ways(desk.get(listed[49])) == [("prev", listed[48]), ("next", listed[50])]
    assert ways(desk.get(listed[50])) == [("prev", listed[49]), ("next", listed[51])]
    assert ways(desk.get(listed[51])) == [("prev", listed[50])]
    back = [page_of(desk.get(listed[at])).one("#to-desk")["href"] for at in (49, 50)]
    assert back == [asked, f"{asked}&page=2"]
