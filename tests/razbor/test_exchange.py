"""``razbor exchange`` and ``razbor.client`` against a platform that really listens."""

from __future__ import annotations

import contextlib
import json
import shlex
import socket
import sys
import threading
import time

import pytest

from accounts.models import User
from contest.models import ExchangeSession, SessionEvent
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import stop
from contest.services.sessions.opening import Wish, open_session
from contest.services.sessions.settling import settle_due
from razbor.client import Exchange, ExchangeError, File
from razbor.commands.exchange import fewer_than_asked
from razbor.commands.session import judged_log
from razbor.programs import MarkerFailed, Persistent
from tests.contest.world import Door, Mode
from tests.factories import PersonFactory

RULES = f"{shlex.quote(sys.executable)} -m razbor.markers.rules"


def short(seconds):
    """A technical session with so many seconds for a file, as no program could order it."""
    session, _ = open_session(
        participant=User.objects.get(role="participant"),
        wish=Wish(Mode.TECHNICAL, rules={"limit": seconds}),
        door=Door.REST,
        moment=moment_now(),
    )
    return session


def sends():
    return list(SessionEvent.objects.filter(what="send").values_list("content", flat=True))


def verdicts(session):
    found = ExchangeSession.objects.get(pk=session).files.order_by("position")
    return [reason or verdict for verdict, reason in found.values_list("verdict", "reason")]


def test_a_session_from_the_command_to_the_log(exchange, tmp_path):
    log = tmp_path / "log.json"

    status, out, err = exchange(
        *("--mode", "algorithmic", "--files", "10", "--time", "20", "--lang", "eng"),
        *("--marker", RULES, "--log", log),
    )

    session = ExchangeSession.objects.get()
    assert (status, err, session.state) == (0, "", "finished")
    assert (session.size, session.rules["limit"], session.language) == (3, 20, "eng")
    assert f"Session {session.pk} is open: algorithmic, files: 3, 20 s for each." in out
    assert "There are no more essays to give: the session has 3 of 10 files.\n" in out
    assert [line[:5] for line in out.splitlines() if "accepted after" in line] == [
        "[1/3]",
        "[2/3]",
        "[3/3]",
    ]
    judged = judged_log(str(log))
    assert [each["verdict"] for each in judged["files"]] == ["counted"] * 3
    assert sends() == ["valid"] * 3


@pytest.mark.parametrize(
    ("files", "asked", "pool", "told"),
    [
        (10, 10, "test", ""),
        (3, None, "train", ""),
        (3, 10, "train", "There are no more essays to give: the session has 3 of 10 files.\n"),
        (
            1,
            10,
            "test",
            (
                "There are no more essays to give: the session has 1 of 10 files. "
                "It is one of the five with test essays in 24 hours all the same.\n"
            ),
        ),
    ],
)
def test_fewer_files_than_were_asked_for_are_told(files, asked, pool, told):
    assert fewer_than_asked(files, asked, pool) == told


def test_a_persistent_program_is_started_once_and_may_answer_in_brackets(
    exchange, program, tmp_path
):
    starts = tmp_path / "starts"
    command = program(
        f"open({str(starts)!r}, 'a').write('x')\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(json.loads(line)['text']), flush=True)\n"
    )

    status, out, _err = exchange("--mode", "technical", "--persistent", command)

    assert (status, starts.read_text(), sends()) == (0, "x", ["valid"] * 3), out


def test_a_persistent_program_that_ended_after_an_answer_is_started_again(program):
    marker = Persistent(program("sys.stdin.readline()\nprint('{}', flush=True)"))
    file = File(1, "1", 1, 2, {"text": "x"}, time.monotonic() + 60)
    answers = []
    for _file in range(2):
        answers.append(marker.mark(file))
        marker.running.process.wait(30)
    marker.close()

    assert answers == [b"{}"] * 2


def test_a_persistent_program_that_is_at_work_at_the_last_moment_is_stopped_and_started_again(
    program, tmp_path
):
    starts = tmp_path / "starts"
    marker = Persistent(
        program(
            f"open({str(starts)!r}, 'a').write('x')\n"
            "for line in sys.stdin:\n"
            "    time.sleep(json.loads(line)['text'] == 'long' and 60)\n"
            "    print('{}', flush=True)\n"
        )
    )
    texts = ["short", "long", "short"]
    due = {"short": 60, "long": 0.3}
    ticks, answers, began = [], [], time.monotonic()
    marker.tick = lambda: ticks.append(time.monotonic())
    for text in texts:
        file = File(1, "1", 1, 3, {"text": text}, time.monotonic() + due[text])
        try:
            answers.append(marker.mark(file))
        except MarkerFailed as failed:
            answers.append(str(failed))
            stopped = marker.running
    marker.close()

    assert answers == [b"{}", "it was stopped: the time for the answer was over", b"{}"]
    assert (stopped, starts.read_text()) == (None, "xx")
    assert time.monotonic() - began < 30
    assert ticks


