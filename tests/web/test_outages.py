from __future__ import annotations

import sqlite3
from http import HTTPStatus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotator.models import EssaySet
from tests.accounts.world import make_world, routes, snapshot
from tests.e2e.database import connected
from tests.factories import PersonFactory
from tests.pages import page_of
from tests.test_access import ROWS

pytestmark = pytest.mark.django_db(transaction=True)

NOWHERE = "sqlite:////nowhere/at/all.sqlite3"
WITHOUT_DATABASE = {("set_language", "POST"), ("set_language", "GET"), ("api:api_schema", "GET")}
"""What answers without having asked the database."""
WITHOUT_WRITING = {
    *("set_language", "schemes:tool", "accounts:password"),
    *("annotator:import", "annotator:keys"),
}
WITHOUT_WRITING |= {"annotator:not_carried", "annotator:source", "accounts:invite_many"}
"""What these rows of the table of access post writes nothing."""
VISITORS = dict(zip(("anon", "part", "expe", "coor"), range(3, 7), strict=True))


@pytest.fixture
def world():
    people = {role: PersonFactory(role=role) for role in User.Role.values}
    made = make_world(people["expert"], people["participant"])
    person = {"username": "anna", "full_name": "Anna", "role": "expert", "subjects": "eng"}
    made.bodies |= {"accounts:new_person": person, "accounts:person": person}
    made.bodies["accounts:account"] = {"name": "key"}
    made.people = {"part": made.participant, "expe": made.expert, "coor": people["coordinator"]}
    return made


@pytest.fixture
def ask(world):
    """What a visitor with an open session gets from a row of the table of access."""
    clients = {"anon": Client(raise_request_exception=False)}
    for name, person in world.people.items():
        clients[name] = Client(raise_request_exception=False)
        clients[name].force_login(person)

    def answer(visitor, route, method, thing, **headers):
        is_api = route.startswith("api:")
        options = {"content_type": "application/json"} if is_api and method != "GET" else {}
        address = reverse(route, kwargs=world.objects[thing])
        body = world.bodies.get(route, {}) if method == "POST" else {}
        client = clients[visitor]
        return getattr(client, method.lower())(address, body, headers=headers, **options)

    return answer


