"""The protocol of a phase: checked, verified, approved by three people (R 8.1, 8.2)."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from annotator.models import MarkupRecord
from contest.models import PhaseProtocol, PhaseVerdict, Team
from contest.services.annulling import exclude_team
from contest.services.uploads.uploading import Sent, send_upload
from review.core.canonical import canonical, digest_of
from scoring.models import RunPart
from tests.contest.data_world import phase_of, qac, terms_of
from tests.contest.phases import COURSE, applied, say
from tests.contest.running_world import DAY, announced, fresh, over, person, team_in
from tests.factories import AssignmentFactory, EssayFactory, submitted
from tests.pages import page_of
from tests.review.verdicts import settled_set
from tests.schemes.inputs import QAC_RESPONSES, do_all
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db
Kind = PhaseVerdict.Kind


@pytest.fixture
def contest():
    made = announced()
    team_in(made, "Lynx")
    team_in(made, "Owl", admitted=False)
    over(made, "qualification")
    return made


def test_three_people_bring_the_qualification_to_its_end_and_everybody_is_told(contest):
    before = list(contest.teams.values("name", "admitted_at"))

    for kind, role in COURSE:
        say(contest, kind, role)

    protocol = PhaseProtocol.objects.get()
    content = json.loads(protocol.content)
    assert [each["team"] for each in content["teams"]] == ["Lynx", "Owl"]
    assert (content["parameters"], content["boards"]) == (1, [])
    assert protocol.digest == digest_of(canonical(content))
    assert [each.kind for each in protocol.verdicts.all()] == [each for each, _role in COURSE]
    assert list(contest.teams.values("name", "admitted_at")) == before
    held = fresh(contest)
    assert (held.is_final, held.announcements.count()) == (False, 2)
    told = held.announcements.first()
    assert (told.kind, told.title_en) == (
        "results",
        "The results of the qualification are approved",
    )
    assert told.body_en == (
        "Judges checked them, the technical commission verified them. Admitted to the finals so "
        "far (clause 8.1.3 of the regulation): Lynx."
    )
    assert "Lynx" in told.body_ru


def test_where_nobody_is_admitted_yet_the_results_of_the_qualification_say_so(contest):
    contest.teams.update(admitted_at=None)

    for kind, role in COURSE:
        say(contest, kind, role)

    told = fresh(contest).announcements.first()
    assert told.body_en.endswith("Nobody is admitted to the finals yet (clause 8.1.3).")
    assert "Nobody" not in told.body_ru


@pytest.mark.parametrize(("has_finals", "names_teams"), [(True, True), (False, False)])
def test_of_finals_a_contest_without_any_says_nothing(has_finals, names_teams, log_in):
    made = qac()
    phase_of(made, "qualification", -3, 5)
    if has_finals:
        phase_of(made, "finals", 6, 9)
    over(made, "qualification")
    for kind, role in COURSE[:2]:
        say(made, kind, role)
    page = reverse("contest:say_of_phase", args=[made.slug, "qualification"])
    asked = log_in(person("organiser")).get(page, {"kind": "approved"}).content.decode()

    say(made, *COURSE[2])

    told = fresh(made).announcements.first().body_en
    assert ("teams that are admitted" in asked, "finals" in told) == (names_teams, names_teams)


def test_the_approved_finals_make_the_results_final_and_everybody_is_told(contest):
    over(contest, "finals")
    with pytest.raises(Refused, match="No score run counts"):
        say(contest, "checked", "judge", of="finals")
    applied(contest)

    for kind, role in COURSE:
        say(contest, kind, role, of="finals")

    held = fresh(contest)
    assert (held.is_final, held.announcements.first().kind) == (True, "results")
    (board,) = json.loads(PhaseProtocol.objects.get().content)["boards"]
    (row,) = board["rows"]
    assert (row["rank"], row["team"], row["star"]) == (1, "Lynx", 61.234567)
    with pytest.raises(Refused, match="are final"):
        say(contest, "returned", "commission", of="finals", reason="Late")


@pytest.mark.parametrize(
    ("said", "kind", "role", "words"),
    [
        (0, "verified", "commission", "Judges check the results first"),
        (0, "approved", "organiser", "Judges check the results first"),
        (1, "approved", "organiser", "The commission verifies the results next"),
        (0, "checked", "commission", "not you"),
        (1, "verified", "judge", "not you"),
        (0, "returned", "commission", "Nothing is checked that could be returned"),
        (1, "returned", "commission", "Say why it is returned"),
        (0, "checked", "expert", "not you"),
    ],
)
def test_what_is_out_of_turn_is_refused_by_name(contest, said, kind, role, words):
    for known, by in COURSE[:said]:
        say(contest, known, by)

    with pytest.raises(Refused, match=words):
        say(contest, kind, role)

    assert PhaseVerdict.objects.count() == said


def test_one_person_says_one_thing(contest):
    judge = person("judge")
    say(contest, "checked", "", actor=judge)
    judge.role = "commission"
    judge.save()

    for kind in ("verified", "returned"):
        with pytest.raises(Refused, match="somebody else goes on"):
            say(contest, kind, "", actor=judge, reason="Again")


def test_what_was_seen_before_somebody_else_spoke_is_not_said(contest):
    say(contest, "checked", "judge")

    with pytest.raises(Conflict, match="meanwhile"):
        say(contest, "checked", "judge", seen="")
    with pytest.raises(Conflict, match="This was said already"):
        say(contest, "checked", "judge")

    protocol = PhaseProtocol.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        protocol.verdicts.create(kind="checked", who=person("judge"))
    with pytest.raises(IntegrityError), transaction.atomic():
        PhaseProtocol.objects.create(phase=protocol.phase, content="{}", digest="0")


def test_a_returned_protocol_is_void_and_the_next_one_says_what_is_so_now(contest):
    say(contest, "checked", "judge")
    team = contest.teams.get(name="Owl")
    actor = person("organiser")
    exclude_team(contest=contest, team=team, reason="By hand", protocol="No. 5", actor=actor)
    with pytest.raises(Refused, match="return the protocol"):
        say(contest, "verified", "commission")

    say(contest, "returned", "commission", reason="Owl is excluded")
    for kind, role in COURSE:
        say(contest, kind, role)

    new, old = PhaseProtocol.objects.all()
    assert (old.voided_at is None, new.voided_at) == (False, None)
    teams = json.loads(new.content)["teams"]
    assert [each["excluded"] for each in teams] == [
        None,
        {"reason": "By hand", "protocol": "No. 5"},
    ]


def test_a_phase_that_is_not_over_is_not_checked(contest):
    with pytest.raises(Refused, match="not over yet"):
        say(contest, "checked", "judge", of="finals")


@pytest.mark.usefixtures("contest")
def test_the_pages_lead_a_protocol_from_the_judge_to_its_paper(log_in):
    address = "/contests/spring/protocols/qualification/"
    judge, commission = log_in(person("judge")), log_in(person("commission"))

    waiting = judge.get("/verdicts/").content.decode()
    seen = page_of(judge.get(address)).one("main input[name=seen]")["value"]
    checked = judge.post(f"{address}say/", {"kind": "checked", "seen": seen})
    protocol = PhaseProtocol.objects.get()
    also = commission.get("/verdicts/").content.decode()
    paper = judge.get(f"{address}{protocol.pk}/").content.decode()
    kept = judge.get(f"{address}{protocol.pk}/file/")

    line = "Results of the qualification of “The contest”"
    assert (line in waiting, line in also, checked.status_code) == (True, True, 302)
    assert line not in judge.get("/verdicts/").content.decode()
    assert protocol.digest in paper
    assert digest_of(kept.content.decode()) == protocol.digest
    assert "The results are right" not in judge.get(address).content.decode()
    assert "Verify the results" in commission.get(address).content.decode()


def test_the_page_says_what_is_missing_and_offers_no_press_that_would_be_refused(contest, log_in):
    address = "/contests/spring/protocols/finals/"
    judge, organiser = log_in(person("judge")), log_in(person("organiser"))

    def told(browser):
        panel = page_of(browser.get(address)).one("main").text
        return panel, "The results are right" in panel

    early = "The phase is not over yet: its results are checked afterwards."
    unscored = "No score run counts for the final set yet: apply one first."
    assert [early in told(each)[0] for each in (judge, organiser)] == [True, True]
    over(contest, "finals")
    assert (unscored in told(judge)[0], told(judge)[1]) == (True, False)
    applied(contest)

    assert (unscored in told(judge)[0], told(judge)[1]) == (False, True)


def test_the_page_says_by_when_the_results_of_the_finals_are_due(contest, log_in):
    over(contest, "finals")
    contest.data_sets.filter(role="final").update(essay_set=settled_set())
    monday = datetime(2026, 9, 7, 10, tzinfo=UTC)
    MarkupRecord.objects.update(submitted_at=monday)

    page = page_of(log_in(person("judge")).get("/contests/spring/protocols/finals/"))

    told = "Results are due 14 Sep 2026, 23:59: 5 working days after the last check"
    assert told in page.one("main").text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Protocol of the qualification of “The contest”"),
        ("ru", "Протокол: отборочный этап, «Конкурс»"),
    ],
)
def test_the_paper_of_a_protocol_is_there_in_both_languages(contest, language, words):
    say(contest, "checked", "judge")
    browser = Client(headers={"accept-language": language})
    browser.force_login(person("organiser"))
    number = PhaseProtocol.objects.get().pk

    page = page_of(browser.get(f"/contests/spring/protocols/qualification/{number}/"))

    assert words in page.one("article.sheet h1").text
    assert page.one("html")["lang"] == language


def test_the_paper_names_sessions_in_words(contest, log_in):
    say(contest, "checked", "judge")
    content = json.loads(PhaseProtocol.objects.get().content)
    files = {"files": 3, "annulled_files": 1, "annulled_by_rule": False, "annulment": []}
    held = {"session": "session-7", "run": "Dress", "counts": True, "closed": None, **files}
    content["teams"][0]["sessions"] = [held]
    kept = canonical(content)
    finals = contest.phases.get(kind="finals")
    made = PhaseProtocol.objects.create(phase=finals, content=kept, digest=digest_of(kept))

    page = page_of(log_in(person("judge")).get(f"/contests/spring/protocols/finals/{made.pk}/"))

    said = [" ".join(each.text.split()) for each in page.find("article td .about")]
    assert said == ["session 7 (Dress): 1 of 3 files annulled"]


def test_strangers_see_no_protocol_and_other_contests_have_their_own(contest, log_in):
    say(contest, "checked", "judge")
    protocol = PhaseProtocol.objects.get()
    announced("autumn")
    judge = log_in(person("judge"))
    address = f"protocols/qualification/{protocol.pk}/"

    for role in ("participant", "expert", "coordinator"):
        stranger = log_in(person(role))
        assert stranger.get(f"/contests/spring/{address}").status_code == 403
    assert judge.get(f"/contests/autumn/{address}").status_code == 404
    assert judge.get(f"/contests/autumn/{address}file/").status_code == 404
    assert judge.get("/contests/spring/protocols/rehearsal/").status_code == 404


def test_a_page_of_many_teams_asks_as_many_questions_as_one_of_few(
    contest, log_in, django_assert_max_num_queries
):
    for number in range(30):
        team_in(contest, f"Team {number}")
    browser, address = log_in(person("judge")), "/contests/spring/protocols/qualification/"

    with django_assert_max_num_queries(40):
        seen = page_of(browser.get(address)).one("main input[name=seen]")["value"]
    with django_assert_max_num_queries(40):
        answer = browser.post(f"{address}say/", {"kind": "checked", "seen": seen})

    assert answer.status_code == 302


def test_the_finals_are_not_checked_while_an_expert_still_marks(contest):
    over(contest, "finals")
    applied(contest)
    essay = EssayFactory(essay_set=contest.data_sets.get(role="final").essay_set)
    third = AssignmentFactory(essay=essay, role="third")

    with pytest.raises(Refused, match=r"^Clause 7\.10 of the regulation: experts still mark"):
        say(contest, "checked", "judge", of="finals")
    assert not PhaseProtocol.objects.exists()
    type(third).objects.update(state="submitted")
    say(contest, "checked", "judge", of="finals")

    assert PhaseProtocol.objects.get().phase.kind == "finals"


def test_a_run_that_a_check_has_overtaken_is_no_result_of_the_finals(contest):
    over(contest, "finals")
    run = applied(contest)
    essay = EssayFactory(essay_set=run.essay_set)
    submitted(essay, source="expert")
    MarkupRecord.objects.update(submitted_at=run.ordered_at + DAY)

    with pytest.raises(Refused, match="Checks came in after the score run that counts was ordered"):
        say(contest, "checked", "judge", of="finals")
    MarkupRecord.objects.update(submitted_at=run.ordered_at - DAY)
    say(contest, "checked", "judge", of="finals")

    assert PhaseProtocol.objects.get().phase.kind == "finals"


def test_a_run_that_was_returned_is_no_result_of_the_finals(contest):
    over(contest, "finals")
    run = applied(contest)
    run.verdicts.create(kind="returned", reason="Look at essay 7.", who=person("judge"))

    with pytest.raises(Refused, match=f"Score run {run.pk} of the set “.+” was returned"):
        say(contest, "checked", "judge", of="finals")

    assert not PhaseProtocol.objects.exists()


@pytest.mark.parametrize("fixed", ["one of the two", "none: unmarked"])
def test_a_check_that_could_be_recalled_when_the_run_was_ordered_is_not_forgotten(contest, fixed):
    over(contest, "finals")
    run = applied(contest)
    essay = EssayFactory(essay_set=run.essay_set)
    first, second = (submitted(essay, source="expert") for _expert in range(2))
    MarkupRecord.objects.update(submitted_at=run.ordered_at - timedelta(seconds=30))
    part = run.parts.create(number=0, essays=1, content=[])
    if fixed.startswith("one"):
        told = {"essay": essay.pk, "number": essay.number, "experts": [first.pk], "answers": []}
        RunPart.objects.update(content=[told])
    else:
        run.left_out = [{"why": "no-expert", "what": [essay.number]}]
        run.save()

    with pytest.raises(Refused, match="Checks came in after the score run that counts was ordered"):
        say(contest, "checked", "judge", of="finals")
    told = {"essay": essay.pk, "number": essay.number, "answers": []}
    part.content = [{**told, "experts": [first.pk, second.pk]}]
    part.save()
    say(contest, "checked", "judge", of="finals")

    assert PhaseProtocol.objects.get().phase.kind == "finals"


def test_the_protocol_of_uploaded_predictions_has_both_parts_and_waits_for_what_is_read():
    made = qac()
    phase = phase_of(made, "finals", -3, 5)
    terms_of(phase)
    lynx = Team.objects.create(
        contest=made, name="Lynx", account=person("participant"), admitted_at=made.announced_at
    )
    sent = Sent("answers.txt", QAC_RESPONSES.encode())
    upload, _is_new = send_upload(contest=made, user=lynx.account, sent=sent)
    over(made, "finals")

    with pytest.raises(Refused, match="still being read"):
        say(made, "checked", "judge", of="finals")
    do_all()
    say(made, "checked", "judge", of="finals")

    upload.refresh_from_db()
    told = json.loads(PhaseProtocol.objects.get().content)["uploads"]
    assert told["rows"] == [
        {
            "rank": 1,
            "team": "Lynx",
            "final": upload.final,
            "public": upload.public,
            "uploads": 1,
        }
    ]
    assert told["key"] == phase.upload_terms.digest
