"""The gateway as a process of its own, with clients of the original."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
from collections import Counter
from functools import partial

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from accounts.models import ApiToken
from accounts.services.tokens import issue_token, revoke_token
from contest.management.commands.gateway import raise_limit_of_files
from contest.models import ExchangeSession, SessionEvent
from tests.contest.crowd import Crowd, Member, Plan
from tests.contest.hostile import FRAMES, GATEWAY
from tests.contest.node import Peer
from tests.contest.program import NOTHING_YET, PATIENCE, Program, markup_of
from tests.contest.rest_crowd import RestMember
from tests.contest.world import marked_set, team
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.database import connected
from tests.e2e.gateways import kill, listens

pytestmark = [pytest.mark.full, pytest.mark.parametrize("whole_stack", BACKENDS, indirect=True)]


@pytest.fixture(scope="module")
def whole_stack(request, tmp_path_factory):
    with opened_stack(request, tmp_path_factory, "/11", crew=("web", "gateway", "tick")) as stack:
        yield stack


@pytest.fixture
def stack(whole_stack, django_db_blocker):
    with django_db_blocker.unblock(), connected(whole_stack.database_url):
        yield whole_stack


@pytest.fixture
def program(stack):
    """A participant's program that has not connected yet."""
    marked_set(3)
    return Program(stack.gateway.getsockname()[1], issue_token(user=team(), name="program"))


def test_a_whole_session_packet_by_packet(program):
    with program as client:
        hello, *joined = client.join()
        client.say("session-file-repeat", {"lastFileId": NOTHING_YET})
        no_session = client.hear("session-auto-reconnect-error")
        missed = client.hear("session-file-repeat-error")
        number = client.start(files="10", seconds="10")
        handed = client.hear("session-file-available")
        client.write("2")
        pong = client.read()
        client.send(number, handed["fileId"], markup_of(handed["content"]))
        taken = client.hear("session-file-send-success")
        client.send(number, handed["fileId"], "no JSON")
        refused = client.hear("session-file-send-error")
        client.say("session-reconnect", {})
        again = client.hear("session-reconnect-success")
        client.say("logs-send", [{"level": "info", "message": "text"}])
        kept = client.hear("logs-send-success")
        client.say("session-client-abort", {"sessionId": number})
        ended = client.hear("session-client-abort-success")

    told = json.loads(hello[1:])
    assert {**told, "sid": ""} == {
        "sid": "",
        "upgrades": [],
        "pingInterval": 25000,
        "pingTimeout": 60000,
    }
    assert joined == ["40", "40/pku,"]
    assert (set(no_session), missed["missed"], set(missed)) == (
        {"message"},
        True,
        {"message", "missed"},
    )
    assert (set(handed), set(handed["content"])) == (
        {"sessionId", "fileId", "content"},
        {"meta", "text"},
    )
    assert (pong, kept) == ("3", None)
    assert taken == {"sessionId": number, "fileId": handed["fileId"]}
    assert set(refused) == {"sessionId", "fileId", "message"}
    assert (again, set(ended)) == ({"sessionId": number}, {"message"})
    session = ExchangeSession.objects.get(pk=number)
    assert (session.state, session.counted) == ("aborted", 1)


def test_a_key_that_is_revoked_opens_nothing_more_on_a_connection_that_stands(program):
    with program as client:
        client.join()
        client.start(files="10", seconds="10")
        client.hear("session-file-available")
        revoke_token(token=ApiToken.objects.latest("pk"), actor=None)
        client.say("session-client-abort", {})
        refused = client.hear("connection-auth-error")

    assert set(refused) == {"message"}
    assert ExchangeSession.objects.latest("pk").state == "open"


def test_the_clients_own_library_comes_back_to_its_session_when_the_gateway_is_killed(
    stack, program
):
    with Peer(stack.gateway.getsockname()[1], program.token) as client:
        client.hear("connect")
        params = {"dsType": "train", "countFiles": 10, "lang": "all", "time": 60}
        client.say("session-start", {"type": "ALGORITHMIC", "params": params})
        number = client.hear("session-start-success")["sessionId"]
        handed = client.hear("session-file-available")
        kill(stack.children["gateway"])
        client.hear("disconnect")
        stack.until(partial(listens, stack.gateway), "the gateway is back")
        client.hear("connect")
        client.say("session-file-repeat", {"lastFileId": "0000000"})
        missed = client.hear("session-file-repeat-success")
        content = json.dumps(markup_of(missed["content"]), ensure_ascii=False)
        client.say(
            "session-file-send",
            {"sessionId": number, "fileId": missed["fileId"], "content": content},
        )
        taken = client.hear("session-file-send-success")

    assert missed == {**handed, "missed": True}
    assert taken == {"sessionId": number, "fileId": handed["fileId"]}
    events = SessionEvent.objects.filter(session=number).exclude(what="disconnect")
    assert list(events.values_list("what", flat=True)) == ["open", "send"]


