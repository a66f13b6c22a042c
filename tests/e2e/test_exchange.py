"""The gateway as a process of its own, with clients of the original."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
from collections import Counter
from functools import partial
from urllib.request import Request, urlopen

import pytest
from django.db.models import Min
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedOK, InvalidStatus

from accounts.models import ApiToken
from accounts.services.tokens import issue_token, revoke_token
from contest.management.commands.gateway import raise_limit_of_files
from contest.models import ExchangeSession, SessionEvent, SessionFile
from tests.contest.crowd import Crowd, Member, Plan
from tests.contest.hostile import FRAMES, GATEWAY
from tests.contest.node import Peer
from tests.contest.program import NOTHING_YET, PATIENCE, Program, markup_of
from tests.contest.rest_crowd import RestMember
from tests.contest.world import marked_set, team
from tests.e2e.conftest import BACKENDS, opened_stack
from tests.e2e.database import connected
from tests.e2e.gateways import kill, listens
from tests.factories import TEXT, EssayFactory, EssaySetFactory, submitted
from tests.razbor.guide import ADDRESS, typed

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


META = {
    "theme": "Sport unites people",
    "class": "",
    "taskText": "",
    "category": "",
    "expert": "",
    "test": "",
    "name": "",
    "markupUuid": "",
    "year": None,
    "subject": "rus",
    "third": False,
}
"""What is told of the essay of a test, but for its number and its uuid."""
NO_JSON = (
    "не читается как разметка; строка 1, столбец 1: Это не JSON. Проверьте здесь кавычки, запятые "
    "и\xa0скобки."
)


def marked_russian():
    """The one essay of its language here, which two experts have marked."""
    essay = EssayFactory(subject="rus", essay_set=EssaySetFactory(access="open"))
    for _expert in range(2):
        submitted(essay)
    return essay


class Wire:
    """What a client is written next is compared whole, and in order: nothing comes beside it."""

    def __init__(self, client):
        self.client = client

    def joins(self):
        hello, *joined = self.client.join()
        told = json.loads(hello[1:])
        sizes = {"upgrades": [], "pingInterval": 25000, "pingTimeout": 60000}
        assert (hello[0], {**told, "sid": ""}) == ("0", {"sid": "", **sizes})
        assert joined == ["40", "40/pku,"]

    def reads(self, packet):
        assert self.client.read() == packet

    def hears(self, name, **data):
        said = [name, data] if data else [name]
        self.reads("42/pku," + json.dumps(said, ensure_ascii=False, separators=(",", ":")))

    def number(self, name):
        """The number of the session that an event names, and nothing else."""
        said, data = json.loads(self.client.read().removeprefix("42/pku,"))
        assert (said, list(data)) == (name, ["sessionId"])
        return data["sessionId"]


def test_a_whole_session_packet_by_packet(program):
    essay = marked_russian()
    with program as client:
        told = Wire(client)
        told.joins()
        told.hears("session-auto-reconnect-error", message="У вас нет открытой сессии.")
        client.say("session-file-repeat", {"lastFileId": NOTHING_YET})
        none = {"message": "У вас нет открытой сессии.", "missed": True}
        told.hears("session-file-repeat-error", **none)
        params = {"dsType": "train", "countFiles": "10", "lang": "rus", "time": "10"}
        client.say("session-start", {"type": "algorithmic", "params": params})
        number = ExchangeSession.objects.get(pk=told.number("session-start-success")).pk
        file = {"sessionId": number, "fileId": essay.number}
        meta = {"id": essay.number, "uuid": str(essay.uuid), **META}
        content = {"meta": meta, "text": TEXT}
        told.hears("session-file-available", **file, content=content)
        client.write("2")
        told.reads("3")
        client.say("session-file-repeat", {})
        told.hears("session-file-repeat-success", **file, content=content, missed=False)
        client.say("session-file-repeat", {"lastFileId": essay.number})
        nothing = "Вы не пропустили ни одного файла, на который ещё можно ответить."
        told.hears("session-file-repeat-error", message=nothing, missed=True)
        client.say("session-reconnect", {})
        told.hears("session-reconnect-success", sessionId=number)
        client.say("logs-send", [{"level": "info", "message": "text"}])
        told.hears("logs-send-success")
        client.send(number, essay.number, "no JSON")
        told.hears("session-file-send-error", **file, message=NO_JSON)
        client.send(number, essay.number, markup_of(content))
        told.hears("session-file-send-success", **file)
        told.hears("session-close", sessionId=number, type="finish")
        client.say("session-client-abort", {"sessionId": number})
        told.hears("session-client-abort-error", message="У вас нет открытой сессии.")
        client.say("session-start", {"type": "algorithmic", "params": params})
        second = told.number("session-start-success")
        told.hears("session-file-available", sessionId=second, fileId=essay.number, content=content)
        client.say("session-client-abort", {"sessionId": second})
        told.hears("session-client-abort-success", message="Сессия завершена.")
        client.write("41/pku,")

        assert client.rest() == []

    found = ExchangeSession.objects.filter(pk__in=[number, second]).order_by("pk")
    assert [*found.values_list("state", "counted")] == [("finished", 1), ("aborted", 0)]


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


def test_the_guide_leads_a_client_of_the_original_to_a_finished_session(stack, program):
    marked_russian()
    (asking,) = typed('curl -H "Authorization: Token $RAZBOR_TOKEN"')
    head, address = asking[2].replace("$RAZBOR_TOKEN", program.token), asking[-1]
    asked = Request(address.replace(ADDRESS, stack.url), headers=dict([head.split(": ")]))  # noqa: S310 - our own stack
    with urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
        doors = {door["door"]: door["address"] for door in json.load(answer)["doors"]}

    host, _, end = doors["socketio"].rpartition("/")
    assert (host, end) == (f"http://127.0.0.1:{program.port}", "pku")
    with Peer(program.port, program.token) as client:
        client.hear("connect")
        params = {"dsType": "train", "countFiles": "300", "lang": "rus", "time": "10"}
        client.say("session-start", {"type": "algorithmic", "params": params})
        number = client.hear("session-start-success")["sessionId"]
        files = ExchangeSession.objects.get(pk=number).size
        for _ in range(files):
            handed = client.hear("session-file-available")
            content = json.dumps(markup_of(handed["content"]), ensure_ascii=False)
            answer = {"sessionId": number, "fileId": handed["fileId"], "content": content}
            client.say("session-file-send", answer)
            client.hear("session-file-send-success")
        closed = client.hear("session-close")

    assert closed == {"sessionId": number, "type": "finish"}
    session = ExchangeSession.objects.get(pk=number)
    assert (session.state, session.counted) == ("finished", files)


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

    assert [text.partition('"')[2].partition('"')[0] or text for text in rest] == [
        "connection-auth-error",
        "41/pku,",
    ]
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
    assert set(strangers) <= {"connection-auth-error", "gave way", "no room"}
    assert strangers["connection-auth-error"] > 0


def test_silent_connections_keep_no_client_out_that_shows_its_key(program):
    raise_limit_of_files()
    silent = f"ws://127.0.0.1:{program.port}/socket.io/?EIO=3&transport=websocket"

    async def beside_them():
        connections = [await connect(silent, ping_interval=None) for _ in range(1000)]
        try:
            return await asyncio.to_thread(first_file, program)
        finally:
            await asyncio.gather(*(each.close() for each in connections))

    handed = asyncio.run(beside_them())

    assert set(handed) == {"sessionId", "fileId", "content"}


def first_file(program):
    with program as client:
        client.join()
        client.start(seconds=60)
        return client.hear("session-file-available")


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
        except ConnectionClosedOK:  # before a word of it
            return "gave way"
        said = [json.loads(text[7:])[0] for text in written if text.startswith("42/pku,")]
        return said[0] if said else "gave way"

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
    assert Counter(seconds >= 0 for seconds in crowd.heard("handed_out")) == {True: 24}
    open_ones = crowd.final.sessions.filter(closed_at=None)
    stack.until(lambda: not open_ones.exists(), "all sessions are settled")
    files = SessionFile.objects.filter(session__final=crowd.final)
    first = files.annotate(handed_at=Min("deliveries__at")).values_list("opens_at", "handed_at")
    assert Counter(handed_at >= opens_at for opens_at, handed_at in first) == {True: 24}
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
