"""Contests of essays without live sessions: archives of markups of a test set, with quotas."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.models import EssaySet
from contest.access import sets_taking_parcels_of
from contest.models import (
    Parcel,
    Publication,
    PublicationOrder,
    Upload,
    UploadTerms,
)
from contest.services.sessions.drawing import technical_essays
from contest.services.uploads.parcels import send_parcel
from contest.services.uploads.uploading import OverQuota, cancel_upload_of_job
from jobs.models import Job
from scoring.queries.tables import star_table
from tests.contest.data_world import contest_of, data_set_of, phase_of
from tests.contest.markup_world import (
    archive_of,
    counted,
    held_of,
    markups_contest,
    markups_of,
    sent_by,
    team_of,
    terms_of,
    work_off,
    zipped,
)
from tests.contest.team_world import a_team
from tests.factories import EssayFactory, PersonFactory, submitted
from tests.pages import page_of, texts_of
from tests.scoring.work import order, run_all
from tests.strategies import fragment
from web.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return markups_contest()


def test_markups_are_taken_in_and_count_once(contest):
    lynx = team_of(contest)

    upload = sent_by(lynx, zipped(contest, "А.грамм", "А.лекс"))
    work_off()

    upload.refresh_from_db()
    assert (upload.state, upload.run, upload.parcel.accepted) == ("taken", None, 2)
    assert markups_of(lynx) == [("0001", "А.грамм"), ("0002", "А.лекс")]
    assert counted(lynx) == [(1, 1)]


def test_of_each_essay_the_latest_markup_stands(contest):
    lynx = team_of(contest)
    for codes in (("А.грамм", "А.лекс"), ("А.орф",)):
        sent_by(lynx, zipped(contest, *codes))
        work_off()

    assert markups_of(lynx) == [("0001", "А.орф"), ("0002", "А.лекс")]
    assert counted(lynx) == [(2, 2)]


def test_an_archive_of_which_nothing_is_taken_counts_no_more(contest):
    lynx = team_of(contest)

    upload = sent_by(lynx, zipped(contest, **{"0001": b"[1", "0009": b"{}"}))
    before = counted(lynx)
    work_off()

    upload.refresh_from_db()
    assert (before, upload.state, counted(lynx)) == ([(1, 1)], "refused", [(0, 0)])
    assert upload.refusals() == ["No file of the archive was taken: it says why of each."]


def test_what_the_platform_gave_up_counts_no_more_and_may_be_sent_again(contest):
    lynx = team_of(contest)
    archive = zipped(contest, "А.грамм")
    upload = sent_by(lynx, archive)
    Job.objects.filter(pk=upload.parcel.job_id).update(state=Job.State.FAILED)
    for _ in range(2):
        cancel_upload_of_job(job_id=upload.parcel.job_id)
    given_up = counted(lynx)

    again = sent_by(lynx, archive)
    work_off()

    upload.refresh_from_db()
    again.refresh_from_db()
    assert (upload.state, given_up, again.state) == ("cancelled", [(0, 0)], "taken")
    assert counted(lynx) == [(1, 1)]


def told_of(lynx, files):
    """Of each file of an archive what became of it, and the problems it was refused for."""
    upload = sent_by(lynx, archive_of(files))
    work_off()
    return [
        (each.outcome, [(said["code"], said.get("fields", {})) for said in each.refused_for])
        for each in upload.parcel.files.order_by("position")
    ]


def test_who_has_no_text_that_is_not_published_learns_nothing_of_it(contest):
    lynx, text = team_of(contest), "He have a dog."
    far = {"startSelection": 0, "endSelection": 99, "type": "А.грамм"}
    missing = [("err-schema-validate", {"expected": "string", "missing": True})]
    other = [("text-other", {})]
    files = {
        "0001.json": ({"selections": []}, missing),
        "0002.json": ({"selections": [far]}, missing),
        "a/0001.json": ({"text": "A guess.", "selections": []}, other),
        "b/0001.json": ({"text": "A guess.", "selections": [far]}, other),
        "c/0001.json": ({"text": None, "meta": {"subject": "rus"}, "selections": []}, other),
        "d/0001.txt": ("A guess.", other),
        "e/0001.txt": ("He have a guess.", other),
    }
    # a faulty bracket reads alike, however much of the text stands before it
    faulty = {"f/0001.txt": "He (А.грамм have", "g/0001.txt": "No (А.грамм have"}

    told = told_of(lynx, {name: content for name, (content, _said) in files.items()} | faulty)

    assert told[:-2] == [("refused", said) for _content, said in files.values()]
    assert told[-2][0] == "refused"
    assert told[-2] == told[-1]
    assert told_of(lynx, {"0001.json": {"text": text, "selections": [far]}}) == [
        ("refused", [("bad-range", {"start": 0, "end": 99, "length": len(text)})])
    ]


def published(contest):
    """Its test essays were published just now."""
    kind = Publication.Kind.TEST
    made = Publication.objects.create(
        contest=contest, kind=kind, file="test.zip", size=1, essays=2, checksum=""
    )
    PublicationOrder.objects.create(
        contest=contest,
        kind=kind,
        ordered_by=PersonFactory(role="organiser"),
        publication=made,
        ordered_at=timezone.now() + timedelta(seconds=5),
        finished_at=timezone.now(),
    )


def test_an_essay_that_came_after_the_publication_is_given_to_nobody(contest):
    published(contest)
    later = timezone.now() + timedelta(seconds=9)
    EssayFactory(essay_set=held_of(contest), number="0003", imported_at=later)

    told = told_of(team_of(contest), {"0003.json": {"selections": []}})

    assert told == [("refused", [("err-schema-validate", {"expected": "string", "missing": True})])]


def test_once_texts_are_published_it_is_told_where_a_text_differs(contest):
    published(contest)

    (outcome, ((code, fields),)) = told_of(team_of(contest), {"0001.txt": "He has a dog."})[0]

    assert (outcome, code) == ("refused", "text-changed")
    assert (fields["line"], fields["theirs"], fields["ours"]) == (1, "have a dog.", "has a dog.")


def test_the_same_archive_while_it_waits_is_the_same_upload(contest):
    lynx = team_of(contest)
    archive = zipped(contest, "А.грамм")

    assert sent_by(lynx, archive) == sent_by(lynx, archive)
    assert counted(lynx) == [(1, 1)]


def test_the_archive_that_stands_is_the_same_upload_and_a_former_one_is_returned_to(contest):
    UploadTerms.objects.update(per_day=3)
    lynx = team_of(contest)
    archives = [zipped(contest, code) for code in ("А.грамм", "А.орф")]
    numbers = []
    for index in (0, 0, 1, 0):
        upload = sent_by(lynx, archives[index])
        work_off()
        numbers.append(upload.pk)

    assert numbers[0] == numbers[1]
    assert (len(set(numbers)), counted(lynx)) == (3, [(3, 3)])
    assert markups_of(lynx) == [("0001", "А.грамм")]


def test_an_archive_of_which_a_part_was_refused_is_taken_anew(contest):
    lynx = team_of(contest)
    archive = zipped(contest, "А.грамм", **{"0009": b"{}"})
    first = sent_by(lynx, archive)
    work_off()

    assert sent_by(lynx, archive) != first


def test_over_the_quota_nothing_is_kept_and_the_reset_is_named(contest):
    lynx = team_of(contest)
    for code in ("А.грамм", "А.лекс"):
        sent_by(lynx, zipped(contest, code))

    with pytest.raises(OverQuota, match=r"its 2 uploads of today; .*\(MSK\) on\."):
        sent_by(lynx, zipped(contest, "А.орф"))

    assert (Parcel.objects.count(), counted(lynx)) == (2, [(2, 2)])


def test_each_refusal_is_by_name_and_counts_nothing(contest):
    lynx, archive = team_of(contest), zipped(contest, "А.грамм")
    cheats = team_of(contest, "C", excluded_at=contest.announced_at, excluded_because="x")
    late = contest_of(live=False, name_en="Late")
    held = data_set_of(late, "test", state="open").essay_set
    terms_of(phase_of(late, "qualification", -3, -1), held)
    cases = [
        (lynx, b"no archive", "not a ZIP archive"),
        (lynx, b"", "The file is empty"),
        (cheats, archive, "Clause 9.5"),
        (team_of(late), archive, "nothing is taken after the end"),
        (team_of(contest_of(live=True)), archive, "markups are sent as archives or in sessions"),
    ]

    for sender, data, words in cases:
        with pytest.raises(Refused, match=words):
            sent_by(sender, data)
    EssaySet.objects.update(state="closed")
    with pytest.raises(Refused, match="is not open: nothing is handed in for it now"):
        sent_by(lynx, archive)

    assert (Upload.objects.count(), Parcel.objects.count(), counted(lynx)) == (0, 0, [])


def test_the_terms_name_a_test_set_that_stays_once_something_was_uploaded(contest):
    phase, held = contest.phases.get(), held_of(contest)
    other = data_set_of(contest, "test").essay_set
    training = data_set_of(contest, "training").essay_set

    for wrong in (training, data_set_of(contest_of(live=False), "test").essay_set):
        with pytest.raises(Refused, match="is no test set of the contest"):
            terms_of(phase, wrong)
    finals = phase_of(contest, "finals")
    with pytest.raises(Refused, match=r"Choose the set whose markups are uploaded\.$"):
        terms_of(finals, None)
    with pytest.raises(Refused, match=r"^Clause 2\.8 of the regulation: finals are held on the"):
        terms_of(finals, held)
    sent_by(team_of(contest), zipped(contest, "А.грамм"))
    with pytest.raises(Refused, match="the set stays as it is"):
        terms_of(phase, other)
    changed = terms_of(phase, None, per_day=9, in_all=90)

    assert (changed.essay_set, changed.key, changed.per_day) == (held, None, 9)
    with pytest.raises(DatabaseError), transaction.atomic():
        UploadTerms.objects.update(essay_set=None)


def test_no_other_door_passes_the_quotas_by(contest):
    lynx = team_of(contest)
    held = held_of(contest)
    archive = io.BytesIO(zipped(contest, "А.грамм"))

    with pytest.raises(Refused, match="takes no archives of markups"):
        send_parcel(participant=lynx.account, essay_set=held, name="a.zip", stream=archive)
    EssaySet.objects.filter(pk=held.pk).update(access="open")

    assert not sets_taking_parcels_of(lynx.account).exists()
    assert not technical_essays(lynx.account).exists()


def test_a_team_sends_on_the_page_and_reads_both_counters(contest, log_in):
    lynx = team_of(contest)
    other = team_of(contest_of(live=False))
    browser, address = log_in(lynx.account), f"/contests/{contest.slug}/uploads/"
    data = zipped(contest, "А.грамм", **{"9": b"{}"})

    done = browser.post(f"{address}send/", {"file": SimpleUploadedFile("mine.zip", data)})
    work_off()
    page = page_of(browser.get(address))

    assert (done.status_code, done.url) == (302, address)
    quota = page.one("#quota-qualification").text
    assert quota.startswith("Today 1 of 2, in all 1 of 3. The day’s begin anew on")
    assert [each.text for each in page.find("#sent tbody td")][-3:] == ["taken in", "1", "1"]
    archive = page.one("#sent tbody a")["href"]
    assert browser.get(archive).status_code == 200
    assert log_in(other.account).get(address).status_code == 404
    assert log_in(PersonFactory()).get(address).status_code == 404
    judge = log_in(PersonFactory(role="judge"))
    assert texts_of(judge.get(address), "#sent tbody td")[0] == "Lynx"
    assert judge.get(f"{address}board/").status_code == 404


def test_uploads_lead_members_to_their_files_for_whichever_team_they_act(contest, log_in):
    anna = PersonFactory(role="participant")
    a_team(contest_of(live=False), "Alfa", captain=anna)
    lynx = a_team(contest, "Beta", captain=anna)
    sent_by(lynx, zipped(contest, "А.грамм"))
    work_off()
    browser = log_in(anna)

    page = page_of(browser.get(f"/contests/{contest.slug}/uploads/"))
    archive = page.one("#sent tbody a")["href"]

    assert browser.get(archive).status_code == 200
    assert log_in(lynx.account).get(archive).status_code == 200
    assert log_in(PersonFactory(role="participant")).get(archive).status_code == 404


def test_organisers_choose_the_set_on_the_page(contest, log_in):
    organiser = log_in(PersonFactory(role="organiser"))
    address = f"/contests/{contest.slug}/uploads/terms/qualification/"
    held = held_of(contest)

    shown = page_of(organiser.get(address))
    saved = organiser.post(address, {"essay_set": held.pk, "per_day": 7, "in_all": 70})
    live = contest_of()
    phase_of(live, "qualification", -1, 5)
    refused = organiser.get(f"/contests/{live.slug}/uploads/terms/qualification/")

    assert [each["name"] for each in shown.find("main .form [name]")] == [
        *("csrfmiddlewaretoken", "essay_set", "per_day", "in_all"),
    ]
    assert (saved.status_code, refused.status_code) == (302, 422)
    assert UploadTerms.objects.get().per_day == 7


def test_programs_send_an_archive_and_read_which_parcel_it_is(contest, log_in):
    lynx = team_of(contest)
    browser, address = log_in(lynx.account), f"/api/contests/{contest.slug}/uploads/"
    file = SimpleUploadedFile("a.zip", zipped(contest, "А.грамм"))

    made = browser.post(address, {"file": file})
    work_off()
    (line,) = browser.get(address).json()["results"]

    parcel = Parcel.objects.get()
    assert (made.status_code, made.json()["state"]) == (201, "waiting")
    assert (line["state"], line["parcel"], line["public"]) == ("taken", parcel.pk, None)


def test_a_page_of_many_uploads_costs_what_one_of_few_does(contest, log_in):
    browser, address = log_in(PersonFactory(role="judge")), f"/contests/{contest.slug}/uploads/"
    sent_by(team_of(contest), zipped(contest, "А.грамм"))

    def queries():
        with CaptureQueriesContext(connection) as seen:
            assert browser.get(address).status_code == 200
        return len(seen)

    queries()
    few = queries()
    for number in range(8):
        sent_by(team_of(contest, f"Team {number}"), zipped(contest, "А.грамм"))

    assert queries() == few


def test_a_score_run_ranks_the_markups_that_were_uploaded(contest):
    lynx, bear = team_of(contest), team_of(contest, "Bear")
    held = held_of(contest)
    for essay in held.essays.all():
        for _expert in range(2):
            order(submitted(essay, fragment(3, 7, "А.грамм")))
    sent_by(lynx, zipped(contest, "А.грамм", "А.грамм"))
    sent_by(bear, zipped(contest, "А.лекс", "А.лекс"))
    work_off()
    run_all()

    found = star_table(held).standings

    assert [(each.participant.team.name, each.place) for each in found] == [
        ("Lynx", 1),
        ("Bear", 2),
    ]