def test_files_lie_in_a_folder_and_answers_are_taken_from_another(exchange, tmp_path):
    essays, answers = tmp_path / "in", tmp_path / "out"
    answers.mkdir()
    stop_watching = threading.Event()

    def watch():
        while not stop_watching.wait(0.05):
            for path in essays.glob("[!.]*.json"):
                if not (answers / path.name).exists():
                    (answers / path.name).write_text('{"selections": [')
                    time.sleep(0.7)  # what was half written is looked at once more
                    (answers / path.name).write_text('{"selections": []}')

    watcher = threading.Thread(target=watch)
    watcher.start()
    status, out, _err = exchange("--mode", "technical", "--in", essays, "--out", answers)
    stop_watching.set()
    watcher.join()

    assert (status, sends()) == (0, ["valid"] * 3), out
    laid = json.loads(next(essays.glob("[!.]*.json")).read_text("utf-8"))
    assert laid.keys() == {"meta", "text"}


FULL = pytest.mark.full
"""Each waits until a file is due."""


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("time.sleep(60)", "it was stopped: the time for the answer was over"),
        pytest.param("sys.exit(3)", "it ended with status 3", marks=FULL),
        pytest.param("os.kill(os.getpid(), 9)", "it was ended by signal 9", marks=FULL),
        pytest.param("print('{')", "line 2, column 1: ", marks=FULL),
        pytest.param("print('hello')", "Without its brackets the answer is another", marks=FULL),
        pytest.param("pass", "The answer is empty.", marks=FULL),
        pytest.param(
            "while True: print('x' * 100000)", "its answer is larger than 2.5 MB", marks=FULL
        ),
    ],
)
def test_a_program_that_fails_costs_its_file_and_no_more(exchange, program, code, told):
    session = short(5)
    first = session.files.get(position=1).name
    command = program(
        f"if json.load(sys.stdin)['meta']['id'] == {first!r}:\n    {code}\n"
        "else:\n    print('{\"selections\": []}')\n"
    )

    status, out, _err = exchange("--mode", "technical", "--resume", "--marker", command)

    assert f"Session {session.pk} goes on: technical, files: 3, 5 s for each." in out
    assert f"[1/3] {first}: no answer is sent: {told}" in out
    assert (status, sends()) == (1, ["valid"] * 2)
    settle_due(moment=moment_now() + 10_000_000)
    assert verdicts(session.pk) == ["missing", "counted", "counted"]


def test_a_program_that_fails_at_a_trial_opens_no_session(exchange, program, tmp_path):
    log = tmp_path / "log.json"
    fails = ("--persistent", program("sys.exit(1)"))
    crashes = exchange("--mode", "technical", "--log", log, *fails)
    lacks = exchange("--mode", "technical", "--marker", "no-such-program")

    told = "razbor: Your program failed at a trial, and no session was opened: "
    assert crashes == (2, "", told + "it ended with status 1\n")
    assert (lacks[0], "no-such-program: cannot be started" in lacks[2]) == (2, True)
    assert (ExchangeSession.objects.exists(), log.exists()) == (False, False)


def test_whoever_waits_for_a_trial_is_told_so_and_what_a_lasting_program_has_to_do(
    exchange, monkeypatch
):
    monkeypatch.setattr("razbor.commands.exchange.TRIAL", 3.0)
    monkeypatch.setattr("razbor.watching.QUIET", 0.5)

    status, out, err = exchange("--mode", "technical", "--persistent", RULES)

    assert out == "Your program is tried with an essay of nobody, and has 3 s to wake up.\n"
    assert status == 2
    assert err.startswith("razbor: Your program failed at a trial, and no session was opened: ")
    assert err.endswith("A program that reads its input to the end belongs to --marker.\n")