@pytest.mark.parametrize("in_address", [True, False])
def test_a_key_counts_wherever_it_stands(program, in_address):
    with Program(
        program.port, program.token, in_address=in_address, in_packet=not in_address
    ) as client:
        client.join()

        assert client.hear("session-auto-reconnect-error")


def test_who_has_no_key_is_told_so_and_left_in_peace(program):
    with Program(program.port, "$2b$unknown/.key") as client:
        client.join()

        told = client.rest()

    assert [json.loads(told[0].removeprefix("42/pku,"))[0], *told[1:]] == [
        "connection-auth-error",
        "41/pku,",
    ]


def test_the_newest_connection_has_the_session_and_the_former_ends_nothing(program):
    with program as first:
        first.join()
        number = first.start(seconds=60)
        first.hear("session-file-available")
        with Program(program.port, program.token) as second:
            second.join()
            rest = first.rest()
            second.say("session-reconnect", {})
            again = second.hear("session-reconnect-success")

    assert rest[-1] == "41/pku,"
    assert again == {"sessionId": number}
    whats = SessionEvent.objects.filter(session=number).values_list("what", flat=True)
    assert "disconnect" not in list(whats)[:-1]


def answers_to(client, text):
    """All that is written until the answer to a ping that follows."""
    client.write(text)
    client.write("2probe")
    return [*iter(client.read, "3probe")]


def test_a_hostile_frame_is_answered_as_the_corpus_says(program):
    """A connection is closed after 20 packets that nobody can read: 15 have one of their own."""
    told = {}
    for start in range(0, len(FRAMES), 15):
        with Program(program.port, program.token) as client:
            client.join()
            client.hear("session-auto-reconnect-error")
            for name, text, expected in FRAMES[start : start + 15]:
                found = "".join(answers_to(client, text)).removeprefix('42/pku,["')
                told[name] = expected if expected and found.startswith(expected) else found

    assert told == {name: expected for name, _text, expected in FRAMES}


def test_a_request_to_the_gateway_is_answered_as_the_corpus_says(program):
    told = []
    for verb, address, _status in GATEWAY:
        connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
        with contextlib.closing(connection):
            connection.request(verb, address)
            told.append((verb, address, connection.getresponse().status))

    assert told == GATEWAY


def test_a_thousand_connections_without_a_key_keep_nobody_from_answering(program):
    raise_limit_of_files()
    with program as calm:
        calm.join()
        number = calm.start(seconds=60)
        handed = calm.hear("session-file-available")
        strangers = asyncio.run(crowd_of_strangers(program.port, 1000))
        calm.send(number, handed["fileId"], markup_of(handed["content"]))
        taken = calm.hear("session-file-send-success")

    assert taken == {"sessionId": number, "fileId": handed["fileId"]}
    assert sum(strangers.values()) == 1000
    assert set(strangers) <= {"connection-auth-error", "no room"}
    assert strangers["connection-auth-error"] > 0


async def crowd_of_strangers(port, count):
    """What so many are told who come at once and have no key."""
    address = f"ws://127.0.0.1:{port}/socket.io/?EIO=3&transport=websocket"

    async def come():
        try:
            async with connect(address, open_timeout=4 * PATIENCE, ping_interval=None) as socket:
                await socket.send("40/pku,")
                written = [text async for text in socket]
        except InvalidStatus:
            return "no room"
        (said,) = (json.loads(text[7:]) for text in written if text.startswith("42/pku,"))
        return said[0]

    return Counter(await asyncio.gather(*(come() for _ in range(count))))


@pytest.mark.parametrize("door", ["socketio", "rest"])
def test_in_a_final_of_many_no_answer_is_lost_or_counted_twice(stack, tmp_path, door):
    plan = Plan(clients=12, files=2, seconds=8, head_start=10, after=1)
    gateway = stack.gateway.getsockname()[1]
    member = {
        "socketio": partial(Member, gateway),
        "rest": partial(RestMember, stack.port, gateway),
    }[door]
    crowd = Crowd(member, plan)

    crowd.run()

    told = {what: len(crowd.heard(what)) for what in ("handed_out", "accepted", "refused")}
    assert told == {"handed_out": 24, "accepted": 24, "refused": 0}
    open_ones = crowd.final.sessions.filter(closed_at=None)
    stack.until(lambda: not open_ones.exists(), "all sessions are settled")
    assert crowd.history(tmp_path) == []


def test_bytes_and_messages_without_end_close_their_own_connection_only(program):
    with program as calm, Program(program.port, "") as bytes_, Program(program.port, "") as long_:
        calm.join()
        bytes_.socket.send(b"\x04binary")
        bytes_.rest()
        with contextlib.suppress(ConnectionClosed):
            long_.socket.send("4" * 4_100_000)
        long_.rest()
        calm.write("2")

        assert "3" in iter(calm.read, None)
