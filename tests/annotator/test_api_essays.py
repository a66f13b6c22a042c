from __future__ import annotations

import json

import pytest

from accounts.services.tokens import issue_token, revoke_token
from annotator.core.codec import file_from_json, file_to_json
from annotator.core.values import MarkedFile, Markup
from annotator.models import EssaySet, MarkupRecord
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    submitted,
)
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def participant():
    return PersonFactory(role="participant")


@pytest.fixture
def open_set():
    return EssaySetFactory(name="Обучающая", access="open")


@pytest.fixture
def get(log_in, participant):
    def ask(address, user=participant):
        return log_in(user).get(f"/api/{address}")

    return ask


def numbers(response):
    return [each["number"] for each in response.json()["results"]]


def test_the_list_names_the_essays_one_may_see(get, open_set):
    essay = EssayFactory(essay_set=open_set, number="0001", year=2020, class_name="11")
    EssayFactory(number="closed")

    assert get("essays/").json() == {
        "count": 1,
        "next": None,
        "previous": None,
        "results": [
            {
                "id": essay.pk,
                "number": "0001",
                "version": 1,
                "uuid": str(essay.uuid),
                "essay_set": "Обучающая",
                "subject": "eng",
                "theme": "Sport unites people",
                "class_name": "11",
                "year": 2020,
            }
        ],
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("set=A", ["0001", "0002"]),
        ("subject=hist", ["0002", "0003"]),
        ("number=0003", ["0003"]),
        ("set=A&subject=hist", ["0002"]),
        ("set=C", []),
        ("number=1%00", []),
    ],
)
def test_the_list_is_filtered(get, query, found):
    one, other = EssaySetFactory(name="A", access="open"), EssaySetFactory(name="B", access="open")
    EssayFactory(essay_set=one, number="0001")
    EssayFactory(essay_set=one, number="0002", subject="hist")
    EssayFactory(essay_set=other, number="0003", subject="hist")

    response = get(f"essays/?{query}")

    assert (numbers(response) if response.status_code == 200 else []) == found


def test_the_list_comes_in_pages(get, open_set):
    for number in range(5):
        EssayFactory(essay_set=open_set, number=f"{number}")

    first = get("essays/?limit=2").json()
    last = get("essays/?limit=2&offset=4").json()

    assert ([each["number"] for each in first["results"]], first["count"]) == (["0", "1"], 5)
    assert first["next"] == "http://testserver/api/essays/?limit=2&offset=2"
    assert ([each["number"] for each in last["results"]], last["next"]) == (["4"], None)
    assert numbers(get(f"essays/?limit={2**64}")) == ["0", "1", "2", "3", "4"]
    assert numbers(get(f"essays/?offset={2**64}")) == []


def test_the_list_takes_the_same_queries_for_one_essay_and_for_five(
    log_in, participant, open_set, django_assert_num_queries
):
    client = log_in(participant)
    for count in (1, 4):
        for _ in range(count):
            EssayFactory(essay_set=open_set)
        client.get("/api/essays/")
        with django_assert_num_queries(5):
            client.get("/api/essays/")


@pytest.mark.parametrize(
    ("role", "found"),
    [("participant", ["open"]), ("judge", ["closed", "open"]), ("expert", ["closed"])],
)
def test_each_role_lists_its_own_essays(get, role, found):
    user = PersonFactory(role=role)
    EssayFactory(essay_set=EssaySetFactory(name="b", access="open"), number="open")
    closed = EssayFactory(essay_set=EssaySetFactory(name="a"), number="closed")
    if role == "expert":
        AssignmentFactory(essay=closed, expert=user)

    assert numbers(get("essays/", user)) == found


def test_an_essay_is_a_file_of_the_exchange_without_its_marks(get, open_set):
    essay = EssayFactory(essay_set=open_set, text="a < b\n\n👩‍🏫 \u00a0", year=2020)
    submitted(essay, fragment(0, 1))

    file = get(f"essays/{essay.pk}/").json()

    written = file_to_json(MarkedFile(essay.meta(), Markup(essay.text)))
    del written["selections"]
    assert file == written
    assert file["text"] == "a < b\n\n👩‍🏫 \u00a0"


def test_an_essay_of_a_closed_set_is_not_there(get):
    response = get(f"essays/{EssayFactory().pk}/")

    assert (response.status_code, response.json()) == (
        404,
        {"code": "not_found", "message": "Not found."},
    )


