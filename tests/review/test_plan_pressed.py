"""What stands in the form beside “Give” when it is pressed; a preview that gave way to another."""

from __future__ import annotations

import pytest

from annotator.models import Assignment
from review.models.plans import Plan
from tests.factories import EssayFactory, PersonFactory
from tests.pages import page_of, texts_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def people():
    return [PersonFactory(full_name=name) for name in ("Ann", "Bob", "Cy")]


@pytest.fixture
def preview(desk, people):  # noqa: ARG001 - whom it is for
    EssayFactory.create_batch(3)
    return desk.post("/planning/", {"wanted": "any"}, follow=True)


def press(desk, page, **changed):
    """Press “Give” as a browser does, without scripts, with what was changed in its form."""
    form, shown = page_of(page).one("form#options"), page_of(page)
    button = next(each for each in shown.find("button[formaction]") if each["form"] == "options")
    hidden = {each["name"]: each["value"] for each in form.find("input[type=hidden]")}
    sent = {"wanted": "any", "seen": hidden["seen"], **changed}
    return desk.post(button["formaction"], sent, follow=True)


def given_to():
    return set(Assignment.objects.values_list("expert__full_name", flat=True))


def test_a_form_nobody_changed_gives_what_was_seen(desk, preview):
    done = press(desk, preview)

    assert texts_of(done, ".messages .notice") == ["6 checks were given."]
    assert given_to() == {"Ann", "Bob", "Cy"}


def test_who_was_ticked_as_left_out_gets_nothing_and_the_change_is_shown_first(
    desk, preview, people
):
    shown = press(desk, preview, out=people[0].pk)
    before = given_to()
    done = press(desk, shown, out=people[0].pk)

    assert texts_of(shown, ".messages .notice") == [
        "You changed: who is left out. Nothing was given: see what this makes of it, then confirm."
    ]
    assert {row.split()[-2] for row in texts_of(shown, ".changed tbody tr")} == {"Ann"}
    assert (before, given_to()) == (set(), {"Bob", "Cy"})
    assert texts_of(done, ".messages .notice") == ["6 checks were given."]


def test_a_limit_that_was_typed_beside_the_button_holds(desk, preview):
    shown = press(desk, preview, limit=1)
    press(desk, shown, limit=1)

    assert texts_of(shown, ".plan .key") == ["3 of 6 checks"]
    assert Assignment.objects.count() == 3


def test_what_cannot_be_read_beside_the_button_gives_nothing(desk, preview):
    said = press(desk, preview, limit="many")

    assert (said.status_code, given_to()) == (422, set())
    assert texts_of(said, "#notice") == [
        "What you changed of the plan cannot be read: work it out anew first."
    ]


@pytest.mark.usefixtures("people")
def test_who_never_signed_in_stays_left_out_though_no_box_stands_there(desk):
    absent = PersonFactory(full_name="Dan")
    absent.set_unusable_password()
    absent.save()
    EssayFactory()

    page = desk.post("/planning/", {"wanted": "any", "out": absent.pk}, follow=True)

    kept = [each["value"] for each in page_of(page).find("#options input[name=out]")]
    assert kept == [str(absent.pk)]


@pytest.mark.usefixtures("preview")
@pytest.mark.parametrize("way", ["", "confirm/", "drop/"])
def test_a_preview_that_gave_way_to_another_says_so_and_leads_there(way, desk):
    former = Plan.objects.get()
    desk.post("/planning/", {"wanted": "any", "limit": 5})
    later = Plan.objects.get()
    address = f"/planning/{former.pk}/{way}"

    said = desk.post(address, {"seen": former.digest}) if way else desk.get(address)

    assert said.status_code == 410
    assert page_of(said).one("[role=alert] a")["href"] == f"/planning/{later.pk}/"
    sentence = "You made another plan since, and a preview gives way to the next one."
    (told,) = texts_of(said, "[role=alert]")
    assert told == f"{sentence} Nothing was given by this one. To that plan"
    assert given_to() == set()


@pytest.mark.usefixtures("preview")
def test_to_a_stranger_a_preview_that_gave_way_is_no_page(desk, log_in):
    former = Plan.objects.get().pk
    desk.post("/planning/", {"wanted": "any", "limit": 5})
    stranger = log_in(PersonFactory(role="coordinator"))

    assert stranger.get(f"/planning/{former}/").status_code == 404


@pytest.mark.usefixtures("preview")
def test_a_second_press_on_drop_is_answered_as_the_first(desk, log_in):
    address = f"/planning/{Plan.objects.get().pk}/drop/"
    stranger = log_in(PersonFactory(role="coordinator"))

    of_stranger = stranger.post(address).status_code
    kept = Plan.objects.count()
    answers = [desk.post(address) for _press in range(2)]

    assert [(each.status_code, each["Location"]) for each in answers] == [(302, "/planning/")] * 2
    assert (of_stranger, kept, Plan.objects.count()) == (404, 1, 0)


def test_a_second_press_on_give_and_on_withdraw_is_answered_as_done(desk, preview):
    given = [press(desk, preview) for _press in range(2)]
    checks = Assignment.objects.count()
    address = f"/planning/{Plan.objects.get().pk}/withdraw/"
    taken = [desk.post(address, follow=True) for _press in range(2)]

    assert [(page.status_code, *texts_of(page, ".messages .notice")) for page in given] == [
        (200, "6 checks were given."),
        (200, "This plan is carried out already."),
    ]
    assert [(page.status_code, *texts_of(page, ".messages .notice")) for page in taken] == [
        (200, "6 checks were withdrawn."),
        (200, "This plan is withdrawn already."),
    ]
    assert (checks, Assignment.objects.filter(state="withdrawn").count()) == (6, 6)
