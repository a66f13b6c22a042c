"""A final is cancelled or started anew: what the page refuses, and what is told of a void run."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override

from contest.core.moments import moment_of
from contest.models import Contest, ExchangeSession, Final, Phase, PhaseProtocol
from contest.services.announcing import told_by
from contest.services.contest_finals import (
    WantedRestart,
    cancel_contest_final,
    restart_contest_final,
)
from contest.services.contests import plan_phase
from contest.services.sessions.finals import restart_final
from scoring.models import StandingBoard
from tests.contest.phases import say
from tests.contest.running_world import DAY, announced, now, over, person, team_in
from tests.contest.team_world import a_session
from tests.contest.test_contest_finals import ANEW, begun, run
from tests.contest.test_solutions import HIT, MISS, closed
from tests.contest.world import Client, Mode
from tests.factories import EssayFactory, submitted
from tests.pages import page_of
from tests.scoring.runs import done_run
from web.refusals import Conflict, Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest():
    return announced()


@pytest.mark.parametrize(
    ("wrong", "field", "words"),
    [
        ({"judges": "No" * 101}, "judges", "at most 200 characters (it has 202)"),
        ({"starts_at": "2030-13-01T10:00"}, "starts_at", "Enter a valid date/time."),
        ({"reason": ""}, "reason", "This field is required."),
        ({"commission": ""}, "", "a restart needs both protocols. Name: protocol of the comm"),
    ],
)
def test_a_restart_that_is_refused_is_told_beside_its_field_and_keeps_what_was_typed(
    contest, log_in, wrong, field, words
):
    team_in(contest)
    final = run(contest)
    body = {"reason": "A failure", "judges": "No. 1", "commission": "No. 2"}
    body |= {"starts_at": "2030-01-01T10:00"} | wrong
    address = f"/contests/spring/manage/finals/{final.pk}/"

    answer = log_in(person("organiser")).post(f"{address}restart/", body)

    form = page_of(answer).one(f'form[action="{address}restart/"]')
    (told,) = form.find(f"#restart-{final.pk}-{field}_error" if field else ".notice.bad")
    kept = {each["name"]: each.attributes.get("value", "") for each in form.find("input")}
    assert (answer.status_code, words in told.text) == (422, True)
    assert {name: kept[name] for name in body} == body
    assert Final.objects.get().cancelled_at is None


def test_a_final_is_not_cancelled_without_a_reason_and_its_line_says_so(contest, log_in):
    team_in(contest)
    final = run(contest)
    address = f"/contests/spring/manage/finals/{final.pk}/cancel/"

    page = page_of(log_in(person("organiser")).post(address, {"reason": "x" * 1001}))

    told = page.one(f"#cancel-{final.pk}-reason_error").text
    assert told == "Ensure this value has at most 1000 characters (it has 1001)."
    assert Final.objects.get().cancelled_at is None


def test_whoever_cancels_what_is_cancelled_reads_so_and_nobody_is_told_again(contest, log_in):
    team_in(contest)
    final, browser = run(contest), log_in(person("organiser"))
    address = f"/contests/spring/manage/finals/{final.pk}/cancel/"
    browser.post(address, {"reason": "No power"})
    told = contest.announcements.count()

    again = browser.post(address, {"reason": "No hall"})

    assert again.status_code == 422
    notice = page_of(again).one(f'form[action="{address}"] .notice.bad').text
    assert notice == "The run is cancelled already."
    with pytest.raises(Conflict, match="The run is cancelled already"):  # seen before it was
        cancel_contest_final(contest=contest, final=final, reason="x", actor=person("organiser"))
    assert contest.announcements.count() == told
    assert Final.objects.get().cancelled_because == "No power"


def test_a_run_that_was_cancelled_at_this_moment_is_not_started_anew(contest):
    team_in(contest)
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    seen, actor = begun(run(contest, count=3)), person("organiser")
    cancel_contest_final(contest=contest, final=seen, reason="No power", actor=actor)

    with pytest.raises(Refused, match="The run is cancelled already: plan another one"):
        restart_contest_final(contest=contest, final=seen, wanted=ANEW, actor=actor)

    assert Final.objects.count() == 1


def test_a_restart_ends_before_the_finals_do_as_everybody_was_told(contest):
    team_in(contest)
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    first, actor = begun(run(contest, count=3)), person("organiser")
    far = {"reason": "A failure", "judges": "No. 1", "commission": "No. 2"}
    far = WantedRestart(starts_at=now() + 40 * DAY - timedelta(minutes=2), **far)

    with pytest.raises(Refused, match=r"^The finals are announced until .* Name an earlier start"):
        restart_contest_final(contest=contest, final=first, wanted=far, actor=actor)
    assert Final.objects.get().cancelled_at is None
    finals = contest.phases.get(kind="finals")
    over(contest, "qualification")
    Contest.objects.update(applications_from=now() - 3 * DAY, applications_until=now() - 2 * DAY)
    contest.phases.filter(pk=finals.pk).update(starts_at=now() - DAY)
    plan_phase(
        contest=contest,
        kind=finals.kind,
        starts_at=now() - DAY,
        ends_at=now() + 41 * DAY,
        actor=actor,
    )
    made = restart_contest_final(contest=contest, final=first, wanted=far, actor=actor)

    assert made.starts_at == far.starts_at


@pytest.mark.parametrize(
    ("solution", "refusal"),
    [
        ("stands", "This session does not count anyway"),
        ("annulled", "has annulled this solution already"),
    ],
)
def test_whoever_looks_at_a_session_of_a_void_run_reads_that_it_counts_nowhere(
    contest, log_in, solution, refusal
):
    team, organiser = team_in(contest), person("organiser")
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    final = run(contest, count=3)
    start = now() - timedelta(hours=1)
    Final.objects.filter(pk=final.pk).update(starts_at=start)
    session = Client(team.account, mode=Mode.FINAL, moment=moment_of(start)).session
    ended = {"state": "finished", "closed_at": now(), "solution": solution}
    ExchangeSession.objects.filter(pk=session.pk).update(**ended)
    rehearsal = run(contest, days=2, kind=Final.Kind.REHEARSAL, role="training", name="Rehearsal")
    a_session(team, size=1, mode="final", final=rehearsal)
    final.refresh_from_db()
    restart_contest_final(contest=contest, final=final, wanted=ANEW, actor=organiser)
    own, browser = log_in(team.account), log_in(organiser)

    solutions = page_of(browser.get("/contests/spring/manage/solutions/"))
    seen = page_of(own.get(f"/exchange/{session.pk}/")).one("#live").text
    cabinet = page_of(own.get("/contests/spring/team/")).text
    refused = browser.post(
        f"/contests/spring/manage/solutions/{session.pk}/annul/",
        {"reason": "Cheated", "protocol": "No. 5"},
    )

    said = [row.find("td")[2].text for row in solutions.find(".work tbody tr")]
    assert said == ["a rehearsal: it counts nowhere", "the run does not count: A failure"]
    assert solutions.find(".work tbody .btn") == []
    words = (
        "The run was cancelled or started anew; its answers are kept and count nowhere: A failure"
    )
    assert (words in seen, "Solution: stands" in seen) == (True, False)
    assert "the run does not count: A failure" in cabinet
    assert "What was annulled" not in cabinet
    assert refused.status_code == 422
    assert refusal in page_of(refused).text


def test_everybody_reads_by_which_protocols_a_run_was_started_anew_also_by_letter(contest):
    team_in(contest)
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    final = begun(run(contest, count=3))

    restart_contest_final(contest=contest, final=final, wanted=ANEW, actor=person("organiser"))

    told = contest.announcements.latest("pk")
    _subject, template, context = told_by(told)
    with override("ru"):
        letter = render_to_string(template, {**context, "person": person("participant")})
    russian = "Протоколы (пункт 7.15.1 регламента): судьи No. 1, комиссия No. 2"
    english = "Protocols (clause 7.15.1 of the regulation): judges No. 1, commission No. 2"
    last = [body.splitlines()[-1] for body in (told.body_ru, told.body_en)]
    assert (last, russian in letter.splitlines()) == ([russian, english], True)


def test_a_restart_that_was_held_is_what_the_board_and_the_protocol_are_made_of(contest):
    team, held = team_in(contest), contest.data_sets.get(role="final").essay_set
    EssayFactory.create_batch(3, essay_set=held)
    first = run(contest, count=3)
    Final.objects.update(starts_at=now() - 2 * DAY)
    void = closed(team.account, essays_of(first), marks=(MISS,), mode=Mode.FINAL, final=first)
    first.refresh_from_db()
    again = restart_contest_final(
        contest=contest, final=first, wanted=ANEW, actor=person("organiser")
    )
    Final.objects.filter(pk=again.pk).update(starts_at=now() - DAY)
    kept = closed(team.account, essays_of(again), after=2, mode=Mode.FINAL, final=again)
    for essay in [*essays_of(first), *essays_of(again)]:
        for _expert in range(2):
            submitted(essay, HIT, source="expert")
    over(contest, "finals")

    made = done_run(held, rules=contest.parameter_sets.get().rules)
    StandingBoard.objects.update_or_create(essay_set=held, defaults={"applied": made})
    say(contest, "checked", "judge", of="finals")

    content = json.loads(PhaseProtocol.objects.get().content)
    (board,) = content["boards"]
    (row,) = board["rows"]
    assert (row["rank"], row["team"], row["solution"], row["essays"]) == (1, "Lynx", kept.origin, 3)
    (told,) = content["teams"]
    counts = {each["session"]: each["counts"] for each in told["sessions"]}
    assert counts == {void.origin: False, kept.origin: True}


def test_a_final_that_has_not_begun_is_not_started_anew_within_ten_days(contest, log_in):
    team_in(contest)
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    final = run(contest, count=3)

    with pytest.raises(
        Refused, match=r"Clause 7\.15\.1 .* has not begun. Cancel it and plan anoth"
    ):
        restart_contest_final(contest=contest, final=final, wanted=ANEW, actor=person("organiser"))

    page = page_of(log_in(person("organiser")).get("/contests/spring/manage/finals/"))

    assert (Final.objects.count(), Final.objects.get().cancelled_at) == (1, None)
    assert page.one("details p.help").text.startswith("It has not begun: to move it, cancel it")
    assert [each["action"].split("/")[-2] for each in page.find("details form")] == ["cancel"]
    begun(final)
    page = page_of(log_in(person("organiser")).get("/contests/spring/manage/finals/"))
    assert [each["action"].split("/")[-2] for each in page.find("details form")] == [
        "cancel",
        "restart",
    ]


def test_a_restart_to_a_wrong_moment_is_started_anew_before_it_begins_with_the_same_files(contest):
    team_in(contest)
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    first, actor = begun(run(contest, count=3)), person("organiser")
    wrong = WantedRestart(now() + 39 * DAY, "A failure", "No. 1", "No. 2")
    late = restart_contest_final(contest=contest, final=first, wanted=wrong, actor=actor)

    made = restart_contest_final(contest=contest, final=late, wanted=ANEW, actor=actor)

    files = [{*each.files.values_list("essay", flat=True)} for each in (first, late, made)]
    assert (files[1] == files[2], files[0] & files[2]) == (True, set())
    assert (made.run, made.starts_at) == (3, ANEW.starts_at)


def test_a_restart_that_was_cancelled_before_it_began_has_given_nothing_out(contest):
    team_in(contest)
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    first, actor = begun(run(contest, count=3)), person("organiser")
    late = restart_contest_final(contest=contest, final=first, wanted=ANEW, actor=actor)
    cancel_contest_final(contest=contest, final=late, reason="Late", actor=actor)
    before = {"cancelled_at": now() - 2 * DAY, "starts_at": now() - DAY}
    Final.objects.filter(pk=late.pk).update(**before)
    late.refresh_from_db()

    plan = {"starts_at": ANEW.starts_at, "reason": "A failure", "actor": actor}
    made = restart_final(final=late, moment=moment_of(now()), **plan)

    assert {*essays_of(made)} == {*essays_of(late)}


def test_a_second_final_is_planned_once_the_first_is_cancelled(contest):
    team_in(contest)
    final = run(contest, count=1)

    with pytest.raises(
        Refused, match=r"^The final “Finals” is planned on .* Clause 4\.4 of the reg"
    ):
        run(contest, days=35, name="Second", count=1)
    assert (Final.objects.count(), contest.announcements.count()) == (1, 2)
    cancel_contest_final(contest=contest, final=final, reason="Late", actor=person("organiser"))
    second = run(contest, days=35, name="Second", count=1)

    assert (second.run, second.former) == (1, None)


def essays_of(final):
    return [each.essay for each in final.files.select_related("essay")]


def test_a_qualification_is_not_moved_to_after_a_planned_rehearsal_on_test_essays(contest):
    team_in(contest)
    run(contest, days=1.1, kind=Final.Kind.REHEARSAL, role="training", name="Free")
    planned = run(contest, days=1.3, kind=Final.Kind.REHEARSAL, role="test")
    phase = contest.phases.get(kind="qualification")
    dates = {"contest": contest, "kind": phase.kind, "ends_at": phase.ends_at}
    dates["actor"] = person("organiser")

    with pytest.raises(Refused, match=rf"Clause 2\.7 .* the rehearsal “{planned}” gives some"):
        plan_phase(**dates, starts_at=now() + 1.5 * DAY)
    plan_phase(**dates, starts_at=now() + 1.2 * DAY)

    assert Phase.objects.get(pk=phase.pk).starts_at > phase.starts_at
