from __future__ import annotations

import json
from io import BytesIO

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext
from django.utils.dateparse import parse_datetime

from accounts.models import AuditEntry
from annotator.models import Assignment, Essay, EssaySet
from annotator.models.imports import EssayImport
from annotator.services.markup import close
from annotator.services.versions import replace_essay
from jobs.models import Job
from review.models import ClientCall, FinalGrade, SetProtocol
from scoring.models import CriteriaRecord
from tests.factories import (
    AssignmentFactory,
    EssayFactory,
    EssaySetFactory,
    PersonFactory,
    RuleSetFactory,
    submitted,
)
from tests.review.exporting import final_grade_of
from tests.review.verdicts import give_back, judge, settled_set, verify
from tests.scoring.work import score
from tests.strategies import fragment

pytestmark = pytest.mark.django_db


@pytest.fixture
def coordinator():
    return PersonFactory(role="coordinator")


@pytest.fixture
def client(log_in, coordinator):
    return log_in(coordinator)


def post(client, address, body=None, key=None):
    headers = {"Idempotency-Key": key} if key else {}
    data = json.dumps(body or {})
    return client.post(address, data, content_type="application/json", headers=headers)


def upload(
    client, essay_set, key=None, name="1.txt", text="Предмет: английский\n\nSome people.", **more
):
    file = BytesIO(text.encode())
    file.name = name
    headers = {"Idempotency-Key": key} if key else {}
    body = {"essay_set": essay_set.pk, "files": file, **more}
    return client.post("/api/imports/", body, headers=headers)


def checked(essay, role, *marks):
    check = AssignmentFactory(essay=essay, role=role, state="submitted")
    return submitted(essay, *marks, assignment=check)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "There is a set “Spring” already. Choose another name."),
        ("ru", "Выборка «Spring» уже есть. Выберите другое название."),
    ],
)
def test_a_set_of_a_name_that_is_taken_is_refused_in_whole_sentences(client, language, said):
    EssaySetFactory(name="Spring")
    body = json.dumps({"name": "Spring"})

    answer = client.post(
        "/api/sets/", body, "application/json", headers={"accept-language": language}
    )

    assert (answer.status_code, answer.json()["message"]) == (422, said)


def test_a_set_is_made_once_under_one_key(client):
    rules = RuleSetFactory(name="March")
    body = {"name": "Spring", "access": "open"}
    first, again = (post(client, "/api/sets/", body, key="a") for _ in range(2))
    other = post(client, "/api/sets/", {"name": "Autumn"}, key="a")
    made = EssaySet.objects.get()

    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert first.json() == again.json() == client.get(f"/api/sets/{made.pk}/").json()
    assert {key: first.json()[key] for key in ("name", "access", "rules", "essays")} == {
        "name": "Spring",
        "access": "open",
        "rules": str(rules),
        "essays": 0,
    }


def test_a_set_tells_its_state_and_counts_latest_versions(client, coordinator):
    essay = EssayFactory(essay_set__state="open")
    replace_essay(essay=essay, text="Another text.", reason="A misprint", actor=coordinator)

    told = client.get(f"/api/sets/{essay.essay_set_id}/").json()

    assert (told["state"], told["essays"]) == ("open", 1)


@pytest.mark.parametrize(
    ("asked", "state"),
    [
        ({"rules": ""}, "preparing"),
        ({"state": "preparing"}, "preparing"),
        ({"state": "open"}, "open"),
    ],
)
def test_a_set_is_prepared_as_on_the_page_unless_it_is_to_be_open(client, asked, state):
    told = post(client, "/api/sets/", {"name": "Spring", **asked}).json()

    made = EssaySet.objects.get()
    assert (told["state"], made.state, made.opened_at is not None) == (
        state,
        state,
        state == "open",
    )
    steps = AuditEntry.objects.filter(action="set.state").values_list("details__after", flat=True)
    assert list(steps) == [state] * (state == "open")


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        ({}, 400, "name"),
        ({"name": "A", "state": "closed"}, 400, "state"),
        ({"name": "A", "colour": "red"}, 400, "colour"),
        ({"name": "A", "access": "ajar"}, 400, "access"),
        ({"name": "A", "rules": "none such"}, 422, None),
    ],
)
def test_a_set_that_cannot_be_made_is_refused_by_name(client, body, status, field):
    answer = post(client, "/api/sets/", body, key="a")

    assert (answer.status_code, list(answer.json().get("fields", [None]))) == (status, [field])
    assert not ClientCall.objects.exists()


def test_files_are_looked_at_first_and_imported_on_a_word(client):
    essay_set = EssaySetFactory()
    preview = upload(client, essay_set, key="a")
    again = upload(client, essay_set, key="a")
    address = f"/api/imports/{preview.json()['id']}/"
    before = Essay.objects.count()
    files = client.get(f"{address}files/").json()["results"]
    confirmed, twice = (post(client, f"{address}confirm/") for _ in range(2))

    assert (preview.status_code, again.status_code, before) == (201, 200, 0)
    assert (preview.json()["state"], preview.json()["essays"]) == ("preview", 1)
    assert [(each["name"], each["outcome"]) for each in files] == [("1.txt", "essay")]
    assert (confirmed.status_code, confirmed.json()["state"]) == (200, "done")
    assert twice.json() == confirmed.json() == client.get(address).json()
    assert (Essay.objects.count(), EssayImport.objects.count()) == (1, 1)


