from __future__ import annotations

import hashlib
import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.models import ApiToken
from accounts.services.tokens import issue_token, revoke_token, user_of_token
from tests.e2e.database import connected
from tests.factories import PersonFactory
from tests.pages import texts_of
from tests.services import copy_of

pytestmark = pytest.mark.django_db

ACCOUNT = "/account/"


@pytest.fixture
def person():
    return PersonFactory(role="participant")


@pytest.fixture
def browser(person, log_in):
    return log_in(person)


def shown(page):
    return re.findall(r'<code class="secret"[^>]*>([^<]+)</code>', page.content.decode())


def api(token):
    return Client(headers={"authorization": f"Token {token}"})


def columns_holding(text):
    row = ApiToken.objects.values().get()
    return {name for name, value in row.items() if text in str(value)}


def test_a_key_is_shown_once_and_never_again(browser):
    made = browser.post(ACCOUNT, {"name": "nightly run"})
    (token,) = shown(made)

    again = browser.get(ACCOUNT)

    assert (made.status_code, len(token)) == (200, 43)
    assert shown(again) == []
    assert token not in again.content.decode()
    assert f"…{token[-4:]}" in again.content.decode()


def test_only_the_digest_of_a_key_is_kept(person):
    token = issue_token(user=person, name="nightly run")

    row = ApiToken.objects.get()
    assert columns_holding(token) == set()
    assert (row.digest, row.hint) == (hashlib.sha256(token.encode()).hexdigest(), token[-4:])


def test_every_key_is_another_one(person):
    made = {issue_token(user=person, name="same name") for _ in range(20)}

    assert len(made) == ApiToken.objects.count() == 20


def test_a_key_opens_the_api_as_its_owner():
    first, second = PersonFactory(), PersonFactory()
    tokens = [issue_token(user=person, name="program") for person in (first, second)]

    assert [user_of_token(token) for token in tokens] == [first, second]


@pytest.mark.parametrize("token", ["", "x", "a" * 5000, "\x00", "\ud800", "ключ"], ids=ascii)
def test_what_is_no_key_belongs_to_nobody(token):
    issue_token(user=PersonFactory(), name="program")

    assert user_of_token(token) is None


def test_the_digest_of_a_key_is_no_key(person):
    issue_token(user=person, name="program")

    assert user_of_token(ApiToken.objects.get().digest) is None


def test_a_revoked_key_is_useless_at_once_and_gone_from_the_page(person, browser):
    token = issue_token(user=person, name="lost laptop")
    kept = issue_token(user=person, name="server")
    row = ApiToken.objects.get(name="lost laptop")

    answer = browser.post(reverse("accounts:drop_token", args=[row.pk]))

    page = browser.get(ACCOUNT).content.decode()
    statuses = [api(each).get("/api/essays/").status_code for each in (token, kept)]
    assert (answer.status_code, answer["Location"]) == (302, ACCOUNT)
    assert ("lost laptop" in page, "server" in page, statuses) == (False, True, [401, 200])


def test_a_key_revoked_twice_was_revoked_the_first_time(person):
    issue_token(user=person, name="program")
    row = ApiToken.objects.get()
    revoke_token(token=row, actor=person)
    first = ApiToken.objects.get().revoked_at

    revoke_token(token=row, actor=person)

    assert ApiToken.objects.get().revoked_at == first


def test_two_accounts_never_share_a_key(person):
    issue_token(user=person, name="program")
    digest = ApiToken.objects.get().digest

    with pytest.raises(IntegrityError, match="digest"), transaction.atomic():
        ApiToken.objects.create(
            user=PersonFactory(), name="stolen", digest=digest, hint="abcd", expires_at=Now()
        )


@pytest.mark.parametrize("name", ["", " ", "a\u202eb", "a\nb", "n" * 61], ids=ascii)
def test_a_key_wants_a_name_that_can_be_read(browser, name):
    by_page = browser.post(ACCOUNT, {"name": name})

    assert (shown(by_page), ApiToken.objects.count()) == ([], 0)


