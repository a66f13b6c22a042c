from __future__ import annotations

import json

import pytest

from accounts.models import User
from annotator.core.values import Fragment, Kind, Span
from annotator.models import MarkupRecord
from jobs.models import Job
from tests.annotator.files import selection
from tests.factories import EssayFactory, EssaySetFactory, PersonFactory, submitted
from tests.strategies import fragment, whole_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def participant():
    return PersonFactory(role="participant")


@pytest.fixture
def essay():
    return EssayFactory(essay_set=EssaySetFactory(access="open"))


@pytest.fixture
def send(log_in, participant, essay):
    def post(body, *, to=essay, user=participant, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        address = f"/api/essays/{to.pk}/markups/"
        return log_in(user).post(address, data, content_type=kind, headers=headers)

    return post


def test_a_markup_is_accepted_and_its_jobs_are_ordered(send, essay, participant):
    response = send({"selections": [selection(12, 17, "А.лекс", correction="believe")]})

    record = MarkupRecord.objects.get()
    assert (response.status_code, response.json()) == (
        201,
        {"id": record.pk, "essay": essay.pk, "fragments": 1, "repeated": False, "remarks": []},
    )
    assert (record.author, record.source, record.state) == (participant, "algorithm", "submitted")
    assert record.to_core().fragments == (fragment(12, 17, "А.лекс", correction="believe"),)
    assert [job.key for job in Job.objects.all()] == [f"grade:{record.pk}", f"score:{record.pk}"]


def test_an_empty_list_says_that_nothing_was_found(send):
    assert send({"selections": []}).status_code == 201
    assert MarkupRecord.objects.get().to_core().fragments == ()


def test_a_whole_file_of_the_exchange_may_be_sent(send, log_in, participant, essay):
    file = log_in(participant).get(f"/api/essays/{essay.pk}/").json()
    file["selections"] = [selection(0, 0, "А.грамм"), selection(0, 11, "ПРОБЛЕМА", group="meaning")]
    file["criteria"] = {"K3": "2"}

    response = send(file)

    assert (response.status_code, response.json()["remarks"]) == (201, [])
    record = MarkupRecord.objects.get()
    assert record.stated == {"K3": 2}
    assert record.to_core().fragments == (
        whole_text("А.грамм"),
        Fragment(Span(0, 11), "ПРОБЛЕМА", kind=Kind.BLOCK),
    )


def test_what_a_file_says_of_another_essay_is_not_believed(send):
    meta = {"id": "9999999", "subject": "hist", "expert": "exp1", "third": True, "theme": 5}

    assert send({"meta": meta, "selections": [selection(0, 4)]}).status_code == 201

    record = MarkupRecord.objects.get()
    assert (record.source, record.third) == ("algorithm", False)


def test_odd_things_are_remarked(send):
    response = send({"selections": [selection(0, 4, group="meaning", color="red")], "extra": 1})

    assert [
        (each["code"], each["path"], each["blocks"]) for each in response.json()["remarks"]
    ] == [
        ("unknown-key", "extra", False),
        ("unknown-key", "selections[0].color", False),
        ("group-differs", "selections[0].group", False),
    ]


def test_a_repeated_key_is_one_submission(send):
    body = {"selections": [selection(0, 4)]}

    first = send(body, **{"Idempotency-Key": "run-1"})
    second = send(body, **{"Idempotency-Key": "run-1"})

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == {**first.json(), "repeated": True}
    assert (MarkupRecord.objects.count(), Job.objects.count()) == (1, 2)


def test_a_key_of_another_essay_is_a_conflict(send, essay):
    other = EssayFactory(essay_set=essay.essay_set)
    send({"selections": []}, **{"Idempotency-Key": "run-1"})

    response = send({"selections": []}, to=other, **{"Idempotency-Key": "run-1"})

    assert (response.status_code, response.json()) == (
        409,
        {"code": "conflict", "message": "This key was used for another essay. Use a new one."},
    )


def test_a_key_may_have_eighty_printable_characters(send):
    refused = send({"selections": []}, **{"Idempotency-Key": "k" * 81})

    assert (refused.status_code, refused.json()) == (
        400,
        {
            "code": "invalid",
            "message": "Some fields are not right.",
            "fields": {"Idempotency-Key": ["At most 80 printable characters."]},
        },
    )
    assert send({"selections": []}, **{"Idempotency-Key": "k" * 80}).status_code == 201


def test_a_new_markup_supersedes_the_earlier_one(send):
    first = send({"selections": []}).json()["id"]

    second = send({"selections": [selection(0, 4)]}).json()["id"]

    states = dict(MarkupRecord.objects.values_list("pk", "state"))
    assert states == {first: "superseded", second: "submitted"}


@pytest.mark.parametrize("role", sorted(set(User.Role.values) - {"participant"}))
def test_only_participants_send(send, role):
    response = send({"selections": []}, user=PersonFactory(role=role))

    assert (response.status_code, response.json()) == (
        403,
        {
            "code": "permission_denied",
            "message": "Only a participant’s account sends algorithm markups.",
        },
    )
    assert list(MarkupRecord.objects.all()) == []


def test_an_essay_of_a_closed_set_takes_no_markup(send):
    response = send({"selections": []}, to=EssayFactory())

    assert (response.status_code, list(MarkupRecord.objects.all())) == (404, [])


def test_a_stranger_without_a_key_sends_nothing(client, essay):
    response = client.post(
        f"/api/essays/{essay.pk}/markups/", b'{"selections": []}', content_type="application/json"
    )

    assert (response.status_code, list(MarkupRecord.objects.all())) == (401, [])


def test_another_participants_markup_is_not_touched(send, essay):
    other = submitted(essay, fragment(0, 4), source="algorithm")

    send({"selections": []})

    assert MarkupRecord.objects.get(pk=other.pk).state == "submitted"
