"""The demo's password is published: it opens accounts on this machine, and nowhere else."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from accounts.services.tokens import issue_token
from accounts.validators import PUBLISHED_PASSWORD
from annotator.models import EssaySet
from config import prepare
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

OPENED, REFUSED = 302, 200


def of_the_demo(name="exp1", **fields):
    person = PersonFactory(username=name, **fields)
    person.set_password(PUBLISHED_PASSWORD)
    person.save()
    return person


@pytest.fixture
def _public(settings):
    """The installation is put on a host that others reach."""
    settings.LOCAL = False


def log_in_as(name, password=PUBLISHED_PASSWORD):
    return Client().post("/login/", {"username": name, "password": password})


def offered(page):
    names = re.findall(r'<input type="hidden" name="username" value="([^"]+)">', page)
    return list(zip(names, re.findall(r'<button class="btn">([^<]+)</button>', page), strict=True))


def test_on_this_machine_the_login_page_offers_every_account_of_the_demo():
    of_the_demo("admin", role="administrator", full_name="Anna")
    of_the_demo("exp1", full_name="Ivan")
    of_the_demo("gone", is_active=False)
    PersonFactory(username="somebody")

    page = Client().get("/login/?next=/queue/").content.decode()

    assert offered(page) == [("admin", "Anna"), ("exp1", "Ivan")]
    assert page.count('name="next" value="/queue/"') == 3


def test_one_press_logs_in_and_leads_on():
    of_the_demo()
    page = Client().get("/login/?next=/queue/").content.decode()
    *_, form = re.findall(r'<form method="post">.*?</form>', page, re.DOTALL)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))

    answer = Client().post("/login/", fields)

    assert (answer.status_code, answer["Location"]) == (OPENED, "/queue/")


def test_without_the_demo_the_login_page_offers_nobody(django_assert_num_queries):
    PersonFactory()

    with django_assert_num_queries(1):
        page = Client().get("/login/").content.decode()

    assert (offered(page), "demo" in page) == ([], False)


@pytest.mark.usefixtures("_public")
def test_on_a_public_host_nobody_is_offered_and_no_password_shown():
    of_the_demo()

    page = Client().get("/login/").content.decode()

    assert (offered(page), PUBLISHED_PASSWORD in page) == ([], False)


@pytest.mark.usefixtures("_public")
def test_on_a_public_host_the_published_password_opens_no_door():
    of_the_demo("exp1")
    of_the_demo("admin", role="administrator")
    # as `createsuperuser` leaves one whose password nobody checked
    User.objects.create_superuser("root", "", PUBLISHED_PASSWORD)
    body = {"username": "exp1", "password": PUBLISHED_PASSWORD}

    answers = {name: log_in_as(name) for name in ("exp1", "admin", "root")}
    key = Client().post("/api/keys/", body, content_type="application/json")
    admin = Client().post("/admin/login/", {**body, "username": "admin"})

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(
        answers, REFUSED
    )
    assert all("_auth_user_id" not in answer.client.session for answer in answers.values())
    assert (key.status_code, admin.status_code, admin["Location"].partition("?")[0]) == (
        401,
        302,
        "/login/",
    )


def test_sessions_and_keys_of_the_demo_end_on_a_public_host(settings):
    person = of_the_demo("admin", role="administrator")
    browser = log_in_as("admin").client
    program = Client(headers={"authorization": f"Token {issue_token(user=person, name='run')}"})
    before = [browser.get("/desk/").status_code, browser.get("/admin/").status_code]
    before.append(program.get("/api/essays/").status_code)

    settings.LOCAL = False

    after = [browser.get("/desk/").status_code, browser.get("/admin/").status_code]
    after.append(program.get("/api/essays/").status_code)
    assert (before, after) == ([200, 200, 200], [302, 302, 401])


@pytest.mark.usefixtures("_public")
def test_an_account_of_the_demo_comes_in_with_a_password_of_its_own():
    person = of_the_demo()
    person.set_password("something else")
    person.save()

    assert log_in_as("exp1", "something else").status_code == OPENED


def test_nobody_chooses_the_published_password(log_in):
    person = PersonFactory()
    person.set_password("the old one")
    person.save()
    new = {"new_password1": PUBLISHED_PASSWORD, "new_password2": PUBLISHED_PASSWORD}

    answer = log_in(person).post("/account/password/", {"old_password": "the old one", **new})

    assert "The demo’s password is known to everybody. Choose another." in answer.content.decode()
    person.refresh_from_db()
    assert person.check_password("the old one")


@pytest.mark.usefixtures("_public")
def test_the_demo_is_not_loaded_where_others_come():
    with pytest.raises(CommandError, match="this machine only"):
        call_command("demo")

    assert (User.objects.count(), EssaySet.objects.count()) == (0, 0)


@pytest.mark.usefixtures("_public")
def test_the_start_prints_no_logins_where_others_come():
    of_the_demo()
    printed = StringIO()

    call_command("demo", "--logins", stdout=printed)

    assert printed.getvalue() == ""


@pytest.mark.parametrize(("local", "asked"), [(True, ["demo"]), (False, [])])
def test_the_start_loads_the_demo_on_this_machine_only(
    local, asked, settings, monkeypatch, tmp_path
):
    settings.LOCAL = local
    monkeypatch.setenv("RAZBOR_VAR", str(tmp_path))
    monkeypatch.setattr("os.umask", lambda _mask: 0)
    wanted = []
    monkeypatch.setattr(prepare, "migrate", lambda *, demo: wanted.extend(["demo"] * demo))
    for step in ("make_secret_key", "make_queue", "collect_static", "call_command"):
        monkeypatch.setattr(prepare, step, lambda *_, **__: None)

    assert (prepare.main([]), wanted) == (0, asked)


def test_the_flag_follows_the_password():
    person = of_the_demo()
    flags = [person.password_is_published]
    person.set_password("another")
    flags.append(person.password_is_published)

    assert flags == [True, False]
