"""Nobody is shut out by the tries of others, and nobody gets more tries than there are."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from django.core import mail
from django.test import Client

from accounts.models import KnownPlace
from accounts.services.limits import TooMany
from accounts.services.logins import ADDRESS, LOGIN, STRANGERS, Place, knock
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

RIGHT, WRONG = "the right one", "the wrong one"
HOME, OFFICE = "192.0.2.1", "192.0.2.2"
IN, NO, TOO_MANY = 302, 200, 429


@pytest.fixture(autouse=True)
def ivan():
    return with_password("ivan", email="ivan@school.example")


def with_password(name, **fields):
    person = PersonFactory(username=name, **fields)
    person.set_password(RIGHT)
    person.save()
    return person


def enter(password=RIGHT, address=HOME, name="ivan", browser=None):
    browser = browser or Client()
    body = {"username": name, "password": password}
    answer = browser.post("/login/", body, REMOTE_ADDR=address)
    if answer.status_code == IN:
        browser.post("/logout/")
    return answer.status_code


def ask_for_key(password=RIGHT, address=HOME, name="ivan"):
    body = {"username": name, "password": password}
    answer = Client().post("/api/keys/", body, content_type="application/json", REMOTE_ADDR=address)
    return answer.status_code


def addresses(count):
    return [f"198.51.100.{number}" for number in range(1, count + 1)]


def from_everywhere():
    """The address of each of the tries that are more than an account has, few from each."""
    places = addresses(STRANGERS.tries // LOGIN.tries + 1)
    return [address for address in places for _ in range(LOGIN.tries)]


def attack(name="ivan"):
    """Strangers from everywhere use up the account's tries: counted, without the page."""
    for address in from_everywhere():
        with suppress(TooMany):
            knock(name=name, place=Place(address))


def test_one_who_tries_from_elsewhere_shuts_out_himself_alone():
    answers = [enter(WRONG, OFFICE) for _ in range(40)]

    assert answers == [NO] * 5 + [TOO_MANY] * 35
    assert (enter(), ask_for_key(address="192.0.2.3")) == (IN, 201)


def test_strangers_from_everywhere_have_so_many_tries_together():
    answers = [enter(WRONG, address) for address in from_everywhere()]

    assert answers == [NO] * STRANGERS.tries + [TOO_MANY] * LOGIN.tries
    assert enter() == TOO_MANY


def test_the_browser_the_owner_used_before_opens_during_an_attack():
    browser = Client()
    enter(browser=browser)
    attack()

    assert enter(browser=browser, address=OFFICE) == IN


def test_the_address_the_owner_used_before_opens_during_an_attack():
    assert (enter(), ask_for_key(address=OFFICE)) == (IN, 201)
    attack()

    assert (enter(), ask_for_key(address=OFFICE), enter(address="192.0.2.3")) == (IN, 201, TOO_MANY)


def test_a_letter_lets_the_owner_in_during_an_attack():
    attack()
    browser = Client(REMOTE_ADDR=OFFICE)
    browser.post("/forgotten/", {"email": "ivan@school.example"})
    (link,) = re.findall(r"http://127\.0\.0\.1:80(/invitation/\S+/)\n", mail.outbox[0].body)
    page = browser.get(link, follow=True)
    new = {"new_password1": "lake under the hill", "new_password2": "lake under the hill"}
    browser.post(page.request["PATH_INFO"], new)

    assert enter("lake under the hill", OFFICE, browser=browser) == IN


def test_letters_others_asked_for_keep_nobody_from_asking():
    with_password("anna", email="anna@school.example")
    for _ in range(20):
        Client().post("/forgotten/", {"email": "anna@school.example"}, REMOTE_ADDR=HOME)

    Client().post("/forgotten/", {"email": "ivan@school.example"}, REMOTE_ADDR=HOME)

    assert mail.outbox[-1].to == ["ivan@school.example"]