def test_what_is_sent_wrongly_is_refused_with_its_place(client):
    essay_set = EssaySetFactory()
    bare = client.post("/api/imports/", {"essay_set": essay_set.pk})
    unknown = upload(client, essay_set, colour="red")
    nowhere = upload(client, EssaySet(pk=0))
    bad = upload(client, essay_set, name="1.json", text="{")

    assert [each.status_code for each in (bare, unknown, nowhere, bad)] == [400, 400, 400, 422]
    assert list(bare.json()["fields"]) == ["files"]
    assert list(unknown.json()["fields"]) == ["colour"]
    assert list(nowhere.json()["fields"]) == ["essay_set"]
    assert [each["place"] for each in bad.json()["problems"]] == ["1.json"]
    assert not EssayImport.objects.exists()


def test_nobody_confirms_the_files_of_another_one(client, log_in):
    preview = upload(client, EssaySetFactory()).json()["id"]
    colleague = log_in(PersonFactory(role="organiser"))

    assert colleague.get(f"/api/imports/{preview}/").status_code == 404
    assert post(colleague, f"/api/imports/{preview}/confirm/").status_code == 404


def test_a_check_is_given_away_once_and_taken_back(client):
    essay, expert = EssayFactory(), PersonFactory(username="ann")
    body = {"essay": essay.pk, "role": "first", "expert": "ann"}
    given, again = (post(client, "/api/assignments/", body, key="a") for _ in range(2))
    taken = post(client, "/api/assignments/", body)
    address = f"/api/assignments/{given.json()['id']}/withdraw/"
    withdrawn, twice = (post(client, address) for _ in range(2))

    assert [each.status_code for each in (given, again)] == [201, 200]
    assert taken.status_code in (409, 422)
    assert (given.json()["expert"], given.json()["state"]) == (expert.username, "waiting")
    assert withdrawn.json() == twice.json() == given.json() | {"state": "withdrawn"}
    assert Assignment.objects.get().state == "withdrawn"


@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({"essay": 0}, ["essay"]),
        ({"essay": 987654}, ["essay"]),
        ({"expert": "nobody"}, ["expert"]),
        ({"role": "fourth"}, ["role"]),
        ({"when": "now"}, ["when"]),
    ],
)
def test_a_check_that_cannot_be_given_names_the_field(client, asked, fields):
    PersonFactory(username="ann")
    body = {"essay": EssayFactory().pk, "role": "first", "expert": "ann"} | asked

    answer = post(client, "/api/assignments/", body)

    assert (answer.status_code, list(answer.json()["fields"])) == (400, fields)


def test_checks_are_listed_by_what_is_asked(client):
    one = AssignmentFactory(expert__username="ann", essay__essay_set__name="March")
    AssignmentFactory(role="second", state="submitted")
    found = {
        query: [each["id"] for each in client.get(f"/api/assignments/?{query}").json()["results"]]
        for query in (
            "set=March",
            "expert=ann",
            f"essay={one.essay_id}",
            "state=waiting",
            "role=first",
        )
    }

    assert found == {query: [one.pk] for query in found}
    assert client.get("/api/assignments/?state=x").status_code == 400
    assert client.get("/api/assignments/?colour=x").status_code == 400


def test_states_and_results_of_a_set(client):
    essay = EssayFactory(number="1")
    first = checked(essay, "first", fragment(5, 11))
    second = checked(essay, "second", *(fragment(at, at + 1) for at in range(9)))
    score(first, second)
    address = f"/api/sets/{essay.essay_set_id}"
    unsettled = client.get(f"{address}/results/").json()["results"][0]["grade"]
    grade = final_grade_of(essay)
    (states,) = client.get(f"{address}/states/").json()["results"]
    (results,) = client.get(f"{address}/results/").json()["results"]
    sheets = [CriteriaRecord.objects.get(markup=each) for each in (first, second)]

    assert [(each["role"], each["state"]) for each in states["checks"]] == [
        ("first", "submitted"),
        ("second", "submitted"),
        ("third", None),
    ]
    assert [
        (each["markup"], each["points"], each["total"], each["K"]) for each in results["checks"]
    ] == [(sheet.markup_id, sheet.points, sheet.total, sheet.nomination) for sheet in sheets]
    told = {name: results["grade"][name] for name in ("rule", "total", "points")}
    assert told == {"rule": grade.rule, "total": 9, "points": {"K1": 0}}
    assert unsettled is None
    assert results["gap"] == abs(sheets[0].total - sheets[1].total)
    assert states["third_needed"] is results["third_needed"] is not None


