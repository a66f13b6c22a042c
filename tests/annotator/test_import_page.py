from __future__ import annotations

from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from annotator.models import Essay, MarkupRecord
from tests.annotator.files import MARKED, PLAIN, TEXT, zipped
from tests.factories import EssaySetFactory, PersonFactory
from tests.pages import texts_of

pytestmark = pytest.mark.django_db

PAGE = "/import/"
MANAGERS = {"coordinator", "organiser", "administrator"}


def upload(name, contents):
    stream = BytesIO(contents if isinstance(contents, bytes) else contents.encode())
    stream.name = name
    return stream


@pytest.fixture
def essay_set():
    return EssaySetFactory()


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def send(log_in, coordinator, essay_set):
    def post(*files, subject=""):
        fields = {"essay_set": essay_set.pk, "subject": subject, "files": list(files)}
        return log_in(coordinator).post(PAGE, fields)

    return post


def outcomes(response):
    return texts_of(response, "table tbody tr")


def test_the_page_asks_for_a_set_and_files(log_in, coordinator):
    response = log_in(coordinator).get(PAGE)

    assert response.status_code == 200
    assert texts_of(response, ".empty b") == ["Nothing imported yet"]
    assert [text for text in texts_of(response, "form.form label") if text] == [
        "Essay set",
        "Subject of files that name none",
        "Files",
    ]


def test_every_file_is_named_with_its_outcome(send):
    archive = zipped(("essays/0001.txt", PLAIN), ("essays/0001_exp1.txt", MARKED))

    response = send(upload("essays.zip", archive), upload("0002.docx", "x"))

    assert response.status_code == 200
    assert outcomes(response) == [
        "0002.docx refused Only .txt, .json and .zip files can be read.",
        "0001.txt new essay",
        "0001_exp1.txt markup",
    ]
    assert [essay.text for essay in Essay.objects.all()] == [TEXT]


def test_a_second_import_of_the_same_files_says_so(send):
    send(upload("0001.txt", PLAIN))

    assert outcomes(send(upload("0001.txt", PLAIN))) == ["0001.txt known already"]


def test_what_was_odd_in_a_file_is_listed_below_its_name(send):
    response = send(upload("0001_exp1.txt", MARKED.replace("А.лекс", "А.лек")))

    remark = "The code “А.лек” is not in the classifier and was left out."
    assert texts_of(response, ".remarks li") == [f"line 5, column 16: {remark}"]


def test_a_name_of_a_file_is_escaped(send):
    response = send(upload("<b>.docx", "x"))

    assert outcomes(response) == ["<b>.docx refused Only .txt, .json and .zip files can be read."]


def test_the_subject_is_chosen_for_files_that_name_none(send):
    send(upload("0001.txt", TEXT), subject="social")

    assert Essay.objects.get().subject == "social"


def test_no_files_at_all_are_said_to_be_none(send):
    assert texts_of(send(), ".empty b") == ["No files came in"]


@pytest.mark.parametrize("number", ["", "0", "x", "9" * 30])
def test_an_unknown_set_takes_no_files(log_in, coordinator, number):
    response = log_in(coordinator).post(
        PAGE, {"essay_set": number, "files": [upload("1.txt", PLAIN)]}
    )

    assert response.status_code == 200
    assert list(Essay.objects.all()) == []


def test_the_importer_stands_in_the_audit_trail(send, coordinator):
    send(upload("0001.txt", PLAIN))

    assert [entry.actor for entry in AuditEntry.objects.filter(action="essay.imported")] == [
        coordinator
    ]


@pytest.mark.parametrize("role", User.Role.values)
def test_only_those_who_manage_import(people, log_in, essay_set, role):
    client = log_in(people[role])
    fields = {"essay_set": essay_set.pk, "files": [upload("0001.txt", PLAIN)]}

    statuses = (client.get(PAGE).status_code, client.post(PAGE, fields).status_code)

    assert statuses == ((200, 200) if role in MANAGERS else (403, 403))
    assert Essay.objects.exists() == (role in MANAGERS)
    assert MarkupRecord.objects.count() == 0


def test_a_stranger_is_asked_to_log_in(essay_set):
    response = Client().post(PAGE, {"essay_set": essay_set.pk, "files": [upload("1.txt", PLAIN)]})

    assert response.status_code == 302
    assert response.headers["Location"].startswith(reverse("accounts:login"))
    assert list(Essay.objects.all()) == []
