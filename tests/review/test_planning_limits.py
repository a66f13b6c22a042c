"""Limits of experts, who is kept apart from whom, and pins: what plans keep to."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry, User
from review.models.plans import ExpertConflict, ExpertLimit, Pin
from tests.factories import EssayFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role=User.Role.COORDINATOR))


def test_limits_conflicts_and_pins_are_kept_by_coordinators(desk):
    ann, bob = (PersonFactory(full_name=name, username=name) for name in ("Ann", "Bob"))
    essay = EssayFactory()

    desk.post("/planning/experts/limits/", {f"checks-{ann.pk}": 7})
    page = desk.post("/planning/conflicts/", {"one": "Bob", "other": "Ann"}, follow=True)
    desk.post(f"/desk/essays/{essay.pk}/pin/", {"expert": bob.pk})
    checks = desk.get(f"/desk/essays/{essay.pk}/")

    limits = page_of(page).find(".limits input[type=number]")
    assert [each["value"] for each in limits] == ["7", ""]
    assert texts_of(page, ".conflicts li span")[:1] == ["Ann, Bob"]
    assert texts_of(checks, ".pins li span") == ["Pinned to Bob: plans keep to it."]

    desk.post("/planning/experts/limits/", {f"checks-{ann.pk}": ""})
    desk.post(f"/planning/conflicts/{ExpertConflict.objects.get().pk}/drop/")
    desk.post(f"/desk/pins/{Pin.objects.get().pk}/drop/")
    left = [model.objects.count() for model in (ExpertLimit, ExpertConflict, Pin)]
    assert left == [0, 0, 0]


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/planning/conflicts/", {"one": "nobody", "other": "person"}),
        ("/planning/conflicts/", {"one": "Ann", "other": "Ann"}),
    ],
)
def test_what_makes_no_sense_is_refused(desk, address, body):
    PersonFactory(username="Ann")

    assert desk.post(address, body).status_code == 422


def test_one_press_saves_the_limits_of_all_rows_that_were_changed(desk):
    ann, bob, cy = (PersonFactory(full_name=name) for name in ("Ann", "Bob", "Cy"))
    ExpertLimit.objects.create(expert=bob, checks=9)  # by another coordinator, meanwhile
    ExpertLimit.objects.create(expert=cy, checks=5)
    sent = {
        f"checks-{ann.pk}": "7",
        f"was-{ann.pk}": "",
        f"checks-{bob.pk}": "",
        f"was-{bob.pk}": "",
    }
    sent |= {f"checks-{cy.pk}": "", f"was-{cy.pk}": "5"}

    page = desk.post("/planning/experts/limits/?q=n", sent, follow=True)

    assert dict(ExpertLimit.objects.values_list("expert__full_name", "checks")) == {
        "Ann": 7,
        "Bob": 9,
    }
    entries = AuditEntry.objects.filter(action="expert.limited").order_by("pk")
    told = [(each.object_id, each.details["checks"]) for each in entries]
    assert told == [(str(ann.pk), 7), (str(cy.pk), None)]
    assert texts_of(page, ".messages .notice") == ["Saved: Ann, Cy"]
    assert page.request["QUERY_STRING"] == "q=n"


def test_of_two_who_limit_an_expert_at_once_the_second_is_told(desk):
    ann, bob = (PersonFactory(full_name=name) for name in ("Ann", "Bob"))
    ExpertLimit.objects.create(expert=ann, checks=0)  # she is ill, says another one meanwhile
    sent = {f"checks-{bob.pk}": "3", f"was-{bob.pk}": ""}

    said = desk.post(
        "/planning/experts/limits/", sent | {f"checks-{ann.pk}": "9", f"was-{ann.pk}": ""}
    )
    twice = desk.post(
        "/planning/experts/limits/", {f"checks-{ann.pk}": "0", f"was-{ann.pk}": ""}, follow=True
    )

    assert said.status_code == 409
    assert texts_of(said, "#notice") == [
        "Somebody gave Ann another limit meanwhile. Look at it again."
    ]
    assert texts_of(twice, ".messages .notice") == ["No limit was changed."]
    assert list(ExpertLimit.objects.values_list("expert", "checks")) == [(ann.pk, 0)]
    assert not AuditEntry.objects.filter(action="expert.limited").exists()


def test_a_limit_that_is_no_number_saves_nothing_and_says_whose_it_is(desk):
    ann, bob = (PersonFactory(full_name=name) for name in ("Ann", "Bob"))

    said = desk.post(
        "/planning/experts/limits/", {f"checks-{ann.pk}": "7", f"checks-{bob.pk}": "-1"}
    )

    assert (said.status_code, ExpertLimit.objects.count()) == (422, 0)
    assert texts_of(said, "#notice") == [
        "Bob: give a whole number from 0 to 10000, or nothing for no limit."
    ]
    assert "What you typed" not in texts_of(said, "summary")


@pytest.mark.parametrize("words", ["СИДОР", "сидор", "ДЕЖУР", "лИЦЕЙ"])
def test_experts_with_limits_are_found_whatever_the_case_of_letters(desk, words):
    PersonFactory(full_name="Сидоров", username="дежурный", school="Лицей № 1")
    PersonFactory(full_name="Иванова", username="иванова", school="Школа № 2")

    shown = desk.get("/planning/experts/", {"q": words})

    assert [expert.username for expert in shown.context["page"]] == ["дежурный"]


def test_a_pin_that_plans_cannot_keep_to_says_why_at_once_and_in_the_plan(desk):
    essay = EssayFactory()
    for name in ("Bob", "Cy"):
        PersonFactory(full_name=name)
    ann = PersonFactory(full_name="Ann", password="!")

    said = desk.post(f"/desk/essays/{essay.pk}/pin/", {"expert": ann.pk}, follow=True)
    plan = desk.post("/planning/", {"wanted": "any"}, follow=True)

    assert texts_of(said, ".messages .notice") == [
        "Pinned, but plans cannot give it to Ann yet: never signed in."
    ]
    assert texts_of(said, ".pins li span") == [
        "Pinned to Ann: plans keep to it. They cannot give it yet: never signed in."
    ]
    told = " ".join(texts_of(plan, "#unfilled"))
    assert "pinned to somebody who cannot have it (never signed in) Ann" in told
