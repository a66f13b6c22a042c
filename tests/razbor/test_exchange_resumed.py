"""``razbor exchange`` meets a session that is open: gone on with, ended, or left alone."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.signals import request_started

from accounts.models import User
from accounts.services.tokens import revoke_tokens_of
from annotator.models import MarkupRecord
from contest.models import Delivery, ExchangeSession
from contest.services.sessions.clock import moment_now
from contest.services.sessions.opening import Wish, open_session
from contest.services.sessions.settling import settle_due
from jobs.models import Job
from razbor.commands.session import judged_log
from scoring.models import SolutionReport
from scoring.tasks import compute_report
from tests.contest.test_answers import do_answers
from tests.contest.world import SECOND, Client, Door, Mode, final_at
from tests.razbor.test_exchange import RULES, sends, short, verdicts


def test_ctrl_c_leaves_the_session_open_and_it_is_gone_on_with_when_asked_to(exchange, program):
    interrupts = program(
        "if json.load(sys.stdin)['meta']['id'] != '0':\n"
        "    os.kill(os.getppid(), signal.SIGINT)\n    time.sleep(60)\n"
        "print('{\"selections\": []}')\n"
    )

    status, _out, err = exchange("--mode", "technical", "--marker", interrupts)

    session = ExchangeSession.objects.get()
    words = f"Session {session.pk} stays open: --resume goes on with it. --abort ends it.\n"
    assert (status, err) == (130, words)
    assert exchange("--mode", "technical", "--resume", "--marker", RULES)[0] == 0
    assert verdicts(session.pk) == ["counted"] * 3


@pytest.mark.parametrize(
    "asked", [["--mode", "technical"], ["--mode", "algorithmic", "--resume"]], ids=" ".join
)
def test_a_session_another_program_opened_is_left_to_it(exchange, tmp_path, asked):
    session, essays = short(30), tmp_path / "in"

    status, out, err = exchange(*asked, "--in", essays, "--out", tmp_path / "out")

    words = (
        f"razbor: Session {session.pk} is open, perhaps by another program: go on with it by "
        "--resume --mode technical. --abort ends it.\n"
    )
    assert (status, out, err) == (2, "", words)
    assert not Delivery.objects.exists()
    assert not essays.exists()


@pytest.mark.parametrize("resumes", [[], ["--resume"]])
def test_a_session_of_a_client_of_the_original_is_left_to_it(exchange, resumes):
    session, _ = open_session(
        participant=User.objects.get(role="participant"),
        wish=Wish(Mode.TECHNICAL),
        door=Door.SOCKETIO,
        moment=moment_now(),
    )

    status, out, err = exchange("--mode", "technical", "--marker", RULES, *resumes)

    told = "was opened by another client: go on there. --abort ends it."
    assert (status, out, err) == (2, "", f"razbor: Session {session.pk} {told}\n")


def test_where_no_session_is_open_to_be_gone_on_with_one_is_opened(exchange):
    assert exchange("--mode", "technical", "--resume", "--marker", RULES)[0] == 0
    assert sends() == ["valid"] * 3


def test_a_final_is_not_recommended_to_be_ended_for_a_trial(exchange):
    final_at((now := moment_now()) - 60 * SECOND, person := User.objects.get(role="participant"))
    open_session(participant=person, wish=Wish(Mode.FINAL), door=Door.REST, moment=now)

    told = exchange("--mode", "technical", "--marker", RULES)[2]
    assert "go on with it by --resume --mode final. --abort would end it for good" in told


def test_a_final_that_waits_for_its_start_is_ended_and_opened_again(exchange):
    final_at((now := moment_now()) + 300 * SECOND, person := User.objects.get(role="participant"))
    open_session(participant=person, wish=Wish(Mode.FINAL), door=Door.REST, moment=now)

    told = exchange("--mode", "technical", "--marker", RULES)[2]
    assert "and its first file has not come yet: go on with it by --resume --mode final" in told
    status, out, _err = exchange("--abort")
    words = " is ended. It had not begun and counts for nothing: --mode final opens it again.\n"
    assert (status, out.endswith(words), "annulled" in out) == (0, True, False)
    again, is_new = open_session(
        participant=person, wish=Wish(Mode.FINAL), door=Door.REST, moment=moment_now()
    )
    assert (again.state, is_new) == ("waiting", True)


def test_the_end_of_a_final_is_waited_for_when_its_last_file_was_answered_early(
    exchange, program, tmp_path
):
    now, person = moment_now(), User.objects.get(role="participant")
    final_at(now + SECOND, person, essays=2, interval=4, limit=4)
    open_session(participant=person, wish=Wish(Mode.FINAL), door=Door.REST, moment=now)
    empty, log = program("print('{\"selections\": []}')"), tmp_path / "log.json"

    status, out, err = exchange("--mode", "final", "--resume", "--marker", empty, "--log", log)

    session = judged_log(str(log))["session"]
    assert (status, err, session["state"]) == (0, "", "finished"), out
    assert "Waiting for the last verdicts and the end, a minute at most." in out
    assert "Session: finished" in out
    assert "--abort" not in out


def test_the_verdict_of_a_last_file_without_an_answer_is_waited_for(exchange, program):
    session = short(3)
    last = session.files.get(position=3).name
    silent = program(
        f"if json.load(sys.stdin)['meta']['id'] == {last!r}:\n    sys.exit(1)\n"
        "print('{\"selections\": []}')\n"
    )

    status, out, _err = exchange("--mode", "technical", "--resume", "--marker", silent)

    assert (status, "Annulled: 1 of 3" in out, "no answer came" in out) == (1, True, True), out


def test_who_loses_the_key_meanwhile_hears_that_the_session_stays_open(exchange):
    session = short(30)

    def revoke(**_about):
        if Delivery.objects.exists():
            revoke_tokens_of(user_id=session.participant_id, actor=None, reason="lost")

    request_started.connect(revoke)
    status, _out, err = exchange("--mode", "technical", "--resume", "--marker", RULES)
    request_started.disconnect(revoke)

    assert (status, err.split(":")[0]) == (2, f"Session {session.pk} stays open")


def test_an_open_session_is_ended_when_that_is_wished(exchange, tmp_path):
    short(30)
    log = tmp_path / "log.json"

    assert exchange("--abort", "--log", log)[:2] != (2, "")
    assert ExchangeSession.objects.get().state == "aborted"
    assert json.loads(log.read_text())["events"][-1]["type"] == "abort"
    assert exchange("--abort") == (0, "No session is open.\n", "")


def test_who_is_told_of_an_abort_hears_what_is_lost_by_it(exchange, run):
    wish = Wish(Mode.ALGORITHMIC, count=10, seconds=60)
    person = User.objects.get(role="participant")
    open_session(participant=person, wish=wish, door=Door.REST, moment=moment_now())

    told = exchange("--mode", "algorithmic", "--marker", RULES)[2]

    lost = "--abort gives it up: no markups and no report are made of an aborted session.\n"
    assert told.endswith(f"go on with it by --resume --mode algorithmic. {lost}")
    helped = " ".join(run("exchange", "--help")[1].split())
    assert "what was answered makes no markups and no report then" in helped


def test_a_session_that_is_left_to_end_by_itself_delivers_its_answers(exchange, program):
    wish = Wish(Mode.ALGORITHMIC, count=10, rules={"limit": 3})
    person = User.objects.get(role="participant")
    session, _ = open_session(participant=person, wish=wish, door=Door.REST, moment=moment_now())
    first = session.files.get(position=1).name
    silent = program(
        f"if json.load(sys.stdin)['meta']['id'] == {first!r}:\n    sys.exit(1)\n"
        "print('{\"selections\": []}')\n"
    )

    status, out, _err = exchange("--mode", "algorithmic", "--resume", "--marker", silent)

    assert status == 1
    session.refresh_from_db()
    closes_at = session.files.get(position=3).opens_at + timedelta(seconds=300)
    told = f"The session closes by itself at {closes_at.astimezone():%H:%M}"
    assert told in out
    assert "and keeps its answers: leave it to that." in out
    assert ExchangeSession.objects.get().is_open
    settle_due(moment=moment_now() + 310 * SECOND)
    assert (ExchangeSession.objects.get().state, verdicts(session.pk)) == (
        "timeout",
        ["missing", "counted", "counted"],
    )
    do_answers()
    markups = MarkupRecord.objects.filter(author=person, origin=session.origin)
    assert list(markups.values_list("state", flat=True)) == ["submitted"] * 2
    compute_report(Job.objects.get(kind="scoring.compute_report").pk)
    assert SolutionReport.objects.filter(author=person, origin=session.origin).count() == 1


def test_a_session_that_is_over_keeps_the_command_from_no_other_one(exchange, monkeypatch):
    for name in ("contest.queries.judging.GRACE", "contest.services.sessions.settling.GRACE"):
        monkeypatch.setattr(name, 3600 * SECOND)
    person, moment = User.objects.get(role="participant"), moment_now() - 60 * SECOND
    rules = {"limit": 1, "linger": None}
    client = Client(person, mode=Mode.TECHNICAL, moment=moment, rules=rules)
    for second in range(3):
        client.send(client.next(second).slot, second)

    status, out, err = exchange("--mode", "technical", "--marker", RULES)

    assert (status, err, client.row.state) == (0, "", "finished")
    assert f"Session {client.session.pk + 1} is open: technical, files: 3" in out
