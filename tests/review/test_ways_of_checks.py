"""From an essay's checks to those of the next one, and back to the desk somebody came from."""

from __future__ import annotations

import pytest

from tests.factories import EssayFactory, EssaySetFactory, PersonFactory
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
