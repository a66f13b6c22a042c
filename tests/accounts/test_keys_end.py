"""When a key to the API ends: with its time, with the password, with the account."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client
from django.utils.http import urlsafe_base64_encode

from accounts.models import ApiToken, AuditEntry, User
from accounts.services import tokens
from accounts.services.people import set_active
from accounts.services.tokens import issue_token, user_of_token
from tests.accounts.world import link_token
from tests.factories import PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db

OLD, NEW = "the old lake", "the new lake"
TWICE = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def person():
    return with_password(PersonFactory(username="lynx", role="participant"))


def with_password(person):
    person.set_password(OLD)
    person.save()
    return person


def api(token):
    return Client(headers={"authorization": f"Token {token}"}).get("/api/essays/").status_code


def by_the_page(person, log_in):
    log_in(person).post("/account/password/", {"old_password": OLD, **TWICE})


def by_a_letter(person, _log_in):
    browser = Client()
    uid = urlsafe_base64_encode(str(person.pk).encode())
    page = browser.get(f"/invitation/{uid}/{link_token(person)}/", follow=True)
    browser.post(page.request["PATH_INFO"], TWICE)


def by_an_administrator(person, log_in):
    body = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    admin = log_in(PersonFactory(role="administrator"))
    admin.post(f"/admin/accounts/user/{person.pk}/password/", body)


def by_the_command_line(person, _log_in):
    command = "django.contrib.auth.management.commands.changepassword.Command._get_pass"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, lambda *_, **__: NEW)
        call_command("changepassword", person.username)


@pytest.mark.parametrize(
    "change",
    [by_the_page, by_a_letter, by_an_administrator, by_the_command_line],
    ids=lambda change: change.__name__,
)
def test_all_keys_end_when_the_password_changes(change, person, log_in):
    tokens = [issue_token(user=person, name=name) for name in ("run", "spare")]
    other = issue_token(user=PersonFactory(role="participant"), name="other")

    change(person, log_in)

    person.refresh_from_db()
    assert person.check_password(NEW)
    assert [api(each) for each in (*tokens, other)] == [401, 401, 200]
    ended = AuditEntry.objects.filter(action="token.revoked").order_by("pk")
    assert list(ended.values_list("details", flat=True)) == [
        {"name": "run", "reason": "password"},
        {"name": "spare", "reason": "password"},
    ]


def test_keys_end_when_an_administrator_takes_the_password_away(person, log_in):
    token = issue_token(user=person, name="run")
    admin = log_in(PersonFactory(role="administrator"))

    body = {"unset-password": "on", "usable_password": "false"}
    admin.post(f"/admin/accounts/user/{person.pk}/password/", body)

    person.refresh_from_db()
    assert (person.has_usable_password(), api(token)) == (False, 401)


def test_a_password_kept_in_a_newer_way_is_the_same_one(person, settings):
    token = issue_token(user=person, name="run")
    hashers = "django.contrib.auth.hashers."
    settings.PASSWORD_HASHERS = [f"{hashers}PBKDF2PasswordHasher", f"{hashers}MD5PasswordHasher"]

    assert Client().login(username="lynx", password=OLD)

    person.refresh_from_db()
    assert (person.password.partition("$")[0], api(token)) == ("pbkdf2_sha256", 200)


def test_a_change_of_anything_else_leaves_the_keys(person):
    token = issue_token(user=person, name="run")
    person = User.objects.get()
    person.full_name = "Rysj"
    person.save()

    assert api(token) == 200


def by_the_people_page(person, log_in, active):
    assert active != person.is_active
    form = {"active": "1"} if active else {}
    log_in(PersonFactory(role="organiser")).post(f"/people/{person.pk}/activity/", form)


def by_the_administration(person, log_in, active):
    body = {
        "username": person.username,
        "role": person.role,
        **({"is_active": "on"} if active else {}),
    }
    body |= {"specialisms-TOTAL_FORMS": 0, "specialisms-INITIAL_FORMS": 0}
    log_in(PersonFactory(role="administrator")).post(
        f"/admin/accounts/user/{person.pk}/change/", body
    )


def by_the_service(person, _log_in, active):
    set_active(person=person, active=active, actor=PersonFactory())


@pytest.mark.parametrize("switch", [by_the_people_page, by_the_administration, by_the_service])
def test_an_account_opened_again_has_no_keys(switch, person, log_in):
    token = issue_token(user=person, name="run")

    answers = []
    for active in (False, True):
        switch(person, log_in, active)
        person.refresh_from_db()
        answers.append((person.is_active, api(token)))

    assert answers == [(False, 401), (True, 401)]


@pytest.mark.parametrize("switch", [by_the_people_page, by_the_administration, by_the_service])
def test_a_session_does_not_come_back_with_an_account_opened_again(switch, person, log_in):
    browser = log_in(person)

    answers = [browser.get("/account/").status_code]
    for active in (False, True):
        switch(person, log_in, active)
        person.refresh_from_db()
        answers.append(person.is_active)
    answers.append(browser.get("/account/").status_code)

    assert answers == [200, False, True, 302]
    assert log_in(person).get("/account/").status_code == 200


def test_a_key_is_good_for_the_days_it_was_made_for(person):
    token = issue_token(user=person, name="run", days=30)
    last = api(token)
    ApiToken.objects.update(expires_at=F("expires_at") - timedelta(days=30))

    refused = Client(headers={"authorization": f"Token {token}"}).get("/api/essays/")

    assert (last, refused.status_code) == (200, 401)
    assert "has expired" in refused.content.decode()


@pytest.mark.parametrize(
    ("asked", "days"), [({}, 90), ({"days": 1}, 1), ({"days": 366}, 366)], ids=str
)
def test_a_program_says_how_long_its_key_is_to_be_good(person, asked, days):
    body = {"username": "lynx", "password": OLD, **asked}

    made = Client().post("/api/keys/", body, content_type="application/json")

    assert (made.status_code, good_for(person)) == (201, days)


@pytest.mark.parametrize("days", [0, -1, 367, "long", 2**63])
def test_a_key_is_not_made_for_ever(days):
    with_password(PersonFactory(username="lynx"))
    body = {"username": "lynx", "password": OLD, "days": days}

    refused = Client().post("/api/keys/", body, content_type="application/json")

    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["days"])


@pytest.mark.parametrize(
    ("asked", "days"), [({}, 90), ({"days": "30"}, 30), ({"days": "366"}, 366)]
)
def test_the_account_page_makes_keys_for_a_time(asked, days, person, log_in):
    log_in(person).post("/account/", {"name": "run", **asked})

    assert good_for(person) == days


def test_the_account_page_offers_no_other_time(person, log_in):
    log_in(person).post("/account/", {"name": "run", "days": "9999"})

    assert not person.api_tokens.exists()


def good_for(person):
    left = person.api_tokens.annotate(left=F("expires_at") - Now()).get().left
    return round(left / timedelta(days=1))


def cells(page):
    return [
        re.sub(r"\s*<[^>]+>\s*", " ", cell).strip()
        for row in re.findall(r"<tr><th scope.*?</tr>", page, re.DOTALL)
        for cell in re.findall(r"<t[hd].*?</t[hd]>", row)[3:5]
    ]


def test_the_account_page_shows_the_last_use_and_the_end_of_every_key(person, log_in):
    issue_token(user=person, name="never used")
    browser = log_in(person)
    unused = cells(browser.get("/account/").content.decode())
    ApiToken.objects.update(used_at="2026-03-01T09:30:00Z", expires_at="2026-03-02T09:30:00Z")

    used = cells(browser.get("/account/").content.decode())

    assert unused[0] == "never"
    assert "expired" not in unused[1]
    assert used == ["1 Mar 2026, 12:30", "expired 2 Mar 2026, 12:30"]


def test_the_last_use_is_written_once_a_minute(person, django_assert_num_queries):
    token = issue_token(user=person, name="run")
    with django_assert_num_queries(2):
        user_of_token(token)
    first = ApiToken.objects.get().used_at

    with django_assert_num_queries(1):
        user_of_token(token)
    again = ApiToken.objects.get().used_at
    ApiToken.objects.update(used_at=F("used_at") - timedelta(seconds=61))
    user_of_token(token)

    assert (first is not None, again, ApiToken.objects.get().used_at >= first) == (
        True,
        first,
        True,
    )


def test_whoever_came_in_by_a_password_that_was_changed_gets_no_key(person):
    before = User.objects.get(pk=person.pk)
    User.objects.update(password=make_password(NEW))

    with pytest.raises(PermissionDenied):
        issue_token(user=before, name="late")

    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("change", [{"is_active": False}, {"role": "expert"}])
def test_a_key_opens_nothing_is_marked_and_takes_no_room_once_its_maker_may_not_come_in(
    log_in, person, monkeypatch, change
):
    monkeypatch.setattr(tokens, "MOST", 1)
    maker = PersonFactory(role="participant")
    issue_token(user=person, name="parser")
    ApiToken.objects.update(member=maker)
    page = log_in(person)
    marks = [texts_of(page.get("/account/"), "table .badge")]

    User.objects.filter(pk=maker.pk).update(**change)
    marks.append(texts_of(page.get("/account/"), "table .badge"))
    key = issue_token(user=person, name="parser")

    assert marks == [[], ["opens nothing: whoever made it may not come in"]]
    assert user_of_token(key) == person
