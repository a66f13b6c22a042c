"""A program says which essays of an import shall not come in, as the page does with a press."""

from __future__ import annotations

import json
from io import BytesIO

import pytest

from annotator.models import Essay, MarkupRecord
from annotator.models.imports import EssayImport
from tests.annotator.test_leaving_out import SENT
from tests.factories import EssaySetFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(log_in):
    return log_in(PersonFactory(role="coordinator"))


@pytest.fixture
def address(client):
    files = [BytesIO(text.encode()) for text in SENT.values()]
    for file, name in zip(files, SENT, strict=True):
        file.name = name
    body = {"essay_set": EssaySetFactory().pk, "files": files}
    return f"/api/imports/{client.post('/api/imports/', body).json()['id']}/"


def choose(client, address, body):
    return client.post(f"{address}left-out/", json.dumps(body), content_type="application/json")


def confirm(client, address):
    return client.post(f"{address}confirm/", "{}", content_type="application/json").json()


def files_of(client, address):
    return client.get(f"{address}files/").json()["results"]


def test_what_resembles_another_essay_is_told_left_out_and_does_not_come(client, address):
    alike = [each["number"] for each in files_of(client, address) if each["is_like_another"]]

    left = choose(client, address, {"essays": alike})

    assert alike == ["0002", "0003 (1)"]
    assert left.status_code == 200
    told = ("state", "essays", "markups", "refused", "left_out")
    assert [left.json()[name] for name in told] == ["preview", 2, 0, 3, alike]
    assert client.get(address).json() == left.json()
    refused = {each["name"]: each["reason"] for each in files_of(client, address)}
    assert refused["0002_exp1.txt"] == "Essay 0002 was left out, with all that belongs to it."
    assert confirm(client, address)["state"] == "done"
    assert sorted(Essay.objects.values_list("number", flat=True)) == ["0001", "0003"]
    assert MarkupRecord.objects.count() == 0


def test_the_last_list_counts_and_the_same_one_again_changes_nothing(client, address):
    foreseen = client.get(address).json()
    choose(client, address, {"essays": ["0002", "0003"]})
    one, again = (choose(client, address, {"essays": ["0002"]}) for _ in range(2))
    none = choose(client, address, {"essays": []})

    assert one.json()["left_out"] == ["0002"]
    assert again.json() == one.json()
    assert none.json() == foreseen


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"essays": ["This field is required."]}),
        ({"essays": "0002"}, {"essays": ['Expected a list of items but got type "str".']}),
        ({"essays": [""]}, {"essays": {"0": ["This field may not be blank."]}}),
        ({"essays": ["0002", "7", "8"]}, {"essays": ["The import has no essay 7, 8."]}),
        ({"essays": [], "number": "0002"}, {"number": ["There is no such field."]}),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_by_its_field(client, address, body, fields):
    answer = choose(client, address, body)

    assert (answer.status_code, answer.json()["fields"]) == (400, fields)
    assert EssayImport.objects.get().left_out == []


def test_what_is_imported_leaves_nothing_out(client, address):
    confirm(client, address)

    answer = choose(client, address, {"essays": ["0002"]})

    assert answer.status_code == 422
    assert Essay.objects.count() == 4


@pytest.mark.parametrize(("role", "status"), [("coordinator", 404), ("expert", 403)])
def test_nobody_else_chooses(log_in, address, role, status):
    stranger = log_in(PersonFactory(role=role))

    assert choose(stranger, address, {"essays": ["0002"]}).status_code == status
