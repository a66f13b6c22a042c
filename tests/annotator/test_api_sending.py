from __future__ import annotations

import json

import pytest

from accounts.models import User
from annotator.core.codec import file_to_json
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
    return EssayFactory(essay_set=EssaySetFactory(access="open"), number="0050051")


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


def test_positions_that_may_count_line_ends_twice_are_remarked(send):
    to = EssayFactory(essay_set=EssaySetFactory(access="open"), text="Some people.\nI think.")

    response = send({"text": "Some people.\r\nI think.", "selections": [selection(14, 20)]}, to=to)

    (remark,) = response.json()["remarks"]
    assert (response.status_code, remark["code"], remark["path"]) == (
        201,
        "text-normalised",
        "text",
    )
    assert remark["message"] == (
        "The text has line ends of two characters or a byte order mark. "
        "Positions are counted without them: a line end is one character."
    )


def test_a_whole_file_of_the_exchange_may_be_sent(send, log_in, participant, essay):
    file = log_in(participant).get(f"/api/essays/{essay.pk}/").json()
    file["selections"] = [selection(0, 0, "А.грамм"), selection(0, 11, "ПРОБЛЕМА", group="meaning")]
    file["criteria"] = {"K3": "3"}

    response = send(file)

    assert (response.status_code, response.json()["remarks"]) == (201, [])
    record = MarkupRecord.objects.get()
    assert record.stated == {"K3": 3}
    assert record.to_core().fragments == (
        whole_text("А.грамм"),
        Fragment(Span(0, 11), "ПРОБЛЕМА", kind=Kind.BLOCK),
    )


@pytest.mark.parametrize(
    ("criteria", "stated"),
    [
        ({"K3": "3.5", "K4": [1, "2,5"]}, {"K3": 3.5, "K4": [1, 2.5]}),
        ([3, 2.5, None, [1, 2]], {"K1": 3, "K2": 2.5, "K4": [1, 2]}),
    ],
)
def test_halves_and_lists_of_points_are_kept_and_given_back(send, criteria, stated):
    response = send({"selections": [], "criteria": criteria})

    record = MarkupRecord.objects.get()
    told = {each["code"] for each in response.json()["remarks"]}
    assert (response.status_code, told) == (201, {"criteria-mismatch"})
    assert record.stated == stated
    assert file_to_json(record.to_file())["criteria"] == stated


def test_outer_blanks_of_a_text_are_among_the_remarks(log_in, participant, essay):
    blank = EssayFactory(essay_set=essay.essay_set, text="Some people.\n")

    response = log_in(participant).post(
        f"/api/essays/{blank.pk}/markups/",
        json.dumps({"text": blank.text, "selections": []}),
        content_type="application/json",
    )

    (remark,) = response.json()["remarks"]
    assert (response.status_code, remark["code"], remark["path"]) == (
        201,
        "text-has-outer-space",
        "text",
    )


def test_what_a_file_says_of_its_author_is_not_believed(send):
    meta = {"expert": "exp1", "third": True, "theme": 5}

    assert send({"meta": meta, "selections": [selection(0, 4)]}).status_code == 201

    record = MarkupRecord.objects.get()
    assert (record.source, record.third) == ("algorithm", False)


@pytest.mark.parametrize(
    ("meta", "path", "told"),
    [
        ({"id": "9999999"}, "meta.id", ("9999999", "0050051")),
        ({"id": 50052}, "meta.id", ("50052", "0050051")),
        ({"subject": "hist"}, "meta.subject", ("hist", "eng")),
        ({"subject": "история"}, "meta.subject", ("hist", "eng")),
    ],
)
def test_a_file_of_another_essay_is_refused_by_name(send, meta, path, told):
    response = send({"meta": meta, "selections": []})

    said, known = told
    assert response.status_code == 422
    assert [(each["path"], each["message"]) for each in response.json()["problems"]] == [
        (
            path,
            (
                f"This says “{said}”, but the essay it is sent to has “{known}”. "
                "Send it to its own essay."
            ),
        )
    ]
    assert list(MarkupRecord.objects.all()) == []


@pytest.mark.parametrize(
    "meta",
    [{"id": "0050051"}, {"id": 50051}, {"id": ""}, {"id": None, "subject": "английский"}, None],
)
def test_a_file_that_names_its_essay_or_none_is_accepted(send, meta):
    response = send({"meta": meta, "selections": []})

    assert (response.status_code, response.json()["remarks"]) == (201, [])


