from __future__ import annotations

import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher, make_password
from django.test import Client

from accounts.models import ApiToken, RateBucket, User
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

RIGHT, WRONG = "the right one", "the wrong one"
TOO_MANY = "Too many tries. Wait a quarter of an hour, or ask for a link by e-mail."
HOME, ELSEWHERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def ivan():
    return with_password("ivan")


def with_password(name, **fields):
    person = PersonFactory(username=name, **fields)
    person.set_password(RIGHT)
    person.save()
    return person


def log_in(name="ivan", password=RIGHT, address=HOME, **fields):
    body = {"username": name, "password": password, **fields}
    return Client().post("/login/", body, REMOTE_ADDR=address)


def ask_for_key(name="ivan", password=RIGHT, address=HOME):
    body = {"username": name, "password": password}
    return Client().post("/api/keys/", body, content_type="application/json", REMOTE_ADDR=address)


def tries(count, door=log_in, **fields):
    return [door(**{"password": WRONG, **fields}).status_code for _ in range(count)]


def test_the_right_password_leads_to_the_start_page():
    answer = log_in()

    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize(
    ("wanted", "led_to"),
    [
        ("/queue/", "/queue/"),
        ("/essays/7/?page=2", "/essays/7/?page=2"),
        ("//evil.example/", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\\evil.example", "/"),
    ],
)
def test_the_login_leads_on_within_the_platform_only(wanted, led_to):
    assert log_in(next=wanted)["Location"] == led_to


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed: that is what a login takes time for."""

    made = 0

    def encode(self, password, salt):
        type(self).made += 1
        return super().encode(password, salt)


@pytest.mark.parametrize("door", [log_in, ask_for_key], ids=["page", "api"])
def test_nobody_learns_from_a_refusal_which_accounts_there_are(door, settings):
    with_password("closed", is_active=False)
    invited = PersonFactory(username="invited")
    invited.set_unusable_password()
    invited.save()
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    kept = make_password(RIGHT)
    User.objects.filter(username__in=["ivan", "closed"]).update(password=kept)

    answers, costs = [], []
    for name, password in [
        ("ivan", WRONG),
        ("nobody", RIGHT),
        ("closed", RIGHT),
        ("closed", WRONG),
        ("invited", "!"),
    ]:
        CountingHasher.made = 0
        refused = door(name=name, password=password)
        words = re.sub(rb'value="[^"]*"', b"", refused.content)
        answers.append((refused.status_code, words))
        costs.append(CountingHasher.made)

    status = 200 if door is log_in else 401
    assert answers == [(status, answers[0][1])] * 5
    assert "The name or the password is not right." in answers[0][1].decode()
    assert costs == [1] * 5


def test_the_sixth_try_is_refused_even_with_the_right_password():
    assert tries(5) == [200] * 5

    refused = log_in()

    assert (refused.status_code, TOO_MANY in refused.content.decode()) == (429, True)
    assert "_auth_user_id" not in refused.client.session


def test_the_fifth_try_still_opens():
    assert tries(4) == [200] * 4

    assert log_in().status_code == 302


def test_the_tries_of_one_account_do_not_lock_another():
    with_password("anna")
    tries(6)

    assert (log_in().status_code, log_in("anna").status_code) == (429, 302)


def test_the_tries_from_one_address_do_not_lock_another():
    tries(6)

    assert (log_in().status_code, log_in(address=ELSEWHERE).status_code) == (429, 302)


def test_tries_for_names_nobody_has_are_counted_as_well():
    assert tries(6, name="nobody") == [200] * 5 + [429]


def test_a_success_forgets_the_tries():
    tries(4)
    log_in()

    assert tries(6) == [200] * 5 + [429]


def test_a_quarter_of_an_hour_later_there_are_five_new_tries(clock):
    tries(6)
    clock.move(15 * 60)

    assert tries(5) == [200] * 5
    assert log_in().status_code == 429


def test_the_api_and_the_page_count_the_same_tries():
    assert tries(3) + tries(2, door=ask_for_key) == [200] * 3 + [401] * 2

    refused = ask_for_key()
    assert (log_in().status_code, refused.status_code) == (429, 429)
    assert 890 <= int(refused["Retry-After"]) <= 900
    assert not ApiToken.objects.exists()


def test_a_key_given_out_forgets_the_tries():
    tries(4)
    ask_for_key()

    assert tries(6) == [200] * 5 + [429]


@pytest.mark.parametrize(
    "spelling", [" ivan", "ivan\t", "IVAN", "ｉｖａｎ", "ivan\u00a0", "iv\0an"]
)
def test_another_spelling_of_a_name_brings_no_more_tries(spelling):
    tries(5)

    assert log_in(spelling).status_code == 429


@pytest.mark.parametrize("name", ["ß" * 150, "\0ß" * 500])
def test_the_key_of_a_bucket_fits_its_column_and_every_database(name):
    assert tries(1, name=name, address="2001:db8:ffff:ffff:ffff:ffff:ffff:ffff") == [200]

    keys = RateBucket.objects.values_list("key", flat=True)
    assert all("\0" not in key and len(key) <= 200 for key in keys)


def test_logging_out_ends_the_session():
    browser = log_in().client

    out = browser.post("/logout/")

    assert (out["Location"], browser.get("/queue/")["Location"]) == (
        "/login/",
        "/login/?next=/queue/",
    )


def test_whoever_is_logged_in_does_not_see_the_login_page():
    browser = log_in().client

    assert browser.get("/login/")["Location"] == "/"


@pytest.mark.parametrize(("password", "who"), [(RIGHT, "ivan"), (WRONG, "olga")])
def test_whoever_logs_in_where_somebody_else_is_in_is_in_instead(client, password, who):
    client.force_login(with_password("olga"))

    client.post("/login/", {"username": "ivan", "password": password})

    assert client.get("/account/").context["user"].username == who


def test_a_new_login_is_a_new_session():
    browser = Client()
    browser.get("/login/")
    browser.session.save()
    before = browser.session.session_key

    browser.post("/login/", {"username": "ivan", "password": RIGHT})

    assert browser.session.session_key != before
