"""The finals of a contest: when, on what, for whom; started anew by both protocols (R 7)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from contest.core.moments import moment_of
from contest.models import Contest, ExchangeSession, Final, Phase
from contest.queries.judging import annulments_of
from contest.queries.solutions import field_of_set
from contest.services.contest_finals import (
    WantedRestart,
    WantedRun,
    cancel_contest_final,
    plan_contest_final,
    restart_contest_final,
)
from contest.services.contests import plan_phase
from contest.services.sessions import opening
from contest.services.sessions.refusals import SessionRefused
from tests.contest.running_world import (
    DAY,
    announced,
    now,
    over,
    person,
    prepared,
    team_in,
)
from tests.contest.world import Client, Mode
from tests.factories import (
    AssignmentFactory,
    DraftFactory,
    EssayFactory,
    EssaySetFactory,
    submitted,
)
from tests.pages import page_of
from web.refusals import Refused

pytestmark = pytest.mark.django_db
Kind = Final.Kind
ANEW = WantedRestart(now() + DAY, "A failure", "No. 1", "No. 2")


@pytest.fixture
def contest():
    return announced()


def run(contest, *, days=31.0, kind=Kind.FINAL, role="final", name="Finals", count=None):
    held = contest.data_sets.get(role=role).essay_set
    asked = WantedRun(name, held, now() + days * DAY, kind, count)
    return plan_contest_final(contest=contest, wanted=asked, actor=person("organiser"))


def begun(final):
    """The final as it is a minute after its start."""
    Final.objects.filter(pk=final.pk).update(starts_at=now() - timedelta(minutes=1))
    return Final.objects.get(pk=final.pk)


def test_admitted_teams_take_part_by_the_parameters_in_force(contest):
    team = team_in(contest)
    team_in(contest, "Hedgehog", admitted=False)
    gone = team_in(contest, "Owl")
    contest.teams.filter(pk=gone.pk).update(excluded_at=now(), excluded_because="Cheated")

    final = run(contest)

    assert [each.participant for each in final.admissions.all()] == [team.account]
    regulation = {"limit": 60, "interval": 60, "sends": 10, "share": 0.05, "window": 120}
    assert (final.rules, final.files.count()) == (regulation, 3)
    said = contest.announcements.first()
    assert (said.kind, said.title_en) == ("schedule", "Finals: Finals")
    assert "Files: 3, one every 60 seconds; an answer is taken for 60 seconds." in said.body_en
    assert "(МСК)" in said.body_ru


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"days": -1}, "The start is past"),
        ({"days": 9.9}, r"Clause 7\.5"),
        ({"role": "test"}, r"Clause 7\.3"),
        ({"kind": Kind.REHEARSAL}, r"Clause 7\.3"),
        ({"count": 4}, "has 3 essays"),
    ],
)
def test_a_final_that_cannot_be_is_refused_with_its_clause(contest, given, words):
    team_in(contest)

    with pytest.raises(Refused, match=words):
        run(contest, **given)

    assert (Final.objects.count(), contest.announcements.count()) == (0, 1)


@pytest.mark.parametrize("days", [29.9, 40 - 1 / 1440, 41])
def test_a_final_is_held_within_the_announced_dates_of_the_finals(contest, days):
    team_in(contest)

    with pytest.raises(Refused, match=r"The finals are announced from .* Plan the final within"):
        run(contest, days=days)
    run(contest, days=days, kind=Kind.REHEARSAL, role="training")

    assert Final.objects.filter(kind=Kind.FINAL).count() == 0


def test_no_rehearsal_gives_test_essays_before_the_qualification_begins(contest):
    team_in(contest)
    trial = {"kind": Kind.REHEARSAL, "role": "test"}

    with pytest.raises(Refused, match=r"Clause 2\.7 .* given from the qualification on"):
        run(contest, days=0.9, **trial)
    planned = run(contest, days=1.1, **trial)
    early = replace(ANEW, starts_at=now() + 0.9 * DAY)
    with pytest.raises(Refused, match=r"Clause 2\.7 .* given from the qualification on"):
        restart_contest_final(
            contest=contest, final=planned, wanted=early, actor=person("organiser")
        )

    assert Final.objects.get().cancelled_at is None


def test_dates_of_the_finals_are_not_moved_away_from_a_planned_final(contest):
    team_in(contest)
    final = run(contest)
    moved = {"contest": contest, "kind": Phase.Kind.FINALS, "actor": person("organiser")}

    first, last = now() + 30.5 * DAY, final.starts_at + final.files.count() * timedelta(minutes=1)
    for start, end in ((first + 20 * DAY, first + 30 * DAY), (first, last - timedelta(seconds=1))):
        with pytest.raises(Refused, match=r"“Finals” is held from .*: say dates it is within"):
            plan_phase(starts_at=start, ends_at=end, **moved)
    plan_phase(starts_at=first, ends_at=last, **moved)
    plan_phase(starts_at=now() + 30.5 * DAY, ends_at=now() + 60 * DAY, **moved)
    cancel_contest_final(contest=contest, final=final, reason="Late", actor=moved["actor"])
    plan_phase(starts_at=now() + 50 * DAY, ends_at=now() + 60 * DAY, **moved)

    assert contest.announcements.count() == 6


def test_a_final_needs_an_announced_contest_and_an_admitted_team(contest):
    with pytest.raises(Refused, match=r"Clause 7\.2"):
        run(contest)
    with pytest.raises(Refused, match="Announce the contest first"):
        run(prepared("autumn"))


def test_the_set_of_another_contest_and_of_another_subject_is_refused(contest):
    team_in(contest)
    other = announced("autumn").data_sets.get(role="final").essay_set
    asked = WantedRun("Finals", other, now() + 31 * DAY)

    with pytest.raises(Refused, match="does not belong to the contest"):
        plan_contest_final(contest=contest, wanted=asked, actor=person("organiser"))

    held = contest.data_sets.get(role="final").essay_set
    EssayFactory(essay_set=held, subject="lit", number="0007")
    with pytest.raises(Refused, match="the essay 0007 of the set"):
        run(contest)


@pytest.mark.parametrize("had", [AssignmentFactory, DraftFactory])
def test_finals_are_held_on_essays_no_expert_was_given(contest, had):
    team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    had(essay=EssayFactory(essay_set=held, number="0007"))

    with pytest.raises(Refused, match=r"Clause 2\.8 .* essay 0007 of the set"):
        run(contest)
    run(contest, days=1, kind=Kind.REHEARSAL, role="training")

    assert Final.objects.filter(kind=Kind.FINAL).count() == 0


def test_a_restart_takes_no_essay_that_an_expert_was_given(contest):
    team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    final = begun(run(contest))
    AssignmentFactory(essay=final.files.first().essay)
    (new,) = EssayFactory.create_batch(1, essay_set=held)
    EssayFactory.create_batch(2, essay_set=held)
    given = AssignmentFactory(essay=new)

    with pytest.raises(Refused, match=rf"Clause 2\.8 .* essay {new.number} of the set"):
        restart_contest_final(contest=contest, final=final, wanted=ANEW, actor=person("organiser"))
    assert _again(final).cancelled_at is None
    given.delete()
    made = restart_contest_final(
        contest=contest, final=final, wanted=ANEW, actor=person("organiser")
    )

    assert made.files.count() == 3


def test_no_two_runs_go_on_at_once_and_rehearsals_need_no_ten_days(contest):
    team_in(contest, admitted=False)
    run(contest, days=1, kind=Kind.REHEARSAL, role="training", name="Rehearsal")

    team_in(contest, "Owl")
    run(contest, days=31)
    with pytest.raises(Refused, match="at the same time as “Finals”"):
        run(contest, days=31 + 2 / 1440, name="Second")

    assert Final.objects.count() == 2


def test_a_restart_needs_both_protocols_and_no_ten_days(contest):
    team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    EssayFactory.create_batch(3, essay_set=held)
    final = begun(run(contest, count=3))
    actor = person("organiser")

    wanted = WantedRestart(now() + DAY, "A failure", "No. 1", " ")
    with pytest.raises(Refused) as refused:
        restart_contest_final(contest=contest, final=final, wanted=wanted, actor=actor)
    assert str(refused.value) == (
        "Clause 7.15.1 of the regulation: a restart needs both protocols. Name: protocol of the "
        "commission."
    )
    past = WantedRestart(now() - DAY, "A failure", "No. 1", "No. 2")
    with pytest.raises(Refused, match="The start is past"):
        restart_contest_final(contest=contest, final=final, wanted=past, actor=actor)
    made = restart_contest_final(contest=contest, final=final, wanted=ANEW, actor=actor)

    assert (made.former, made.basis.judges, made.basis.commission) == (final, "No. 1", "No. 2")
    files = [{*each.files.values_list("essay", flat=True)} for each in (final, made)]
    assert (len(files[1]), files[0] & files[1]) == (3, set())
    assert "The former run is void" in contest.announcements.first().body_en
    with pytest.raises(Refused, match="cancelled already"):
        restart_contest_final(contest=contest, final=_again(final), wanted=ANEW, actor=actor)


def test_answers_of_the_former_run_are_kept_and_count_nowhere(contest):
    team = team_in(contest)
    held = contest.data_sets.get(role="final").essay_set
    EssayFactory.create_batch(3, essay_set=held)
    final = run(contest, count=3)
    start = now() - timedelta(hours=1)
    Final.objects.filter(pk=final.pk).update(starts_at=start)
    client = Client(team.account, mode=Mode.FINAL, moment=moment_of(start))
    slot = client.next(1).slot
    client.send(slot, 5)
    old = client.session
    ExchangeSession.objects.filter(pk=old.pk).update(state="stopped", closed_at=now())

    made = restart_contest_final(
        contest=contest, final=_again(final), wanted=ANEW, actor=person("organiser")
    )

    field = field_of_set(held.pk)
    assert field.essays == {*made.files.values_list("essay", flat=True)}
    assert field.solutions == ()
    assert old.files.filter(answer__isnull=False).count() == 1
    asked = (team.account_id, old.origin, held.pk)
    assert annulments_of([asked])[asked].reason == "A failure"


def test_an_excluded_team_opens_no_final(contest):
    team = team_in(contest)
    final = run(contest)
    Final.objects.filter(pk=final.pk).update(starts_at=now() + timedelta(minutes=1))
    contest.teams.filter(pk=team.pk).update(excluded_at=now(), excluded_because="Cheated")

    with pytest.raises(SessionRefused) as refused:
        Client(team.account, mode=Mode.FINAL, final=final.pk)

    assert refused.value.code == "not-admitted"
    assert opening.open_session_of(team.account) is None


def test_a_cancelled_final_is_announced_and_one_of_another_contest_is_not_there(contest, log_in):
    team_in(contest)
    final = run(contest)
    other = announced("autumn")
    browser = log_in(person("organiser"))

    lost = browser.post(f"/contests/{other.slug}/manage/finals/{final.pk}/cancel/", {"reason": "x"})
    body = {"reason": "x", "starts_at": "2030-01-01T10:00"}
    also = browser.post(f"/contests/{other.slug}/manage/finals/{final.pk}/restart/", body)
    cancel_contest_final(contest=contest, final=final, reason="No power", actor=person("organiser"))

    assert (lost.status_code, also.status_code) == (404, 404)
    said = contest.announcements.first()
    assert (said.title_en, said.body_ru) == ("Cancelled: Finals", "No power")


def test_finals_of_a_contest_are_planned_on_its_own_page(contest, log_in):
    team = team_in(contest)
    browser = log_in(person("organiser"))
    held = contest.data_sets.get(role="final").essay_set
    local = (now() + 31 * DAY).strftime("%Y-%m-%dT%H:%M")
    body = {"name": "Elsewhere", "kind": "final", "essay_set": held.pk, "starts_at": local}
    general = {**body, "interval": 60, "limit": 60, "admitted": [team.account_id]}
    general |= {"sends": 10, "lost": 900}

    refused = browser.post("/exchange/finals/", general)
    planned = browser.post("/contests/spring/manage/finals/plan/", body)
    page = browser.get("/contests/spring/manage/finals/")

    assert refused.status_code == 422
    assert "on the contest’s own page" in refused.content.decode()
    assert (planned.status_code, page.status_code) == (302, 200)
    assert "Elsewhere" in page.content.decode()
    said = [each.text for each in page_of(page).find(".messages li")]
    assert said == ["“Elsewhere” is planned, and everybody is told."]
    final = Final.objects.get()
    listed = page_of(browser.get("/exchange/finals/"))
    assert [each["href"] for each in listed.find(".work tbody a")] == [
        "/contests/spring/manage/finals/"
    ]
    assert not listed.find(".work form")
    cancelled = browser.post(f"/exchange/finals/{final.pk}/cancel/", {"reason": "x"})
    assert cancelled.status_code == 422


def test_nothing_is_planned_once_results_are_final(contest):
    over(contest, "finals")
    team_in(contest)
    contest.final_at = now()
    contest.save()

    with pytest.raises(Refused, match="results of the contest are final"):
        run(contest)


def _again(final):
    return Final.objects.get(pk=final.pk)


def test_without_live_sessions_no_form_to_plan_a_final_is_shown(contest, log_in):
    browser = log_in(person("organiser"))
    address = "/contests/spring/manage/finals/"
    before = len(page_of(browser.get(address)).find("main form"))
    Contest.objects.filter(pk=contest.pk).update(live=False)

    shown = page_of(browser.get(address))
    refused = browser.post(f"{address}plan/", {})

    assert (before, len(shown.find("main form"))) == (1, 0)
    assert "no live sessions" in shown.one(".empty").text
    assert refused.status_code == 422


def test_namesakes_are_told_apart_where_a_final_of_the_platform_is_planned(contest, log_in):
    team_in(contest, "Lynx")
    person("participant", full_name="Lynx", username="lynx")

    shown = page_of(log_in(person("organiser")).get("/exchange/finals/"))

    labels = [each.text for each in shown.find("main form label") if each.text.startswith("Lynx")]
    assert sorted(labels) == ["Lynx (The contest)", "Lynx (lynx)"]


def test_a_final_of_the_platform_is_held_on_essays_no_expert_has_marked(log_in):
    held = EssaySetFactory(access="final", name="Marked")
    submitted(EssayFactory(essay_set=held, number="0007"), source="expert")
    fields = {"essay_set": held.pk, "starts_at": "2030-01-01T10:00", "interval": 60, "limit": 60}
    fields |= {"sends": 10, "lost": 900}
    asked = {**fields, "admitted": [person("participant").pk]}
    browser = log_in(person("organiser"))

    final = browser.post("/exchange/finals/", {**asked, "name": "One", "kind": "final"})
    rehearsal = browser.post("/exchange/finals/", {**asked, "name": "Two", "kind": "rehearsal"})

    assert (final.status_code, rehearsal.status_code) == (422, 302)
    assert "essay 0007 of the set “Marked” was given to one" in final.content.decode()
    assert [each.name for each in Final.objects.all()] == ["Two"]


def test_finals_of_two_contests_go_on_at_once_and_a_taken_name_is_refused_with_whose_it_is(contest):
    other = announced("autumn", name_en="The other")
    for each in (contest, other):
        team_in(each)
    run(contest)

    with pytest.raises(Refused) as refused:
        run(other)
    held = run(other, name="Finals of the other")

    assert str(refused.value) == (
        "The contest “The contest” has a final “Finals” already: on the platform each has a name "
        "of its own. Choose another one."
    )
    assert held.starts_at - Final.objects.get(name="Finals").starts_at < timedelta(minutes=1)
