"""A pin that keeps a check from everybody comes out where the plan says so."""

from __future__ import annotations

import pytest

from accounts.models import AuditEntry
from annotator.services.versions import replace_essay
from review.models.plans import ExpertConflict, Pin, Plan
from tests.factories import TEXT, AssignmentFactory, EssayFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


def test_a_pin_is_taken_out_beside_the_plan_which_is_worked_out_anew(log_in):
    PersonFactory(full_name="Ann")
    PersonFactory(full_name="Bob")
    essay = EssayFactory()
    Pin.objects.create(essay=essay, expert=PersonFactory(full_name="Eve", subjects=["hist"]))
    desk = log_in(PersonFactory(role="coordinator"))
    page = desk.post("/planning/", {"limit": 3}, follow=True)
    assert texts_of(page, ".plan .key") == ["1 of 2 checks"]
    (button,) = page_of(page).find("button[name=unpin]")
    asked = {"limit": 3, "unpin": button["value"]}

    for _press in range(2):
        free = desk.post("/planning/", asked, follow=True)

    assert button["form"] == "options"
    plan = Plan.objects.get(state="preview")
    assert free.redirect_chain == [(f"/planning/{plan.pk}/", 302)]
    assert texts_of(free, ".plan .key") == ["2 of 2 checks"]
    assert not Pin.objects.exists()
    assert AuditEntry.objects.filter(action="check.unpinned").count() == 1


@pytest.mark.parametrize("wrong", ["", "x", "²", "9" * 40, pytest.param("9" * 5000, id="long")])
def test_what_names_no_pin_takes_none_out(log_in, wrong):
    Pin.objects.create(essay=EssayFactory(), expert=PersonFactory())
    desk = log_in(PersonFactory(role="coordinator"))

    assert desk.post("/planning/", {"unpin": wrong}).status_code == 302

    assert Pin.objects.count() == 1


@pytest.mark.parametrize(
    ("school", "is_named", "cause"),
    [
        ("Lyceum 1", False, "of one school with Ann"),
        ("", True, "never at one essay with Ann"),
        ("Lyceum 2", False, ""),
    ],
)
def test_a_pin_beside_somebody_in_conflict_says_with_whom(log_in, school, is_named, cause):
    ann = PersonFactory(full_name="Ann", school=" LYCEUM 1")
    bob = PersonFactory(full_name="Bob", school=school)
    essay = EssayFactory()
    if is_named:
        ExpertConflict.objects.create(one=ann, other=bob)
    Pin.objects.create(essay=essay, expert=ann)
    desk = log_in(PersonFactory(role="coordinator"))

    page = desk.post(f"/desk/essays/{essay.pk}/pin/", {"expert": bob.pk}, follow=True)

    said = f"Pinned, but plans cannot give it to Bob yet: {cause}."
    assert texts_of(page, ".messages li") == [said if cause else "Pinned: plans keep to it."]
    told = [f"They cannot give it yet: {cause}."] if cause else []
    assert texts_of(page, ".pins b") == told


@pytest.mark.parametrize("first", ["Ann", "Bob"])
@pytest.mark.parametrize(
    ("school", "cause"),
    [("Lyceum 1", "of one school with Ann"), ("", "never at one essay with Ann")],
)
def test_the_row_of_a_plan_for_a_pin_in_conflict_says_with_whom(log_in, school, cause, first):
    ann = PersonFactory(full_name="Ann", school="Lyceum 1")
    bob = PersonFactory(full_name="Bob", school=school)
    PersonFactory(full_name="Eve")
    essay = EssayFactory()
    if not school:
        ExpertConflict.objects.create(one=ann, other=bob)
    for expert in (ann, bob) if first == "Ann" else (bob, ann):
        Pin.objects.create(essay=essay, expert=expert)
    desk = log_in(PersonFactory(role="coordinator"))

    page = desk.post("/planning/", {"limit": 3}, follow=True)

    (why,) = [each.text for each in page_of(page).find(".unfilled td") if "pinned to" in each.text]
    assert " ".join(why.split()) == f"pinned to somebody who cannot have it ({cause}) Bob"


def test_a_pin_whose_check_is_given_waits_for_nothing(log_in):
    ann, bob = (PersonFactory(full_name=name, school="Lyceum 1") for name in ("Ann", "Bob"))
    essay = EssayFactory()
    for expert in (bob, ann):
        Pin.objects.create(essay=essay, expert=expert)
    AssignmentFactory(essay=essay, expert=ann)
    desk = log_in(PersonFactory(role="coordinator"))

    told = texts_of(desk.get(f"/desk/essays/{essay.pk}/"), ".pins b")

    assert told == ["They cannot give it yet: of one school with Ann."]


def test_of_one_check_the_plan_speaks_in_the_singular(log_in):
    AssignmentFactory(essay=EssayFactory())
    desk = log_in(PersonFactory(role="coordinator"))
    ways = {"en": "0 of 1 check", "ru": "0 из 1 проверки"}

    told = {
        language: texts_of(
            desk.post("/planning/", follow=True, headers={"Accept-Language": language}),
            ".plan .key",
        )
        for language in ways
    }

    assert told == {language: [words] for language, words in ways.items()}


def test_who_is_pinned_stays_so_in_a_new_version_of_the_essay(log_in):
    coordinator = PersonFactory(role="coordinator")
    pin = Pin.objects.create(essay=EssayFactory(), expert=PersonFactory(full_name="Ann"))

    latest = replace_essay(
        essay=pin.essay, text=f"{TEXT}!", reason="A sign", actor=coordinator
    ).essay

    page = log_in(coordinator).get(f"/desk/essays/{latest.pk}/")
    assert Pin.objects.values_list("essay", "expert").get() == (latest.pk, pin.expert.pk)
    assert "Ann" in page.content.decode()


def test_a_pin_from_the_page_of_a_version_that_was_replaced_is_refused(log_in):
    coordinator, essay = PersonFactory(role="coordinator"), EssayFactory()
    replace_essay(essay=essay, text=f"{TEXT}!", reason="A sign", actor=coordinator)

    address = f"/desk/essays/{essay.pk}/pin/"
    answer = log_in(coordinator).post(address, {"expert": PersonFactory().pk})

    assert answer.status_code == 422
    assert "was replaced. Work with version 2" in answer.content.decode()
    assert not Pin.objects.exists()
