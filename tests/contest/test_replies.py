"""What the original's clients say and are answered, without a socket."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.utils import translation

from accounts.models import ApiToken
from accounts.services.tokens import issue_token, revoke_token
from annotator.core.values import LARGEST_MARKUP
from contest.gateway.hall import News, news
from contest.gateway.replies import (
    ANSWER,
    Reply,
    Sent,
    answer,
    attached,
    available,
    closing,
    take_together,
)
from contest.models import ExchangeSession, ProgramLog
from contest.services.sessions.asking import essay_json, note_deliveries
from contest.services.sessions.clock import moment_now
from contest.services.sessions.connecting import connect
from contest.services.sessions.ending import abort, stop
from tests.contest.world import SECOND, Client, Door, Mode, marked_set, team
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db

START = {
    "type": "ALGORITHMIC",
    "params": {"dsType": "train", "countFiles": "10", "lang": "all", "time": 10},
}


@pytest.fixture
def person():
    marked_set(2)
    return team()


@pytest.fixture
def opened(person):
    """The session a program has opened, and the reply to its opening."""
    reply = answer(person, "session-start", START, moment_now())
    return ExchangeSession.objects.get(pk=reply.session), reply


def markup(slot):
    content = essay_json(slot.essay) | {"selections": [], "criteria": {}}
    return json.dumps(content, ensure_ascii=False)


def names(reply):
    return [name for name, _data in reply.says]


def test_a_session_is_opened_with_numbers_as_text_and_its_first_file_is_news(opened):
    session, reply = opened
    first = session.files.order_by("position").first()

    found = news({session.pk: reply.seen}, reply.seen + SECOND)

    assert reply.says == (("session-start-success", {"sessionId": session.pk}),)
    assert (session.door, session.rules["interval"], session.size) == ("socketio", 10, 2)
    assert found == News((first,), {}, reply.seen + 1 + 10 * SECOND)
    assert available(first) == (
        "session-file-available",
        {"sessionId": session.pk, "fileId": first.name, "content": essay_json(first.essay)},
    )


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        {"type": "unknown"},
        {"type": "final"},
        {"type": "algorithmic"},
        {"type": "algorithmic", "params": {**START["params"], "time": "9"}},
        {"type": "algorithmic", "params": {**START["params"], "countFiles": True}},
        {"type": "algorithmic", "params": {**START["params"], "lang": "fra"}},
    ],
)
def test_what_cannot_be_opened_is_told_with_a_sentence_and_nothing_else(person, data):
    reply = answer(person, "session-start", data, moment_now())

    ((name, said),) = reply.says
    assert (name, list(said), bool(said["message"])) == ("session-start-error", ["message"], True)
    assert not ExchangeSession.objects.exists()


def test_answers_are_taken_or_refused_by_file(person, opened):
    session, _reply = opened
    first, second = session.files.order_by("position")
    soon = moment_now() + SECOND

    def send(**said):
        data = {"sessionId": session.pk, "fileId": first.name, "content": markup(first)}
        ((name, told),) = answer(person, "session-file-send", {**data, **said}, soon).says
        return name.removeprefix("session-file-send-"), told["fileId"], set(told)

    success, error = {"sessionId", "fileId"}, {"sessionId", "fileId", "message"}
    assert send() == ("success", first.name, success)
    assert send(sessionId=False) == ("success", first.name, success)
    assert send(sessionId=session.pk + 1) == ("error", first.name, error)
    assert send(content="no JSON") == ("error", first.name, error)
    assert send(content=None) == ("error", first.name, error)
    assert send(fileId=second.name) == ("error", second.name, error)
    assert list(session.log.values_list("reason", flat=True)) == ["", "", "", "broken", "not-open"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            (
                "not readable as a markup; selections[0]: The fragment ends at 1, before it begins "
                "at 9. Further problems: 29. “razbor validate” names all of them."
            ),
        ),
        (
            "ru",
            (
                "не читается как разметка; selections[0]: Фрагмент кончается в\xa0позиции 1, "
                "раньше своего начала в\xa0позиции 9. Других замечаний: 29. Все называет «razbor "
                "validate»."
            ),
        ),
    ],
)
def test_the_message_says_what_keeps_an_answer_from_being_read_and_how_much_more(
    person, opened, language, told
):
    session, _reply = opened
    first = session.files.earliest("position")
    backwards = [{"startSelection": 9, "endSelection": 1, "type": "А.грамм"}] * 30
    content = json.dumps(essay_json(first.essay) | {"selections": backwards})
    data = {"sessionId": session.pk, "fileId": first.name, "content": content}

    with translation.override(language):
        alone = answer(person, ANSWER, data, moment_now()).says
    (together,) = take_together([Sent(person, data, moment_now(), language)])

    named = {"sessionId": session.pk, "fileId": first.name}
    assert alone == (("session-file-send-error", {**named, "message": told}),)
    assert together == Reply(alone)


def test_an_answer_that_is_too_large_is_refused_in_words_and_leaves_nothing(person, opened):
    session, _reply = opened
    first = session.files.earliest("position")
    content = markup(first) + " " * LARGEST_MARKUP
    data = {"sessionId": session.pk, "fileId": first.name, "content": content}

    alone = answer(person, ANSWER, data, moment_now()).says
    (together,) = take_together([Sent(person, data, moment_now(), "en")])

    told = {"sessionId": session.pk, "fileId": first.name}
    told["message"] = "The answer is larger than 2.5 MB."
    assert alone == (("session-file-send-error", told),)
    assert together == Reply(alone)
    assert list(session.log.values_list("what", flat=True)) == ["open"]


def test_an_answer_to_a_session_that_has_ended_is_logged_there(person, opened, caplog):
    session, _reply = opened
    first = session.files.earliest("position")
    abort(session_id=session.pk, moment=moment_now())
    other = Client(door=Door.SOCKETIO).session
    now = moment_now()

    def send(number):
        data = {"sessionId": number, "fileId": first.name, "content": markup(first)}
        together = take_together([Sent(person, data, now, "en")])[0]
        assert together is not None
        return [reply.says[0][1] for reply in (together, answer(person, ANSWER, data, now))]

    closed = {"sessionId": session.pk, "fileId": first.name}
    closed["message"] = "sent after the session had ended"
    assert send(session.pk) == send(str(session.pk)) == [closed] * 2
    again = answer(person, "session-start", START, now).session
    assert send(session.pk) == [closed] * 2
    assert [told["sessionId"] for told in send(other.pk)] == [again] * 2
    logged = session.log.filter(what="send").values_list("reason", "content", "slot")
    assert list(logged) == [("closed", "valid", first.pk)] * 6
    assert other.log.count() == ExchangeSession.objects.get(pk=again).log.count() == 1
    refused = f"an answer was not taken: session {again}, file {first.name!r}"
    assert [each.getMessage() for each in caplog.records] == [refused] * 2


def test_a_missed_file_comes_unless_the_program_has_it(person, opened):
    session, _reply = opened
    first = session.files.order_by("position").first()
    soon = moment_now() + SECOND

    missed = answer(person, "session-file-repeat", {"lastFileId": "old"}, soon)
    has_it = answer(person, "session-file-repeat", {"lastFileId": first.name}, soon)
    asked = answer(person, "session-file-repeat", {}, soon)

    assert [names(each)[0].rpartition("-")[2] for each in (missed, has_it, asked)] == [
        "success",
        "error",
        "success",
    ]
    assert [each.says[0][1]["missed"] for each in (missed, has_it, asked)] == [True, True, False]


@pytest.fixture
def broken():
    """A technical session whose connection broke after its first file; others opened since."""
    marked_set(5)
    client = Client(mode=Mode.TECHNICAL, door=Door.SOCKETIO)
    slots = list(client.session.files.order_by("position").select_related("essay"))
    note_deliveries(pushed=[(slots[0].pk, client.start)])
    client.send(slots[0], 1)
    return client, slots


def test_all_that_opened_while_a_program_was_away_reaches_it_when_it_is_back(broken):
    client, slots = broken
    later = client.moment(35)
    client.send(slots[1], 15)

    def told(last):
        said = answer(client.person, "session-file-repeat", {"lastFileId": last}, later).says
        return [(name.removeprefix("session-file-"), data.get("fileId")) for name, data in said]

    third, fourth = ("available", slots[2].name), ("repeat-success", slots[3].name)
    assert told(slots[0].name) == told("of an older session") == told(None) == [third, fourth]
    assert told(slots[4].name) == [third, fourth]  # an older session's, which here is yet to open
    assert told(slots[2].name) == [fourth]
    assert told(slots[3].name) == [("repeat-error", None)]
    assert [slot.deliveries.count() for slot in slots] == [1, 0, 4, 5, 0]


def test_a_program_that_reconnects_by_itself_gets_what_nobody_got(broken):
    client, slots = broken
    later = client.moment(25)

    first, again = (answer(client.person, "session-reconnect", None, later) for _ in range(2))

    assert names(first) == ["session-reconnect-success", *["session-file-available"] * 2]
    assert first.says[1:] == (available(slots[1]), available(slots[2]))
    assert names(again) == ["session-reconnect-success"]
    over = answer(client.person, "session-reconnect", None, client.moment(900))
    assert names(over) == ["session-reconnect-success"]


def test_a_program_ends_its_session(person, opened):
    session, _reply = opened

    ended = answer(person, "session-client-abort", {"sessionId": session.pk}, moment_now())
    again = answer(person, "session-client-abort", None, moment_now())

    assert (names(ended), ended.leaves) == (["session-client-abort-success"], True)
    assert names(again) == ["session-client-abort-error"]
    session.refresh_from_db()
    assert session.state == "aborted"
    assert closing(session.pk, session.state, "") is None


def test_who_comes_back_is_attached_and_a_session_of_the_other_door_is_not(person, opened):
    session, _reply = opened
    now = moment_now()
    other = Client(door=Door.REST)

    def coming(somebody):
        return attached(connect(participant=somebody, holder=uuid4(), moment=now), now)

    assert coming(person) == Reply(session=session.pk, seen=now)
    assert names(coming(other.person)) == ["session-auto-reconnect-error"]
    assert names(coming(team())) == ["session-auto-reconnect-error"]


def test_whose_session_goes_through_rest_hears_so_whatever_is_asked(person, opened):
    session, _reply = opened
    other, stranger = Client(door=Door.REST), team()
    asked = {
        ANSWER: {"fileId": "1", "content": "{}"},
        "session-file-repeat": {"lastFileId": "1"},
        "session-reconnect": None,
        "session-client-abort": {"sessionId": other.session.pk},
    }

    def told(somebody):
        return {
            answer(somebody, name, data, moment_now()).says[0][1]["message"]
            for name, data in asked.items()
        }

    by_rest = "Your open session goes through REST: end it there, or go on there."
    assert (told(other.person), told(stranger)) == ({by_rest}, {"You have no open session."})
    wrong = answer(person, "session-client-abort", {"sessionId": session.pk + 9}, moment_now())
    assert wrong.says == (
        (
            "session-client-abort-error",
            {"message": "This is not the number of your open session."},
        ),
    )


def test_a_stopped_session_tells_why(opened):
    session, reply = opened
    stop(session_id=session.pk, reason="Fire drill.", actor=PersonFactory(), moment=moment_now())

    found = news({session.pk: reply.seen}, moment_now())

    assert found.ended == {session.pk: ("stopped", "Fire drill.")}
    assert closing(session.pk, "stopped", "Fire drill.") == (
        "session-abort",
        {"sessionId": session.pk, "message": "Fire drill."},
    )
    assert closing(session.pk, "finished", "") == (
        "session-close",
        {"sessionId": session.pk, "type": "finish"},
    )


def test_logs_of_a_program_are_kept_up_to_a_number(person):
    entries = [{"level": "info", "message": "text"}]

    kept = [answer(person, "logs-send", entries, moment_now()) for _ in range(102)]
    refused = [answer(person, "logs-send", data, moment_now()) for data in ({}, [""] * 10_001)]

    assert {each.says for each in kept} == {(("logs-send-success", None),)}
    assert [names(each) for each in refused] == [["logs-send-error"]] * 2
    assert ProgramLog.objects.count() == 100


def test_in_the_log_of_a_program_its_keys_are_masked(person):
    key, former = (issue_token(user=person, name="program") for _ in range(2))
    revoke_token(token=ApiToken.objects.latest("pk"), actor=None)
    alike = "x" * 43
    entries = [
        {"message": f"GET /socket.io/?token={key}&EIO=3"},
        {"message": f"token%3D{former}", "token": former, "digest": alike},
    ]

    answer(person, "logs-send", entries, moment_now())

    assert ProgramLog.objects.get().entries == [
        {"message": f"GET /socket.io/?token=…{key[-4:]}&EIO=3"},
        {"message": f"token%3D…{former[-4:]}", "token": f"…{former[-4:]}", "digest": alike},
    ]


def test_an_event_nobody_knows_is_not_answered(person):
    assert answer(person, "unknown", {}, moment_now()) == Reply()
