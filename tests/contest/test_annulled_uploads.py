"""Organisers annul uploads as they annul sessions (R 9.5): the same act, the same question."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from contest.models import Annulment, Contest, PhaseProtocol, Upload
from contest.queries.phase_contents import content_of
from contest.queries.readiness import conclusions_of
from contest.queries.uploads import board_of
from contest.services.annulling import (
    annul_solution,
    exclude_team,
    lift_annulment,
    take_team_back,
)
from contest.services.publication_files import markups_of_team
from scoring.core.entries import Annulment as Told
from scoring.queries.tables import star_table
from tests.contest import markup_world
from tests.contest.data_world import qac, taking_uploads
from tests.contest.phases import COURSE, say
from tests.contest.test_uploads import GOOD, POOR, counted, key_of, sent_by, team_of
from tests.factories import PersonFactory, submitted
from tests.pages import page_of
from tests.schemes.inputs import do_all
from tests.scoring.work import order, run_all
from tests.strategies import fragment
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db
WHY = {"reason": "Marked by hand", "protocol": "No. 5"}


@pytest.fixture
def contest():
    """A contest of QAC, to which Lynx uploaded a poor and a good file and Bear a good one."""
    made = taking_uploads(shows_test_board=True)
    lynx, bear = (team_of(made, name) for name in ("Lynx", "Bear"))
    for whose, data in ((lynx, POOR), (lynx, GOOD), (bear, GOOD)):
        sent_by(whose, data)
    do_all()
    return made


@pytest.fixture
def organiser():
    return PersonFactory(role="organiser")


def best_of(contest, name="Lynx"):
    return contest.phases.get().uploads.filter(team__name=name).order_by("pk").last()


def lines_of(contest):
    return [(line.team, line.place, line.uploads) for line in board_of(contest.phases.get()).public]


def address_of(upload, act="annul"):
    slug = upload.phase.contest.slug
    return f"/contests/{slug}/manage/uploads/{upload.pk}/{act}/"


def test_an_annulled_upload_stands_apart_and_the_best_of_the_others_counts(contest, organiser):
    upload = best_of(contest)

    annul_solution(contest=contest, solution=upload, actor=organiser, **WHY)

    board = board_of(contest.phases.get())
    assert lines_of(contest) == [("Bear", 1, 1), ("Lynx", 2, 1)]
    told = [(each.team, each.name, each.reason, each.protocol) for each in board.annulled]
    assert told == [("Lynx", upload.name, "Marked by hand", "No. 5")]
    assert counted(upload.team) == [(2, 2)]  # it stays in the quotas
    assert content_of(contest.phases.get())["uploads"]["annulled"] == [
        {"team": "Lynx", "name": upload.name, "reason": "Marked by hand", "protocol": "No. 5"}
    ]


def test_where_a_key_scores_the_page_says_that_the_board_follows_at_once(
    contest, log_in, organiser
):
    page = page_of(log_in(organiser).get(f"/contests/{contest.slug}/manage/solutions/"))

    assert "stands apart on the board at once." in page.one("main .page-head p").text


@pytest.mark.parametrize("make", [taking_uploads, markup_world.markups_contest])
def test_who_excludes_a_team_where_there_are_no_sessions_reads_of_none(make, log_in, organiser):
    made = make()
    team = markup_world.team_of(made)

    asked = log_in(organiser).get(f"/contests/{made.slug}/manage/teams/{team.pk}/exclude/")

    assert [each.text for each in page_of(asked).find("main .panel p")] == [
        (
            "The team “Lynx” uploads nothing any more, and all its uploads stand apart on the "
            "boards. Its account is closed: its keys to the API end at once. It is taken back as "
            "long as the results are not final."
        ),
    ]


def test_a_team_whose_only_upload_is_annulled_has_none_that_was_scored(contest, organiser):
    upload = best_of(contest, "Bear")
    before = conclusions_of([upload.team])[upload.team_id]

    annul_solution(contest=contest, solution=upload, actor=organiser, **WHY)

    after = conclusions_of([upload.team])[upload.team_id]
    assert before != after
    assert after == conclusions_of([team_of(contest, "Hare")]).popitem()[1]


def test_it_is_taken_back_as_long_as_nothing_is_final(contest, organiser):
    upload, said = best_of(contest), {"contest": contest, "actor": organiser}
    before = lines_of(contest)
    annul_solution(solution=upload, **said, **WHY)
    with pytest.raises(Conflict, match="annulled already"):
        annul_solution(solution=upload, **said, **WHY)

    lift_annulment(solution=upload, reason="A mistake", **said)

    assert lines_of(contest) == before
    with pytest.raises(Conflict, match="not annulled any more"):
        lift_annulment(solution=upload, reason="Again", **said)
    annul_solution(solution=upload, **said, **WHY)
    Contest.objects.filter(pk=contest.pk).update(final_at=timezone.now())
    with pytest.raises(Refused, match="are final"):
        lift_annulment(solution=upload, reason="Late", **said)


@pytest.mark.parametrize(
    ("state", "words"), [("waiting", "still under way"), ("refused", "does not count anyway")]
)
def test_what_does_not_count_is_not_annulled(contest, organiser, state, words):
    upload = best_of(contest)
    upload.state = state

    with pytest.raises(Refused, match=words):
        annul_solution(contest=contest, solution=upload, actor=organiser, **WHY)

    assert Annulment.objects.count() == 0


def test_the_question_comes_first_and_the_team_and_everybody_read_why(contest, organiser, log_in):
    browser, upload = log_in(organiser), best_of(contest)
    solutions = f"/contests/{contest.slug}/manage/solutions/"

    listed = page_of(browser.get(solutions))
    asked = page_of(browser.get(address_of(upload))).text
    refused = browser.post(address_of(upload), {"reason": "Marked by hand"})
    done = browser.post(address_of(upload), WHY)

    assert len(listed.find(f'a[href="{address_of(upload)}"]')) == 1
    assert "Annul the solution?" in asked
    assert "the best of its other uploads counts" in asked
    assert (refused.status_code, done.status_code, done.url) == (422, 302, solutions)
    told = "annulled: Marked by hand (protocol No. 5)"
    assert told in page_of(browser.get(solutions)).text
    own = log_in(upload.team.account)
    assert told in page_of(own.get(f"/contests/{contest.slug}/uploads/")).text
    assert told in page_of(own.get(f"/contests/{contest.slug}/uploads/board/")).text
    assert (
        f"{upload.name}: Marked by hand" in page_of(own.get(f"/contests/{contest.slug}/team/")).text
    )
    assert "Let the solution stand again?" in page_of(browser.get(address_of(upload))).text
    assert browser.post(address_of(upload, "restore"), {"reason": "A mistake"}).status_code == 302
    cabinet = page_of(own.get(f"/contests/{contest.slug}/team/")).text
    assert (f"{upload.name}: Marked by hand" in cabinet, "Taken back: A mistake" in cabinet) == (
        *(True, True),
    )


def test_an_excluded_team_stands_apart_on_the_board_with_the_reason(contest, organiser, log_in):
    team = best_of(contest, "Bear").team
    exclude_team(contest=contest, team=team, actor=organiser, **WHY)

    page = page_of(log_in(organiser).get(f"/contests/{contest.slug}/uploads/board/")).one("main")

    assert "Excluded teams Bear: excluded: Marked by hand (protocol No. 5)" in page.text
    assert [line.team for line in board_of(contest.phases.get()).public] == ["Lynx"]


def approved(contest):
    """The results of the phase are approved as they are."""
    contest.phases.update(ends_at=timezone.now())
    for kind, role in COURSE:
        say(contest, kind, role)


def shown(contest):
    board = board_of(contest.phases.get())
    return [
        [(each.team, each.place, each.score, each.uploads) for each in part]
        for part in (board.public, board.final)
    ]


def test_places_stay_as_they_were_approved_whatever_is_decided_since(contest, organiser, log_in):
    approved(contest)
    before = shown(contest)
    (first,) = PhaseProtocol.objects.all()
    upload, bear = best_of(contest), best_of(contest, "Bear").team
    browser, address = log_in(organiser), f"/contests/{contest.slug}/uploads/board/"
    quiet = page_of(browser.get(address)).one("main").text
    asked = page_of(browser.get(address_of(upload))).one("main").text

    annul_solution(contest=contest, solution=upload, actor=organiser, **WHY)
    exclude_team(contest=contest, team=bear, actor=organiser, **WHY)
    told = page_of(browser.get(address)).one("main").text

    assert shown(contest) == before
    assert [[line[:2] for line in part] for part in before] == [[("Bear", 1), ("Lynx", 1)]] * 2
    rows = {each["team"]: each["final"] for each in json.loads(first.content)["uploads"]["rows"]}
    assert {team: score for team, _place, score, _uploads in before[1]} == rows
    assert "Since the results were approved" not in quiet
    assert "places on its board stay as the protocol has them" in asked
    since = told.partition("Since the results were approved")[2]
    assert "Places stay as the approved protocol has them (clause 8.2.5" in since
    assert f"Lynx, {upload.name}: annulled: Marked by hand (protocol No. 5)" in since
    assert "Bear: excluded: Marked by hand (protocol No. 5)" in since


def test_what_was_set_apart_before_the_approval_stays_so_when_it_is_taken_back(contest, organiser):
    upload, bear = best_of(contest), best_of(contest, "Bear").team
    said = {"contest": contest, "actor": organiser}
    annul_solution(solution=upload, **said, **WHY)
    exclude_team(team=bear, **said, **WHY)
    approved(contest)
    before = shown(contest)

    lift_annulment(solution=upload, reason="A mistake", **said)
    take_team_back(team=bear, reason="A mistake", **said)

    board = board_of(contest.phases.get())
    assert (shown(contest), before[0]) == (before, [("Lynx", 1, *before[0][0][2:])])
    assert [(each.team, each.name) for each in board.annulled] == [("Lynx", upload.name)]
    assert [each.team for each in board.excluded] == ["Bear"]
    since = board.since
    assert (since.lifted, since.taken_back) == ((("Lynx", upload.name),), ("Bear",))
    assert (since.annulled, since.excluded) == ((), ())


def test_who_excludes_a_team_reads_first_that_places_of_an_approved_phase_stay(
    contest, organiser, log_in
):
    bear = best_of(contest, "Bear").team
    address = f"/contests/{contest.slug}/manage/teams/{bear.pk}/exclude/"
    browser = log_in(organiser)

    before = page_of(browser.get(address)).one("main").text
    approved(contest)
    after = page_of(browser.get(address)).one("main").text

    words = "its board keeps the places its protocol has (clause 8.2.5"
    assert (words in before, words in after) == (False, True)


def told_since(contest, organiser, log_in):
    page = page_of(log_in(organiser).get(f"/contests/{contest.slug}/uploads/board/"))
    return page.one("main").text.partition("regulation).")[2].partition(" SHA-256")[0].strip()


def test_what_is_set_apart_anew_since_the_approval_is_not_said_to_stand_again(
    contest, organiser, log_in
):
    said, anew = {"contest": contest, "actor": organiser}, {"reason": "Anew", "protocol": "No. 6"}
    upload, bear = best_of(contest), best_of(contest, "Bear").team
    annul_solution(solution=upload, **said, **WHY)
    exclude_team(team=bear, **said, **WHY)
    approved(contest)
    lift_annulment(solution=upload, reason="A mistake", **said)
    take_team_back(team=bear, reason="A mistake", **said)

    annul_solution(solution=upload, **said, **anew)
    exclude_team(team=bear, **said, **anew)

    assert told_since(contest, organiser, log_in) == (
        f"Lynx, {upload.name}: annulled: Anew (protocol No. 6) "
        "Bear: excluded: Anew (protocol No. 6)"
    )


def test_of_two_annulled_uploads_of_a_team_the_one_is_named_that_stands_again(
    contest, organiser, log_in
):
    said = {"contest": contest, "actor": organiser}
    poor, good = contest.phases.get().uploads.filter(team__name="Lynx").order_by("pk")
    Upload.objects.filter(pk=poor.pk).update(name=good.name)
    for each in (poor, good):
        annul_solution(solution=each, **said, **WHY)
    approved(contest)

    lift_annulment(solution=poor, reason="A mistake", **said)

    told = f"Lynx, {good.name}: not annulled any more"
    assert told_since(contest, organiser, log_in) == told


def test_programs_are_told_that_an_upload_is_annulled_and_why(contest, organiser, client):
    upload = best_of(contest)
    head = {"authorization": f"Token {key_of(upload.team.account)}"}
    address = f"/api/contests/{contest.slug}/uploads/"

    annul_solution(contest=contest, solution=upload, actor=organiser, **WHY)
    listed = client.get(address, headers=head).json()["results"]
    file = {"file": SimpleUploadedFile("a.txt", GOOD)}
    again = client.post(address, file, headers=head)
    lift_annulment(contest=contest, solution=upload, actor=organiser, reason="A mistake")
    lifted = client.get(address, headers=head).json()["results"]

    at = upload.annulments.get().at.isoformat().replace("+00:00", "Z")
    said = {**WHY, "at": at}
    assert [each["annulled"] for each in listed] == [said, None]
    assert (again.status_code, again.json()["annulled"]) == (200, said)
    assert [each["annulled"] for each in lifted] == [None, None]


def test_the_description_of_the_api_says_what_is_told_of_an_annulled_upload(client):
    described = client.get("/api/schema/?format=json").json()["components"]["schemas"]

    said = described["AnnulledUpload"]["properties"]
    assert sorted(said) == ["at", "protocol", "reason"]
    annulled = described["UploadLine"]["properties"]["annulled"]
    assert "AnnulledUpload" in str(annulled)
    assert annulled["nullable"] is True


def test_strangers_and_other_contests_annul_nothing(contest, organiser, log_in):
    upload, other = best_of(contest), qac()
    foreign = f"/contests/{other.slug}/manage/uploads/{upload.pk}/"

    answers = {
        (who, act): log_in(person).post(address, WHY).status_code
        for who, person in (("judge", PersonFactory(role="judge")), ("team", upload.team.account))
        for act, address in (("annul", address_of(upload)), ("lift", address_of(upload, "restore")))
    }
    elsewhere = [log_in(organiser).post(f"{foreign}{act}/", WHY) for act in ("annul", "restore")]

    assert set(answers.values()) == {403}
    assert [each.status_code for each in elsewhere] == [404, 404]
    assert Annulment.objects.count() == 0


def test_with_an_archive_of_markups_all_of_the_phase_stand_apart(organiser):
    contest = markup_world.markups_contest()
    held = markup_world.held_of(contest)
    lynx, bear = (markup_world.team_of(contest, name) for name in ("Lynx", "Bear"))
    uploads = [
        markup_world.sent_by(team, markup_world.zipped(contest, "А.грамм", "А.лекс"))
        for team in (lynx, bear)
    ]
    for essay in held.essays.all():
        for _expert in range(2):
            order(submitted(essay, fragment(3, 7, "А.грамм")))
    markup_world.work_off()
    run_all()
    upload = Upload.objects.get(pk=uploads[0].pk)

    annul_solution(contest=contest, solution=upload, actor=organiser, **WHY)

    table = star_table(held)
    assert [line.participant for line in table.standings] == [bear.account]
    assert [(each.participant, each.annulment) for each in table.apart] == [
        (lynx.account, Told(0, 0, "Marked by hand"))
    ]
    kept = [[each.author_id for each in markups_of_team(team, held)] for team in (lynx, bear)]
    assert kept == [[], [bear.account_id] * 2]