def test_the_markups_one_may_see_are_listed(get, open_set, participant):
    EssaySet.objects.update(names_experts=True)
    essay = EssayFactory(essay_set=open_set)
    expert = submitted(essay, author=PersonFactory(username="exp1"))
    own = submitted(essay, source="algorithm", author=participant)
    submitted(essay, source="algorithm")
    DraftFactory(assignment=AssignmentFactory(essay=essay))

    found = get(f"essays/{essay.pk}/markups/").json()["results"]

    assert [(each["id"], each["author"], each["source"], each["state"]) for each in found] == [
        (expert.pk, "exp1", "expert", "submitted"),
        (own.pk, participant.username, "algorithm", "submitted"),
    ]


def test_ones_former_markups_tell_when_they_were_submitted_and_superseded(
    get, log_in, open_set, participant
):
    essay = EssayFactory(essay_set=open_set)
    for _ in range(2):
        log_in(participant).post(
            f"/api/essays/{essay.pk}/markups/", {"selections": []}, "application/json"
        )

    former, present = get(f"essays/{essay.pk}/markups/").json()["results"]

    assert (former["state"], present["state"]) == ("superseded", "submitted")
    assert former["submitted_at"] < former["superseded_at"] <= present["submitted_at"]
    assert present["superseded_at"] is None


def test_the_markups_come_in_pages(get, open_set):
    essay = EssayFactory(essay_set=open_set)
    found = [submitted(essay).pk for _ in range(3)]

    first = get(f"essays/{essay.pk}/markups/?limit=2").json()
    last = get(f"essays/{essay.pk}/markups/?limit=2&offset=2").json()

    assert ([each["id"] for each in first["results"]], first["count"]) == (found[:2], 3)
    assert first["next"] == (f"http://testserver/api/essays/{essay.pk}/markups/?limit=2&offset=2")
    assert ([each["id"] for each in last["results"]], last["next"]) == (found[2:], None)


def test_the_markups_take_the_same_queries_for_one_and_for_five(
    log_in, participant, open_set, django_assert_num_queries
):
    client, essay = log_in(participant), EssayFactory(essay_set=open_set)
    for count in (1, 4):
        for _ in range(count):
            submitted(essay)
        client.get(f"/api/essays/{essay.pk}/markups/")
        with django_assert_num_queries(6):
            client.get(f"/api/essays/{essay.pk}/markups/")


def test_a_markup_file_sent_again_is_the_same_markup(get, log_in, open_set, participant):
    essay = EssayFactory(essay_set=open_set, text="cafe\u0301 👩‍🏫 people")
    marks = (fragment(0, 5, "А.лекс", correction="a\nb", comment="«»"), whole_text(tag="т1"))
    record = submitted(essay, *marks, source="algorithm", author=participant)
    record.stated = {"K3": 2, "K4": 2.5, "K1": [1, 2]}
    record.save()

    response = get(f"markups/{record.pk}/")
    again = log_in(participant).post(
        f"/api/essays/{essay.pk}/markups/", response.content, content_type="application/json"
    )

    assert file_from_json(json.loads(response.content)).file == record.to_file()
    assert again.status_code == 201
    assert [each["code"] for each in again.json()["remarks"]] == ["criteria-mismatch"] * 3
    repeated = MarkupRecord.objects.get(pk=again.json()["id"])
    assert (repeated.to_core(), repeated.stated) == (record.to_core(), record.stated)


def test_nobody_elses_draft_is_a_file(get):
    draft = DraftFactory()

    assert get(f"markups/{draft.pk}/").status_code == 404
    assert get(f"markups/{draft.pk}/", draft.author).status_code == 200


def test_a_key_opens_the_api_until_it_is_revoked(client, participant):
    token = issue_token(user=participant, name="run")
    headers = {"Authorization": f"Token {token}"}

    before = client.get("/api/essays/", headers=headers).status_code
    revoke_token(token=participant.api_tokens.get(), actor=participant)

    assert (before, client.get("/api/essays/", headers=headers).status_code) == (200, 401)


@pytest.mark.parametrize("address", ["essays/", "essays/1/", "essays/1/markups/", "markups/1/"])
def test_a_stranger_gets_nothing(client, address):
    response = client.get(f"/api/{address}")

    assert (response.status_code, response.headers["WWW-Authenticate"]) == (401, "Token")
    assert set(response.json()) == {"code", "message"}


@pytest.mark.parametrize("address", ["essays/", "essays/1/", "markups/1/"])
def test_addresses_that_are_only_read_refuse_to_be_written(log_in, participant, address):
    response = log_in(participant).delete(f"/api/{address}")

    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