def test_a_wrong_key_and_a_wrong_address_are_told_with_the_remedy(exchange, monkeypatch):
    monkeypatch.setenv("RAZBOR_TOKEN", "wrong")
    status, out, err = exchange("--mode", "technical", "--marker", RULES)

    assert (status, out) == (2, "")
    assert "Make a key on the page of your account and put it into RAZBOR_TOKEN." in err
    monkeypatch.setenv("RAZBOR_TOKEN", "")
    assert exchange("--mode", "technical", "--marker", RULES)[2] == (
        "razbor: The key of your account is missing. Put it into RAZBOR_TOKEN.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--marker", "x"], "Add --mode: technical, algorithmic or final."),
        (["--mode", "final"], "Name one program: --marker, --persistent, or --in with --out."),
        (["--mode", "final", "--in", "a"], "--in and --out belong together."),
        (["--mode", "final", "--in", "a", "--out", "a"], "--in and --out must be two folders."),
        (["--mode", "final", "--marker", '"'], '“"” is no command. Check its quotation marks.'),
        (["--mode", "final", "--marker", "x", "--log", "/no/log"], "/no/log: No such file"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked(
    run, monkeypatch, arguments, told
):
    monkeypatch.setenv("RAZBOR_TOKEN", "key")
    status, out, err = run("exchange", "--url", "http://localhost:1", *arguments)

    assert (status, out) == (2, "")
    assert told in err


class Cutter:
    """Stands before a platform and swallows the first answer to a request of some address."""

    def __init__(self, port, part):
        self.port, self.part, self.cuts = port, part, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(
                    target=self.relay, args=(self.listener.accept()[0],), daemon=True
                ).start()

    def relay(self, client):
        with (
            contextlib.suppress(OSError),
            client,
            socket.create_connection(("127.0.0.1", self.port)) as platform,
        ):
            head = client.recv(65536)
            platform.sendall(head)
            threading.Thread(target=self.pump, args=(client, platform), daemon=True).start()
            while chunk := platform.recv(65536):
                if self.part in head.split(b"\r\n")[0] and not self.cuts:
                    self.cuts += 1
                    break
                client.sendall(chunk)
            client.shutdown(socket.SHUT_RDWR)  # another thread reads from it still

    def pump(self, source, target):
        with contextlib.suppress(OSError):
            while chunk := source.recv(65536):
                target.sendall(chunk)


@pytest.mark.parametrize("part", [b"/files/", b"/next/", b"POST /api/exchange/sessions/ "])
def test_an_answer_lost_on_the_way_counts_nothing_twice(exchange, live_server, part):
    cutter = Cutter(live_server.thread.port, part)

    status, out, _err = exchange("--mode", "technical", "--marker", RULES, url=cutter.url)

    cutter.listener.close()
    assert (cutter.cuts, status, sends()) == (1, 0, ["valid"] * 3), out
    assert "Trying again." in out
    assert ExchangeSession.objects.count() == 1


def test_the_client_says_what_was_declined_and_why(key, live_server):
    client = Exchange(live_server.url, key, patience=0)
    session = client.open("technical", key="mine")
    assert client.open("technical", key="mine")["id"] == session["id"]

    with pytest.raises(ExchangeError) as declined:
        client.open("technical")
    assert (declined.value.code, declined.value.status) == ("already-open", 409)
    with pytest.raises(ExchangeError) as declined:
        client.repeat(session["id"])
    assert (declined.value.code, declined.value.status) == ("no-file", 404)
    with pytest.raises(ExchangeError) as declined:
        client.open("algorithmic", files=9)
    limits = "the limits are those of the original contest’s clients."
    told = f"Some fields are not right. files: Ask for 10 to 1000 files: {limits}"
    assert (declined.value.code, declined.value.sentence) == ("invalid", told)


def test_the_client_is_told_what_became_of_its_answers(key, live_server):
    client = Exchange(live_server.url, key)
    session = client.open("technical")["id"]
    file = client.next(session)
    assert (client.repeat(session).name, client.next(session).name) == (file.name, file.name)
    assert (file.position, file.files, 50 < file.seconds_left <= 60) == (1, 3, True)

    broken = client.send(file, b"{")
    first = client.send(file, {"selections": []}, key="a")
    again = client.send(file, {"selections": [], "criteria": {"K1": 1}}, key="a")
    stop(session_id=session, actor=PersonFactory(role="organiser"), reason="-", moment=moment_now())
    late = client.send(file, {"selections": []}, key="b")

    assert (broken.accepted, broken.reason, len(broken.problems)) == (False, "broken", 1)
    assert (first.accepted, first.reason, first.repeated, first.sends_left) == (
        True,
        None,
        False,
        9,
    )
    assert (again.accepted, again.repeated, again.differed) == (True, True, True)
    assert (late.accepted, late.reason) == (False, "closed")
    assert client.next(session) is None
    assert client.state(session)["state"] == "stopped"
    assert client.present() is None