def test_a_known_place_has_its_own_few_tries_and_no_more():
    browser = Client()
    enter(browser=browser)

    tries = [enter(WRONG, browser=browser) for _ in range(6)]

    assert tries == [NO] * 5 + [TOO_MANY]
    assert enter(browser=browser) == TOO_MANY


def test_whoever_uses_up_the_tries_of_an_address_does_not_hold_a_browser_known_there():
    browser = Client()
    enter(browser=browser)
    for _ in range(6):
        enter(WRONG)

    assert (enter(), enter(browser=browser)) == (TOO_MANY, IN)


def test_an_address_has_so_many_tries_at_all_accounts_together():
    names = [f"name-{number}" for number in range(ADDRESS.tries + 2)]

    answers = [enter(WRONG, name=name) for name in names]

    assert answers == [NO] * ADDRESS.tries + [TOO_MANY] * 2
    assert (enter(), enter(address=OFFICE)) == (TOO_MANY, IN)


def test_an_account_of_ones_own_brings_no_more_tries_at_others():
    with_password("anna")
    answers = []
    for number in range(ADDRESS.tries + 1):
        enter(name="anna")
        answers.append(enter(WRONG, name=f"name-{number}"))

    assert answers == [NO] * ADDRESS.tries + [TOO_MANY]


@pytest.mark.parametrize("device", ["", "made up", "x" * 5000, "\x00", "\xe4"], ids=ascii)
def test_a_cookie_made_up_is_a_strangers(device):
    attack()
    browser = Client()
    browser.cookies["device"] = device

    assert enter(browser=browser) == TOO_MANY


def test_only_a_mark_of_ours_makes_a_browser_known():
    planted, owner = Client(), Client()
    planted.cookies["device"] = owner.cookies["device"] = "made up"
    enter(browser=owner)
    given = owner.cookies["device"].value
    enter(browser=owner, address=OFFICE)
    attack()

    assert (given == "made up", owner.cookies["device"].value) == (False, given)
    tries = [enter(browser=each, address="192.0.2.3") for each in (planted, owner)]
    assert tries == [TOO_MANY, IN]


def test_a_browser_known_to_one_account_is_a_stranger_to_another():
    with_password("anna")
    browser = Client()
    enter(name="anna", browser=browser, address=OFFICE)
    attack()

    assert enter(browser=browser) == TOO_MANY


def test_one_browser_may_be_known_to_several_accounts():
    with_password("anna")
    browser = Client()
    entered = [enter(name=name, browser=browser) for name in ("anna", "ivan")]
    attack("anna")
    attack("ivan")

    again = [enter(name=name, browser=browser, address=OFFICE) for name in ("anna", "ivan")]
    assert (entered, again) == ([IN, IN], [IN, IN])


def test_a_failure_makes_nothing_known():
    browser = Client()
    enter(WRONG, browser=browser)

    assert ("device" in browser.cookies, KnownPlace.objects.count()) == (False, 0)


def test_a_place_is_forgotten_after_ninety_days(clock):
    enter()
    clock.move(91 * 24 * 60 * 60)
    attack()

    assert enter() == TOO_MANY


def test_neither_addresses_nor_cookies_are_kept():
    browser = Client()
    enter(browser=browser)
    device = browser.cookies["device"]

    marks = list(KnownPlace.objects.values_list("mark", flat=True))
    assert [len(mark) for mark in marks] == [64, 64]
    assert not {HOME, device.value} & set(marks)
    assert (device["httponly"], device["samesite"]) == (True, "Lax")


def test_a_network_of_ipv6_is_one_place():
    answers = [enter(WRONG, f"2001:db8:0:1::{number:x}") for number in range(7)]

    assert answers == [NO] * 5 + [TOO_MANY] * 2
    assert enter(address="2001:db8:0:2::1") == IN


def test_a_name_written_otherwise_finds_the_known_place():
    enter()
    attack()

    assert enter(name=" ｉｖａｎ ") == IN