def test_moments_have_one_form(client):
    check = AssignmentFactory(deadline_at="2026-03-01T12:30:00Z")

    (listed,) = client.get("/api/assignments/").json()["results"]
    (essay,) = client.get(f"/api/sets/{check.essay.essay_set_id}/states/").json()["results"]

    told = {each["deadline_at"] for each in (listed, essay["checks"][0])}
    assert told == {"2026-03-01T15:30:00+03:00"}


@pytest.mark.parametrize("address", ["/api/essays/", "/api/assignments/"])
def test_a_set_that_is_not_there_is_an_error_and_an_empty_one_is_not(client, address):
    check = AssignmentFactory(essay__essay_set__name="May")
    EssaySetFactory(name="empty")

    def listed(name):
        return client.get(address, {"set": name})

    by_number = listed(str(check.essay.essay_set_id))
    said = f"There is no set “{check.essay.essay_set_id}”: give the name of one."
    assert (by_number.status_code, by_number.json()["fields"]) == (400, {"set": [said]})
    assert [listed(name).json()["count"] for name in ("May", "empty", "")] == [1, 0, 1]


def test_a_set_somebody_may_not_see_is_not_there_for_them(log_in):
    EssayFactory(essay_set=EssaySetFactory(name="hidden", access="closed"))
    team = log_in(PersonFactory(role="participant"))

    answers = [team.get("/api/essays/", {"set": name}) for name in ("hidden", "nothing")]

    assert [answer.status_code for answer in answers] == [400, 400]


def test_results_hold_the_final_grade_where_one_counts(client):
    essay_set = settled_set(2, "median/criteria")
    FinalGrade.objects.filter(essay__number="2").update(voided_at=Now(), voided_because="changed")
    grade = FinalGrade.objects.get(essay__number="1")

    found = client.get(f"/api/sets/{essay_set.pk}/results/").json()["results"]

    told = [each["grade"] for each in found]
    assert parse_datetime(told[0].pop("settled_at")) == grade.settled_at
    assert told == [
        {
            "total": grade.total,
            "points": grade.points,
            "rule": "median/criteria",
            "counted": ["first", "second"],
        },
        None,
    ]


def test_verdicts_of_a_set_are_read_with_what_they_are_of(client):
    essay_set, anna = settled_set(), judge()
    give_back(essay_set, anna, reason="Look at 2")
    verify(essay_set, anna)
    newest, first = SetProtocol.objects.order_by("-pk")

    found = client.get(f"/api/sets/{essay_set.pk}/verdicts/").json()["results"]

    assert [(each["kind"], each["who"], each["role"], each["reason"]) for each in found] == [
        ("verified", anna.username, "judge", ""),
        ("returned", anna.username, "judge", "Look at 2"),
    ]
    said = [each["protocol"] for each in found]
    assert [(each["id"], each["digest"], each["essays"]) for each in said] == [
        (newest.pk, newest.digest, 2),
        (first.pk, first.digest, 2),
    ]
    assert [(each["voided_at"] is None, each["voided_because"]) for each in said] == [
        (True, ""),
        (False, "returned"),
    ]


@pytest.mark.parametrize("address", ["states/", "results/", ""])
def test_lists_cost_the_same_however_long(client, address):
    essay_set, counts = EssaySetFactory(), []
    path = f"/api/sets/{essay_set.pk}/{address}" if address else "/api/assignments/"
    for _ in range(3):
        essay = EssayFactory(essay_set=essay_set)
        score(checked(essay, "first"), checked(essay, "second"))
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        counts.append(len(queries))

    assert len(set(counts)) == 1


def test_a_participant_learns_how_far_a_submission_is(log_in):
    participant = PersonFactory(role="participant")
    essay = EssayFactory(essay_set__access="open")
    Job.objects.create(key="earlier", kind="nothing", priority=0)
    record = submitted(essay, author=participant, source="algorithm")
    close(record)
    client, address = log_in(participant), f"/api/submissions/{record.pk}/"
    queued = client.get(address).json()
    Job.objects.filter(key="earlier").delete()
    Job.objects.filter(key=f"grade:{record.pk}").update(state="failed")
    failed = client.get(address).json()
    Job.objects.update(state="queued")
    score(record)
    (scored,) = client.get("/api/submissions/").json()["results"]

    assert (queued["state"], queued["position"]) == ("queued", 3)
    assert (failed["state"], failed["position"]) == ("failed", None)
    assert (scored["markup"], scored["state"], scored["position"]) == (record.pk, "scored", None)


def test_nobody_else_learns_of_a_submission(log_in):
    record = submitted(EssayFactory(), source="algorithm")
    roles = {"participant": 404, "expert": 403, "coordinator": 403}

    found = {
        role: log_in(PersonFactory(role=role)).get(f"/api/submissions/{record.pk}/").status_code
        for role in roles
    }

    assert found == roles


def test_the_list_of_submissions_costs_the_same_however_long(log_in):
    participant, counts = PersonFactory(role="participant"), []
    for _ in range(3):
        submitted(EssayFactory(), author=participant, source="algorithm")
        client = log_in(participant)
        with CaptureQueriesContext(connection) as queries:
            client.get("/api/submissions/")
        counts.append(len(queries))

    assert len(set(counts)) == 1