@pytest.fixture
def on_disk(world, tmp_path):  # noqa: ARG001 - its rows
    """The same rows in a file, which others can open."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(tmp_path / "db.sqlite3")])
    with connected(f"sqlite:///{tmp_path / 'db.sqlite3'}") as opened:
        opened.cursor().execute("PRAGMA busy_timeout = 0")
        yield tmp_path / "db.sqlite3"


@pytest.fixture
def locked(on_disk, ask):  # noqa: ARG001 - who asks has logged in before
    """Somebody else holds the only turn to write."""
    other = sqlite3.connect(on_disk, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.close()


def fields_of(html):
    """What the form of the page would send."""
    form = page_of(html).one("form.form")
    words = {each["name"]: each.raw.removeprefix("\n") for each in form.find("textarea")}
    return {each["name"]: each.attributes.get("value", "") for each in form.find("input")} | words


def who_may(row):
    """Somebody for whom the row does what it is for."""
    fine = {"200", "201", "204", "302"}
    return next((name for name, column in VISITORS.items() if row[column] in fine), None)


def test_without_a_database_every_page_and_every_door_says_so(ask):
    rows = [row for row in ROWS if who_may(row) not in (None, "anon")]
    rows = [row for row in rows if not row[0].startswith("admin:")]
    with connected(NOWHERE):
        answers = {row[:3]: ask(who_may(row), *row[:3]) for row in rows}

    found = {key: (each.status_code, each["Retry-After"]) for key, each in answers.items()}
    assert found == dict.fromkeys(found, (503, "5"))
    for (route, *_), answer in answers.items():
        if route.startswith("api:"):
            assert answer.json()["code"] == "unavailable"
        else:
            assert "<h1>The database does not answer</h1>" in answer.content.decode()


def test_nobody_in_particular_is_told_too(ask):
    rows = [row for row in ROWS if row[3] != "login" and not row[0].startswith("admin:")]
    with connected(NOWHERE):
        found = {row[:2]: ask("anon", *row[:3]).status_code for row in rows}

    assert set(found.values()) <= {200, 302, 401, 503}
    assert found["accounts:login", "POST"] == found["accounts:forgotten", "POST"] == 503
    assert found["api:api_keys", "POST"] == 503


@pytest.mark.usefixtures("locked")
def test_while_somebody_else_writes_nothing_is_done_and_everybody_reads_why(ask):
    rows = [row for row in ROWS if row[1] != "GET" and who_may(row)]
    before = snapshot()

    found = {row[:3]: ask(who_may(row), *row[:3]).status_code for row in rows}

    wrong = {key: status for key, status in found.items() if key[0] not in WITHOUT_WRITING}
    assert wrong == dict.fromkeys(wrong, 503)
    assert 500 not in found.values()
    assert snapshot() == before


@pytest.mark.usefixtures("on_disk")
def test_a_full_disk_is_said_and_leaves_nothing_half_written(ask, world):
    world.bodies["annotator:import"] = {
        "essay_set": EssaySet.objects.first().pk,
        "subject": "eng",
        "files": SimpleUploadedFile("9.txt", b"A long essay. " * 5000),
    }
    world.bodies["annotator:fragment"] |= {"comment": "w" * 900, "explanation": "w" * 900}
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count = {cursor.fetchone()[0]}")
    before = snapshot()

    imported = ask("coor", "annotator:import", "POST", "-")
    rows = [row for row in ROWS if row[1] == "POST" and row[0].startswith("annotator:")]
    fit = {"annotator:undo_import"}  # it makes room; the others of an essay need hardly any
    fit |= {"annotator:correct_essay", "annotator:replace_essay"}
    rows = [row for row in rows if row[0] not in fit]
    found = {ask(who_may(row), *row[:3]).status_code for row in rows if who_may(row)}

    assert imported.status_code == 503
    assert 500 not in found
    assert snapshot()["Essay"] == before["Essay"]


def test_a_form_comes_back_with_its_words_and_can_be_sent_again(world):
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(world.people["coor"])
    token = client.get("/people/new/").cookies["csrftoken"].value
    form = {"username": "anna", "full_name": "Анна <b>\n«Ёж»", "role": "expert", "subjects": "eng"}
    with connected(NOWHERE):
        page = client.post("/people/new/", {**form, "csrfmiddlewaretoken": token})
    text = page.content.decode()

    again = fields_of(text)
    assert "What you typed is kept on this page" in text
    assert {name: again[name] for name in form} == form
    assert page["Content-Security-Policy"]
    # The form itself reads it now, and refuses a name of two lines.
    assert client.post("/people/new/", again).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert again["csrfmiddlewaretoken"] != token


def test_passwords_and_files_are_asked_for_anew():
    client = Client(raise_request_exception=False)
    secret = {"username": "anna", "password": "a quiet word", "next": "/queue/"}
    file = SimpleUploadedFile("people.csv", b"login\nsomebody")
    with connected(NOWHERE):
        login = client.post("/login/", secret).content.decode()
        upload = client.post("/forgotten/", {"email": "a@b.org", "file": file}).content.decode()

    assert "a quiet word" not in login
    assert '<input id="again_password" type="password" name="password" required>' in login
    assert fields_of(login)["username"] == "anna"
    assert "somebody" not in upload
    assert '<input id="again_file" type="file" name="file" required>' in upload
    assert 'enctype="multipart/form-data"' in upload


def test_logging_out_says_that_it_was_not_done_and_leads_to_a_page_that_is_there(world):
    client = Client(raise_request_exception=False)
    client.force_login(world.people["expe"])
    links = {
        "http://testserver/queue/?page=2": "/queue/?page=2",
        "http://testserver//elsewhere.example/": "/elsewhere.example/",
        "http://elsewhere.example/queue/": "/",
        "": "/",
    }
    with connected(NOWHERE):
        pages = {each: client.post("/logout/", headers={"Referer": each}) for each in links}

    found = {each: page_of(page.content.decode()) for each, page in pages.items()}
    assert {page.status_code for page in pages.values()} == {503}
    assert "You are still logged in." in pages[""].content.decode()
    assert {each: page.one("a.btn")["href"] for each, page in found.items()} == links
    assert client.get("/queue/").status_code == 200


def test_words_from_elsewhere_are_not_offered_to_be_sent(world):
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(world.people["coor"])
    with connected(NOWHERE):
        page = client.post("/people/new/", {"username": "evil"})

    assert page.status_code == 503
    assert "evil" not in page.content.decode()


def test_a_part_of_a_page_says_so_and_leaves_the_rest_alone(ask):
    with connected(NOWHERE):
        answer = ask("expe", "annotator:fragments", "POST", "draft", hx_request="true")
        look = ask("expe", "annotator:fragment", "GET", "mark-of-draft", hx_request="true")

    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (
        *(503, "#notice"),
        "outerHTML",
    )
    assert answer.content.decode().startswith('<div id="notice"')
    assert "what you typed is still here" in answer.content.decode()
    assert "Try again in a few seconds." in look.content.decode()


def test_every_page_has_a_place_for_notices(ask):
    rows = [row for row in ROWS if row[1] == "GET" and who_may(row)]
    rows = [row for row in rows if not row[0].startswith(("admin:", "api:"))]
    answers = {row[0]: ask(who_may(row), *row[:3]) for row in rows}
    pages = {name: page for name, page in answers.items() if "Content-Disposition" not in page}

    counts = {
        name: page.content.decode().count('id="notice"')
        for name, page in pages.items()
        if page.status_code == 200 and b"<html" in page.content
    }
    assert counts == dict.fromkeys(counts, 1)
    assert len(counts) > 15


def test_a_fault_of_ours_stays_one(monkeypatch):
    monkeypatch.setattr("accounts.views.knock", lambda *_, **__: 1 / 0)

    answer = Client(raise_request_exception=False).post("/login/", {"username": "x"})

    assert (answer.status_code, "A fault of ours" in answer.content.decode()) == (500, True)


def test_every_route_was_asked():
    asked = {row[0] for row in ROWS if who_may(row)}

    # these refuse everybody of the table: previews belong to whoever made them
    previews = {"annotator:confirm_import", "annotator:drop_import", "api:api_confirm_import"}
    previews |= {"api:api_left_out"}
    previews |= {"annotator:leave_out", "review:confirm_plan", "review:drop_plan"}
    not_made_yet = {"review:export_file", "contest:publication"}
    not_handed_in = {"annotator:make_final"}
    without_a_file = {"contest:send_parcel", "contest:send_upload"}
    not_their_turn = {"scoring:run_verdict"}
    of_organisers = {"contest:finals", "contest:cancel_final", "contest:restart_final"}
    of_organisers |= {
        *("contest:new_contest", "contest:describe_contest", "contest:plan_phase"),
        *("contest:add_data_set", "contest:drop_data_set", "contest:announce_contest"),
        *("contest:plan_contest_final", "contest:cancel_contest_final"),
        *("contest:restart_contest_final", "contest:annul", "contest:lift_annulment"),
        *("contest:annul_upload", "contest:lift_upload"),
        *("contest:exclude_team", "contest:take_team_back", "contest:propose_parameters"),
        *("contest:consent", "contest:withdraw_parameters", "contest:say_of_phase"),
        *("contest:solutions", "contest:manage", "contest:contest_finals"),
        *("contest:parameters", "contest:phase_protocol", "contest:phase_paper"),
        "contest:phase_file",
    }
    of_organisers |= {"contest:archives", "contest:upload_terms"}
    not_made_yet |= {"contest:upload_texts"}
    of_organisers |= {"scoring:publish_board", "scoring:freeze_board", "scoring:decide_run"}
    of_organisers |= {"contest:modules", "contest:announcements", "contest:teams", "contest:team"}
    of_organisers |= {"contest:say_of_team", "contest:say_of_teams", "contest:ask_leader"}
    not_their_turn |= {"contest:leave_team"}
    assert routes().keys() - asked == {"compare:chosen", "api:api_keys"} | (
        previews | not_made_yet | not_handed_in | not_their_turn | of_organisers | without_a_file
    )
