"""Uploads of predictions: quotas, refusals, scores of both parts, the board."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction

from accounts.services.limits import take
from accounts.services.tokens import issue_token
from contest.core.splits import is_public
from contest.models import Membership, Phase, Team, Upload, UploadCounter, UploadTerms
from contest.queries.uploads import board_of
from contest.services.uploads.quotas import count_upload, hold_counter, left_of
from contest.services.uploads.uploading import (
    TRIES,
    OverQuota,
    Sent,
    cancel_upload_of_job,
    send_upload,
)
from schemes.models import SchemeRun, StoredKey
from schemes.services.keys import drop_key, offer_key
from schemes.services.runs import drop_run
from tests.contest.data_world import KEY, contest_of, phase_of, qac, taking_uploads, terms_of
from tests.contest.world import team
from tests.factories import PersonFactory
from tests.schemes.inputs import QAC_RESPONSES, do_all
from web.client_keys import ClientKey
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db
GOOD = QAC_RESPONSES.encode()
POOR = 'QAC1-1-01: "大阪", 1\nQAC1-2-01:\nQAC1-5-01:\n'.encode()
OTHER = GOOD + b"\n"


def team_of(contest, name="Lynx", **fields):
    return Team.objects.create(contest=contest, name=name, account=team(), **fields)


@pytest.fixture
def contest():
    return taking_uploads()


def sent_by(team, data=GOOD, user=None, **fields):
    sent = Sent("answers.txt", data, **fields)
    return send_upload(contest=team.contest, user=user or team.account, sent=sent)[0]


def refusal_of(team, **fields):
    with pytest.raises(Refused) as refused:
        sent_by(team, **fields)
    return str(refused.value)


def counted(team):
    return list(UploadCounter.objects.filter(team=team).values_list("of_day", "total"))


def test_an_upload_is_scored_by_the_stored_key_and_its_run_is_not_the_teams(contest):
    lynx = team_of(contest)

    upload = sent_by(lynx)
    do_all()

    upload.refresh_from_db()
    assert (upload.state, upload.public_items + upload.final_items) == ("scored", 5)
    assert (upload.run.veiled, upload.run.owner.role) == (True, "organiser")
    assert upload.run.owner == UploadTerms.objects.get().key.owner
    assert upload.digest == hashlib.sha256(GOOD).hexdigest()
    assert counted(lynx) == [(1, 1)]


def test_what_is_refused_for_its_content_counts_no_more(contest):
    lynx = team_of(contest)

    upload = sent_by(lynx, b"\xff\xfe\x00 no responses at all")
    do_all()

    upload.refresh_from_db()
    assert upload.state == "refused"
    assert upload.refusals() != []
    assert counted(lynx) == [(0, 0)]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"hello world\n", "The line does not begin with the ID of a question."),
        (b"0.12\n0.5\n", "No line is about a question of the key."),
        (b"PK\x03\x04\x14\xff", "This is a ZIP archive, and a text is expected here."),
    ],
)
def test_a_file_without_any_response_to_the_key_is_refused_and_counts_no_more(contest, data, words):
    lynx = team_of(contest)

    upload = sent_by(lynx, data)
    do_all()

    upload.refresh_from_db()
    assert (upload.state, counted(lynx)) == ("refused", [(0, 0)])
    assert words in upload.refusals()[0]


def test_what_the_platform_gave_up_counts_no_more_and_once(contest):
    lynx = team_of(contest)
    upload = sent_by(lynx)
    sent_by(lynx, POOR)

    cancel_upload_of_job(job_id=upload.run.job_id)
    cancel_upload_of_job(job_id=upload.run.job_id)

    upload.refresh_from_db()
    assert (upload.state, counted(lynx)) == ("cancelled", [(1, 1)])


def test_over_the_quota_of_a_day_the_refusal_names_the_moment_of_the_reset(contest):
    lynx = team_of(contest)
    for data in (GOOD, POOR):
        sent_by(lynx, data)

    said = refusal_of(lynx, data=OTHER)

    assert said.startswith(
        "Clause 2.17 of the regulation: your team has used its 2 uploads of today; there are more "
    )
    assert (Upload.objects.count(), counted(lynx)) == (2, [(2, 2)])
    assert SchemeRun.objects.count() == 2


def test_the_day_begins_anew_at_midnight_of_the_contests_zone_and_all_does_not(contest):
    lynx = team_of(contest)
    terms = UploadTerms.objects.get()
    days = [datetime(2026, 3, number, tzinfo=UTC).date() for number in (1, 1, 1, 2, 2)]

    hold_counter(terms.phase, lynx)
    taken = [count_upload(terms, lynx, day) for day in days]
    left = left_of(terms, lynx, days[-1])

    assert taken == [True, True, False, True, False]
    assert (left.of_day, left.per_day, left.total, left.in_all) == (1, 2, 3, 3)
    assert left.resets_at == datetime(2026, 3, 2, 21, tzinfo=UTC)
    assert left.is_used_up


def test_all_of_the_uploads_used_up_is_said_without_another_day(contest):
    lynx = team_of(contest)
    terms = UploadTerms.objects.get()
    UploadCounter.objects.create(phase=terms.phase, team=lynx, total=3)

    assert (
        refusal_of(lynx)
        == "Clause 2.17 of the regulation: your team has used all of its 3 uploads of this phase."
    )


def test_each_refusal_is_by_name(contest):
    lynx = team_of(contest)
    other = team_of(qac(name_en="Elsewhere"))
    excluded = team_of(contest, "Cheats", excluded_at=contest.announced_at, excluded_because="x")

    assert refusal_of(lynx, scheme="use") == (
        "Clause 5.1 of the regulation: “Contest” takes predictions for “QAC: question answering in "
        "Japanese”, and what was sent is said to be predictions for “USE: the Unified State Exam”."
    )
    assert refusal_of(lynx, data=b"") == "The file is empty. Send your predictions."
    assert refusal_of(excluded).startswith("Clause 9.5 of the regulation")
    assert refusal_of(other) == "“Elsewhere” takes no uploads: its key is not there yet."
    sent = Sent("answers.txt", GOOD)
    with pytest.raises(Refused, match="You are in no team of “Contest”"):
        send_upload(contest=contest, user=other.account, sent=sent)
    with pytest.raises(Refused, match="The contest is of essays"):
        send_upload(contest=contest_of(), user=lynx.account, sent=sent)
    assert (Upload.objects.count(), counted(lynx)) == (0, [])


@pytest.mark.parametrize(
    ("kind", "starts", "ends", "closed", "said"),
    [
        (
            "qualification",
            1,
            2,
            None,
            "Clause 4.1 of the regulation: uploads to “Contest” begin on",
        ),
        (
            "qualification",
            -2,
            -1,
            None,
            "Clause 4.1 of the regulation: uploads to “Contest” ended on",
        ),
        ("qualification", -2, 2, -1, "Clause 4.1 of the regulation: uploads to “Contest” ended on"),
        ("finals", -1, 2, None, "Clause 6.3 of the regulation: the team “Lynx” is not admitted"),
    ],
)
def test_before_after_and_without_admission_nothing_is_taken(kind, starts, ends, closed, said):
    contest = qac()
    terms_of(phase_of(contest, kind, starts, ends, closed))

    assert refusal_of(team_of(contest)).startswith(said)


def test_many_files_within_an_hour_are_slowed_down_though_none_of_them_counts(contest):
    lynx = team_of(contest)
    for _ in range(TRIES.tries):
        assert take(key=f"uploads:{lynx.pk}", limit=TRIES)

    assert refusal_of(lynx) == "You have sent 60 files within an hour. Wait a little."
    assert counted(lynx) == []


def test_the_same_name_of_a_program_gives_the_same_upload(contest):
    lynx = team_of(contest)
    key = ClientKey("one", "a" * 64)

    first, again = sent_by(lynx, client_key=key), sent_by(lynx, client_key=key)
    with pytest.raises(Conflict):
        sent_by(lynx, POOR, client_key=ClientKey("one", "b" * 64))

    assert (first, counted(lynx)) == (again, [(1, 1)])


def test_the_same_bytes_without_a_name_are_the_same_upload_even_when_all_is_used_up(contest):
    lynx, bear = team_of(contest), team_of(contest, "Bear")
    first, second = sent_by(lynx), sent_by(lynx, POOR)
    do_all()

    again = [sent_by(lynx), sent_by(lynx, POOR)]
    others = sent_by(bear)

    assert (again, counted(lynx), counted(bear)) == ([first, second], [(2, 2)], [(1, 1)])
    assert others not in again


def test_under_another_name_of_a_program_the_same_bytes_are_another_upload(contest):
    lynx = team_of(contest)
    for name in ("one", "two"):
        sent_by(lynx, client_key=ClientKey(name, "a" * 64))

    assert counted(lynx) == [(2, 2)]


@pytest.mark.parametrize("state", ["refused", "cancelled"])
def test_what_did_not_count_is_sent_anew(contest, state):
    lynx = team_of(contest)
    first = sent_by(lynx)
    Upload.objects.update(state=state)

    assert sent_by(lynx) != first


def test_members_upload_for_their_team_and_former_ones_do_not(contest):
    lynx = team_of(contest)
    ann, bob = PersonFactory(role="participant"), PersonFactory(role="participant")
    for person, left_at in ((ann, None), (bob, contest.announced_at)):
        Membership.objects.create(team=lynx, contest=contest, person=person, left_at=left_at)

    upload = sent_by(lynx, user=ann)

    assert (upload.team, upload.sent_by) == (lynx, ann)
    assert refusal_of(lynx, user=bob).startswith("You are in no team")


def test_the_key_stays_once_something_was_uploaded_and_the_quotas_may_change(contest):
    phase = contest.phases.get()
    terms = UploadTerms.objects.get()
    sent_by(team_of(contest))

    with pytest.raises(Refused, match="Something was uploaded"):
        terms_of(phase, key=KEY + b"\n")
    with pytest.raises(Refused, match="Something was uploaded"):
        terms_of(phase, public_share=0.25)
    changed = terms_of(phase, per_day=9, in_all=90, key=None)

    assert (changed.key, changed.seed, changed.per_day) == (terms.key, terms.seed, 9)


def test_terms_are_refused_for_no_key_a_bad_key_and_by_strangers():
    phase = phase_of(qac(), "qualification", -1, 5)

    for fields, said in (
        ({"key": None}, "Upload the key"),
        ({"in_all": 1}, "say at least as many in all"),
        ({"per_day": 0}, "At least one upload a day"),
        ({"key": b'QAC1-1-01: "'}, "line 1"),
        ({"actor": PersonFactory(role="coordinator")}, "are set by organisers"),
    ):
        with pytest.raises(Refused, match=said):
            terms_of(phase, **fields)
    assert not StoredKey.objects.exists()


def test_the_key_and_the_runs_of_a_contest_are_kept_and_offered_to_nobody(contest):
    key = UploadTerms.objects.get().key
    upload = sent_by(team_of(contest))

    with pytest.raises(Refused, match="offered to nobody"):
        offer_key(key=key, offered=True)
    with pytest.raises(Refused, match="it is kept"):
        drop_key(key=key)
    with pytest.raises(Refused, match="it is kept"):
        drop_run(run=upload.run)
    with pytest.raises(DatabaseError), transaction.atomic():
        Upload.objects.update(digest="0" * 64)


def test_the_board_has_the_best_upload_of_every_team_and_the_final_part_once_it_is_closed(contest):
    phase = contest.phases.get()
    UploadTerms.objects.update(public_share=0.5, seed=3)
    lynx, bear, fox = (team_of(contest, name) for name in ("Lynx", "Bear", "Fox"))
    for whose, data in ((lynx, POOR), (lynx, GOOD), (bear, GOOD), (fox, POOR)):
        sent_by(whose, data)
    do_all()

    open_board = board_of(phase)
    phase.closed_at = contest.announced_at
    closed = board_of(phase)

    told = [(line.place, line.team, line.uploads) for line in open_board.public]
    assert told == [(1, "Bear", 1), (1, "Lynx", 2), (3, "Fox", 1)]
    assert open_board.final is None
    best = Upload.objects.get(pk=closed.public[0].number)
    finals = {line.team: line.score for line in closed.final}
    assert finals["Bear"] == best.final


def test_programs_upload_by_the_api_and_read_no_final_part_before_the_end(contest, client):
    lynx = team_of(contest)
    head = {"authorization": f"Token {key_of(lynx.account)}"}
    address = f"/api/contests/{contest.slug}/uploads/"

    made = client.post(address, {"file": SimpleUploadedFile("a.txt", GOOD)}, headers=head)
    again = client.post(address, {"file": SimpleUploadedFile("b.txt", GOOD)}, headers=head)
    other = {"file": SimpleUploadedFile("a.txt", GOOD), "scheme": "use"}
    refused = client.post(address, other, headers=head)
    empty = client.post(address, {}, headers=head)
    do_all()
    (line,) = client.get(address, headers=head).json()["results"]
    Phase.objects.update(closed_at=contest.announced_at + timedelta(days=1))
    (closed,) = client.get(address, headers=head).json()["results"]

    assert (made.status_code, refused.status_code, empty.status_code) == (201, 422, 400)
    assert (again.status_code, again.json()) == (200, made.json())
    assert (line["team"], line["phase"], line["state"]) == ("Lynx", "qualification", "scored")
    assert (line["final"], line["problems"]) == (None, [])
    assert closed["final"] == Upload.objects.get().final
    stranger = {"authorization": f"Token {key_of(team_of(qac()).account)}"}
    assert client.get(address, headers=stranger).status_code == 404


def key_of(person):
    return issue_token(user=person, name="program")


def test_over_quota_is_a_code_of_its_own(contest):
    lynx = team_of(contest)
    for data in (GOOD, POOR):
        sent_by(lynx, data)

    with pytest.raises(OverQuota) as refused:
        sent_by(lynx, OTHER)

    assert refused.value.code == "over-quota"


def test_neither_part_of_a_key_is_empty_and_a_seed_that_serves_stays():
    phase = phase_of(qac(), "qualification", -1, 5)
    names = [f"QAC1-{number}-01" for number in range(1, 6)]
    key = "".join(f'{name}: "{name}"\n' for name in names[:2]).encode()

    made = [terms_of(phase, key=key + b"\n" * number).seed for number in range(20)]
    kept = terms_of(phase, key=None, per_day=3).seed
    changed = terms_of(phase, key=None, public_share=0.1)

    def parts(seed, share):
        return {is_public(name, seed=seed, share=share) for name in names[:2]}

    assert [parts(seed, 0.5) for seed in made] == [{True, False}] * 20
    assert kept == made[-1]
    assert parts(changed.seed, 0.1) == {True, False}
    with pytest.raises(Refused, match="the key needs two items or more"):
        terms_of(phase, key=key.split(b"\n")[0] + b"\n")
    with pytest.raises(Refused, match="one part of the key is empty"):
        terms_of(phase, key=None, public_share=1)
    assert UploadTerms.objects.get().seed == changed.seed
