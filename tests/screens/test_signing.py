"""When the session has ended one signs in over the screen; what waits stays its owner's."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from tests.annotator.drafts import draft_of
from tests.e2e.pages import PASSWORD
from tests.e2e.visitor import session_of
from tests.factories import PersonFactory
from tests.screens.test_changing import TEXT, activate
from tests.screens.test_waiting import comment, mark_some, notice, open_card, state
from tests.strategies import fragment

pytestmark = pytest.mark.full

LOGGED_OUT = "You are logged out."


@pytest.fixture
def logging_in(desk):
    """The screen of somebody with a password."""

    def opened(*fragments):
        record = draft_of(TEXT, *fragments)
        hasher = Argon2PasswordHasher()
        record.author.password = hasher.encode(PASSWORD, hasher.salt())
        record.author.save()
        return desk(record=record).into_text()

    return opened


def log_in(page, record):
    page.locator("#id_username").fill(record.author.username)
    page.locator("#id_password").fill(PASSWORD)
    page.locator("main form button").click()


def sign_in(screen, name, password=PASSWORD):
    notice(screen).get_by_role("button", name="Log in").click()
    dialog = screen.page.locator("#sign-in")
    dialog.locator("[name=username]").fill(name)
    dialog.locator("[name=password]").fill(password)
    dialog.get_by_role("button", name="Log in").click()
    return dialog


def test_who_signs_in_over_the_screen_goes_on_where_the_session_ended(logging_in):
    screen = open_card(logging_in(fragment(5, 11)))
    Session.objects.all().delete()

    comment(screen).fill("typed while logged out")
    screen.press("Tab")
    expect(notice(screen)).to_contain_text(LOGGED_OUT)
    mark_some(screen)
    expect(notice(screen).locator("li")).to_have_text(
        ["people · typed while logged out", "Some · А.грамм"]
    )
    assert screen.marks("comment") == [("",)]
    dialog = sign_in(screen, screen.record.author.username, "not the password")
    expect(dialog.locator("[role=alert]")).not_to_be_empty()
    dialog.locator("[name=password]").fill(PASSWORD)
    screen.press("Enter")
    expect(dialog).to_be_hidden()

    screen.saved(2)
    assert screen.page.url.endswith(f"/markups/{screen.record.pk}/")
    assert screen.marks("start", "comment") == [(5, "typed while logged out"), (0, "")]
    expect(notice(screen)).to_be_empty()
    mark_some(screen, "jha").saved(3)


def test_another_person_who_signs_in_gets_nothing_of_what_waits(logging_in, visitors):
    visitors.watch.expected.add(404)
    screen = logging_in(fragment(5, 11))
    other = PersonFactory(role="expert", password=screen.record.author.password)
    Session.objects.all().delete()
    mark_some(screen)
    expect(notice(screen)).to_contain_text(LOGGED_OUT)

    sign_in(screen, other.username)
    expect(screen.page.locator("#desk")).to_have_count(0)

    assert screen.marks("start") == [(5,)]
    kept = screen.page.evaluate("Object.keys(localStorage).filter((n) => /waiting/.test(n))")
    assert [f"waiting-{screen.record.author.pk}-" in name for name in kept] == [True]
    visitors.watch.problems.clear()


def test_a_change_goes_on_after_a_login_in_another_tab(logging_in):
    screen = logging_in(fragment(5, 11))
    Session.objects.all().delete()
    mark_some(screen)
    state(screen, "login")

    other = screen.page.context.new_page()
    other.goto("/login/")
    log_in(other, screen.record)
    other.wait_for_url("**/queue/")
    other.close()
    screen.page.bring_to_front()
    screen.page.evaluate("dispatchEvent(new Event('focus'))")  # a window without a screen has none
    screen.saved(1)

    assert screen.marks("start", "code") == [(5, "А.грамм"), (0, "А.грамм")]
    expect(notice(screen)).to_be_empty()
    mark_some(screen, "jha").saved(2)


def test_who_only_opens_a_card_while_logged_out_is_asked_and_gets_it_after_the_login(logging_in):
    screen = logging_in(fragment(5, 11))
    Session.objects.all().delete()

    activate(screen).press("e")

    expect(notice(screen)).to_contain_text(LOGGED_OUT)
    expect(screen.page.locator("#cards form[data-stand-in]")).to_be_visible()
    expect(screen.page.locator("#cards")).not_to_contain_text("Without a connection")
    sign_in(screen, screen.record.author.username)
    expect(notice(screen)).to_be_empty()
    expect(screen.page.locator("#cards form:not([data-stand-in])")).to_be_visible()


def test_a_page_does_nothing_in_the_name_of_another_person_and_goes_on_with_its_own(desk, site):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    context, owner = screen.page.context, screen.record.author
    answers = []
    screen.page.on("response", lambda answer: answers.append(answer.status))
    context.add_cookies([session_of(PersonFactory(role="expert"), site.url)])

    mark_some(screen)
    state(screen, "login")
    expect(notice(screen).locator("li")).to_have_text(["Some · А.грамм"])
    assert (screen.marks("start"), 404 in answers) == ([(5,)], False)
    context.add_cookies([session_of(owner, site.url)])
    screen.page.evaluate("dispatchEvent(new Event('focus'))")

    screen.saved(1)
    assert screen.marks("start", "code") == [(5, "А.грамм"), (0, "А.грамм")]


def test_who_goes_on_while_somebody_else_is_logged_in_is_told_who(desk, site, visitors):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    context, owner = screen.page.context, screen.record.author
    Session.objects.all().delete()
    mark_some(screen)
    expect(notice(screen)).to_contain_text(LOGGED_OUT)
    other = PersonFactory(role="expert", full_name="Other Person")
    context.add_cookies([session_of(other, site.url)])

    notice(screen).get_by_role("button", name="Go on").click()

    told = notice(screen).locator("[data-else]")
    expect(told).to_contain_text(f"somebody else is logged in: {other.get_short_name()}.")
    assert screen.marks("start") == [(5,)]
    context.add_cookies([session_of(owner, site.url)])
    notice(screen).get_by_role("button", name="Go on").click()
    screen.saved(1)
    visitors.watch.problems.clear()


def test_who_has_somebody_else_logged_in_is_told_so_at_once_and_not_to_be_logged_out(desk, site):
    screen = desk(TEXT, fragment(5, 11)).into_text()
    other = PersonFactory(role="expert", full_name="Other Person")
    screen.page.context.add_cookies([session_of(other, site.url)])

    mark_some(screen)

    told = notice(screen).locator("[data-else]")
    expect(told).to_contain_text(f"somebody else is logged in: {other.get_short_name()}.")
    expect(notice(screen).locator("span[data-kept]")).to_be_hidden()
    expect(notice(screen).locator("li")).to_have_text(["Some · А.грамм"])