@pytest.mark.parametrize("sent", [{}, {"name": ""}], ids=["nothing", "no name"])
def test_a_key_that_is_asked_for_without_a_name_is_refused_at_its_field(browser, sent):
    refused = browser.post(ACCOUNT, sent)

    told = ["This field is required."]
    assert (refused.status_code, texts_of(refused, ".help.bad")) == (422, told)


@pytest.mark.parametrize("name", ["", "a\u202eb", "a\nb", "n" * 61], ids=ascii)
def test_the_api_wants_a_readable_name_too(client, person, name):
    person.set_password("the right one")
    person.save()
    body = {"username": person.username, "password": "the right one", "name": name}

    refused = client.post("/api/keys/", body, content_type="application/json")

    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["name"])
    assert not ApiToken.objects.exists()


def test_a_program_gets_a_key_for_name_and_password(client, person):
    person.set_password("the right one")
    person.save()
    body = {"username": person.username, "password": "the right one"}

    made = client.post("/api/keys/", body, content_type="application/json")

    assert (made.status_code, list(made.json())) == (201, ["token"])
    assert api(made.json()["token"]).get("/api/essays/").status_code == 200
    assert [token.name for token in person.api_tokens.all()] == ["API"]


@pytest.fixture
def reading_only(token):  # noqa: ARG001 - which was made before
    connection.connection.execute("PRAGMA query_only = on")
    yield
    connection.connection.execute("PRAGMA query_only = off")


@pytest.fixture
def token(person):
    return issue_token(user=person, name="program")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("reading_only")
def test_a_database_that_only_reads_answers_a_program_that_only_reads(token):
    program = Client(headers={"authorization": f"Token {token}"}, raise_request_exception=False)

    assert program.get("/api/essays/").status_code == 200
    assert ApiToken.objects.get().used_at is None


@pytest.mark.full
def test_a_postgresql_that_only_reads_answers_a_program_that_only_reads(
    postgres_tables, django_db_blocker
):
    with copy_of(postgres_tables) as url, django_db_blocker.unblock(), connected(url):
        token = issue_token(user=PersonFactory(role="participant"), name="program")
        name = connection.settings_dict["NAME"]
        with connection.cursor() as cursor:
            cursor.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
        connection.close()

        assert api(token).get("/api/essays/").status_code == 200


def test_a_page_is_not_opened_by_a_key(person):
    token = issue_token(user=person, name="program")

    assert api(token).get(ACCOUNT)["Location"] == "/login/?next=/account/"


def many_keys(person, number):
    day = Now() + timedelta(days=1)
    ApiToken.objects.bulk_create(
        [ApiToken(user=person, name="k", digest=str(n), expires_at=day) for n in range(number)]
    )


MANY = "An account has at most 100 keys at a time. Revoke one that nobody needs."


def test_an_account_with_a_hundred_keys_gets_no_more_and_is_told_why(browser, person):
    many_keys(person, 99)
    (token,) = shown(browser.post(ACCOUNT, {"name": "the hundredth"}))

    refused = browser.post(ACCOUNT, {"name": "one more"})

    assert (shown(refused), texts_of(refused, "[role=alert]")) == ([], [MANY])
    assert 'value="one more"' in refused.content.decode()
    assert api(token).get("/api/essays/").status_code == 200


def test_a_program_with_a_hundred_keys_is_told_so(person):
    person.set_password("correct horse battery")
    person.save()
    many_keys(person, 100)
    asked = {"username": person.username, "password": "correct horse battery"}

    refused = Client().post("/api/keys/", asked, "application/json")

    assert (refused.status_code, refused.json()) == (422, {"code": "refused", "message": MANY})


@pytest.mark.parametrize("ended", [{"revoked_at": Now()}, {"expires_at": Now()}])
def test_keys_that_have_ended_make_room(person, ended):
    many_keys(person, 100)
    ApiToken.objects.filter(digest="7").update(**ended)

    issue_token(user=person, name="another")

    assert ApiToken.objects.filter(user=person).count() == 101