@pytest.mark.parametrize(
    ("beside", "path"),
    [
        ({"meta": []}, "meta"),
        ({"meta": {"subject": "chemistry"}}, "meta.subject"),
        ({"meta": {"theme": []}}, "meta.theme"),
        ({"meta": {"third": "yes"}}, "meta.third"),
        ({"fileName": ["a.json"]}, "fileName"),
        ({"criteria": {"K1": "many"}}, "criteria.K1"),
    ],
)
def test_what_cannot_be_read_beside_the_markup_is_refused(send, beside, path):
    response = send({"selections": [], **beside})

    assert response.status_code == 422
    assert [each["path"] for each in response.json()["problems"]] == [path]


def test_what_is_odd_beside_the_markup_is_remarked(send):
    response = send({"selections": [], "meta": {"colour": "red"}, "criteria": {"K1": 3, "Krit": 1}})

    told = [(each["code"], each["path"], each["blocks"]) for each in response.json()["remarks"]]
    assert (response.status_code, told) == (
        201,
        [
            ("unknown-key", "meta.colour", False),
            ("unknown-key", "criteria.Krit", False),
            ("criteria-mismatch", "criteria", False),
        ],
    )


def test_odd_things_are_remarked(send):
    response = send({"selections": [selection(0, 4, group="meaning", color="red")]})

    assert [
        (each["code"], each["path"], each["blocks"]) for each in response.json()["remarks"]
    ] == [
        ("unknown-key", "selections[0].color", False),
        ("group-differs", "selections[0].group", False),
    ]


@pytest.mark.parametrize("allowed", [True, False])
def test_crossing_fragments_are_accepted_and_remarked_where_the_rules_do_not_provide_for_them(
    send, log_in, allowed
):
    open_set = EssaySetFactory(access="open", rules__allow_crossing=allowed)
    essay = EssayFactory(essay_set=open_set)

    response = send({"selections": [selection(0, 11), selection(5, 17)]}, to=essay)

    assert response.status_code == 201
    record = MarkupRecord.objects.get()
    assert record.to_core().fragments == (fragment(0, 11), fragment(5, 17))
    told = [(each["code"], each["fragment"], each["blocks"]) for each in response.json()["remarks"]]
    assert told == ([] if allowed else [("crossing-kept", 2, False)])
    text = log_in(record.author).get(f"/markups/{record.pk}/text/")
    assert (text.status_code, "can only nest" in text.content.decode()) == (422, True)


def test_a_repeated_key_is_one_submission(send):
    body = {"selections": [selection(0, 4)]}

    first = send(body, **{"Idempotency-Key": "run-1"})
    second = send(body, **{"Idempotency-Key": "run-1"})

    assert (first.status_code, second.status_code) == (201, 200)
    assert second.json() == {**first.json(), "repeated": True}
    assert (MarkupRecord.objects.count(), Job.objects.count()) == (1, 2)


def test_a_repeated_key_with_another_body_is_a_conflict(send):
    first = send({"selections": [selection(0, 4)], "criteria": {}}, **{"Idempotency-Key": "run-1"})
    same = send(
        b'{"criteria": {},\n "selections": [%s]}' % json.dumps(selection(0, 4)).encode(),
        **{"Idempotency-Key": "run-1"},
    )

    other = send({"selections": [selection(5, 11)]}, **{"Idempotency-Key": "run-1"})

    assert (first.status_code, same.status_code) == (201, 200)
    assert (other.status_code, other.json()) == (
        409,
        {"code": "conflict", "message": "This key was used for another body. Use a new one."},
    )
    assert MarkupRecord.objects.get().to_core().fragments == (fragment(0, 4),)


def test_unknown_fields_beside_the_markup_are_refused_by_name(send):
    response = send({"selections": [], "selektions": [], "third": True})

    assert (response.status_code, response.json()) == (
        400,
        {
            "code": "invalid",
            "message": "Some fields are not right.",
            "fields": {
                "selektions": ["There is no such field."],
                "third": ["There is no such field."],
            },
        },
    )
    assert list(MarkupRecord.objects.all()) == []


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


def test_a_post_without_the_last_slash_is_asked_to_post_again_not_turned_into_a_look(client):
    answer = client.post("/api/essays/1/markups", {}, content_type="application/json")

    assert (answer.status_code, answer["Location"]) == (308, "/api/essays/1/markups/")
