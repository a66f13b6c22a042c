"""A final is cancelled or started anew: what the page refuses, and what is told of a void run."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from contest.core.moments import moment_of
from contest.models import ExchangeSession, Final, PhaseProtocol
from contest.services.contest_finals import restart_contest_final
from scoring.models import StandingBoard
from tests.contest.phases import say
from tests.contest.running_world import DAY, announced, now, over, person, team_in
from tests.contest.team_world import a_session
from tests.contest.test_contest_finals import ANEW, run
from tests.contest.test_solutions import HIT, MISS, closed
from tests.contest.world import Client, Mode
from tests.factories import EssayFactory, submitted
from tests.pages import page_of
from tests.scoring.runs import done_run

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


def test_whoever_looks_at_a_session_of_a_void_run_reads_that_it_counts_nowhere(contest, log_in):
    team, organiser = team_in(contest), person("organiser")
    EssayFactory.create_batch(3, essay_set=contest.data_sets.get(role="final").essay_set)
    final = run(contest, count=3)
    start = now() - timedelta(hours=1)
    Final.objects.filter(pk=final.pk).update(starts_at=start)
    session = Client(team.account, mode=Mode.FINAL, moment=moment_of(start)).session
    ended = {"state": "finished", "closed_at": now(), "solution": "stands"}
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
    assert refused.status_code == 422
    assert "This session does not count anyway" in page_of(refused).text


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


def essays_of(final):
    return [each.essay for each in final.files.select_related("essay")]
