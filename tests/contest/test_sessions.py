"""Sessions as rows: opened, asked, answered, settled; judged again from their logs."""

from __future__ import annotations

import json

import pytest

from contest.core.moments import moment_of
from contest.core.session_rules import Ineffective
from contest.models import ExchangeSession, SessionEvent
from contest.pages.logs import log_of
from contest.services.sessions.asking import Wait, repeat_file
from contest.services.sessions.clock import moment_now
from contest.services.sessions.ending import abort, stop
from contest.services.sessions.finals import cancel_final
from contest.services.sessions.opening import open_session
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.settling import settle_due
from contest.signals import session_closed
from jobs.signals import ticked
from razbor.commands.session import judged_log
from tests.contest.world import (
    SECOND,
    Client,
    Door,
    Mode,
    Pool,
    answer,
    final_at,
    marked_set,
    spoilt,
    team,
    wish,
)
from tests.factories import EssayFactory, PersonFactory

pytestmark = pytest.mark.django_db


def refused(call, *args, **kwargs):
    """The word a wish is declined with."""
    with pytest.raises(SessionRefused) as caught:
        call(*args, **kwargs)
    return caught.value.code


def judged(session, moment, tmp_path):
    """What ``razbor session`` says of the log, as the verdicts of the files."""
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log_of(session, moment)), encoding="utf-8")
    found = judged_log(str(path))
    return found, [each["reason"] or each["verdict"] for each in found["files"]]


# -- by asking -----------------------------------------------------------------------------------


def test_files_are_asked_for_answered_and_counted(tmp_path):
    marked_set(3)
    client = Client()

    for number in range(3):
        handed = client.next(number)
        receipt = client.send(handed.slot, number + 0.5)
        assert (receipt.reason, receipt.sends_left) == (None, 9 if number < 2 else 0)

    assert (client.row.state, client.row.counted, client.row.annulled) == ("finished", 3, 0)
    found, verdicts = judged(client.row, client.moment(60), tmp_path)
    assert verdicts == client.verdicts() == ["counted"] * 3
    assert found["session"]["closed_at"] == log_of(client.row, 0)["events"][-1]["t"]
    assert refused(client.next, 4) == "ended"


def test_a_file_asked_for_twice_is_the_same_and_its_clock_runs_on():
    marked_set(2)
    client = Client()
    first, again = client.next(1), client.next(4)

    assert again.slot == first.slot
    assert (first.seconds_left, again.seconds_left) == (10, 7)
    assert list(client.session.log.values_list("what", flat=True)) == ["open", "ask"]
    assert first.slot.deliveries.count() == 2


def test_an_answer_after_the_last_moment_is_late_and_settled_five_seconds_later():
    marked_set(2)
    client = Client()
    handed = client.next(0)

    settle_due(moment=client.moment(14.9))
    assert client.verdicts() == ["open", "waiting"]
    settle_due(moment=client.moment(15.1))
    assert client.verdicts() == ["missing", "waiting"]
    receipt = client.send(handed.slot, 16)
    assert receipt.reason is Ineffective.LATE
    settle_due(moment=client.moment(26))
    assert client.verdicts() == ["late", "not-requested"]


def test_who_waited_for_a_lock_loses_no_time_by_it():
    marked_set(2)
    client = Client()
    handed = client.next(0)

    settle_due(moment=client.moment(14.5))  # stored 4.5 s after it came
    assert client.send(handed.slot, 10).reason is None
    settle_due(moment=client.moment(40))
    assert client.verdicts()[0] == "counted"


def test_an_event_is_never_earlier_than_the_last_one_of_its_session():
    marked_set(2)
    client = Client()
    handed = client.next(3)

    client.send(handed.slot, 2.5)  # by the clock of a process that lags behind

    moments = [moment_of(moment) for moment in client.session.log.values_list("at", flat=True)]
    assert moments == [client.start, client.moment(3), client.moment(3)]


def test_tick_settles_what_fell_due_where_no_gateway_runs():
    marked_set(2)
    client = Client(moment=moment_now() - 30 * SECOND)
    client.next(0)
    before = client.verdicts()

    ticked.send(sender=None)

    assert (before, client.verdicts()) == (["open", "waiting"], ["missing", "not-requested"])


def test_what_is_settled_stays_so_however_late_an_earlier_answer_is_stored(tmp_path):
    marked_set(2)
    client = Client()
    handed = client.next(0)
    settle_due(moment=client.moment(16))

    assert client.send(handed.slot, 9).reason is Ineffective.LATE
    settle_due(moment=client.moment(60))
    found, verdicts = judged(client.row, client.moment(400), tmp_path)
    assert verdicts == client.verdicts() == ["late", "not-requested"]
    assert found["session"]["state"] == client.row.state == "finished"


# -- what is sent --------------------------------------------------------------------------------


def test_each_content_has_its_word():
    essays = list(marked_set(2).essays.all())
    client = Client()
    slot = client.next(0).slot
    other = next(essay for essay in essays if essay != slot.essay)

    def word(data):
        return client.send(slot, 1, data=data).reason

    assert word(b"\xff\x00 no json") is Ineffective.BROKEN
    assert word(b"[1, 2]") is Ineffective.BROKEN
    assert word(b'{"selections": []}') is Ineffective.BROKEN
    assert word(answer(slot.essay, spans=[(0, 100_000)])) is Ineffective.BROKEN
    assert word(answer(slot.essay, spans=[(0, 4)] * 1001)) is Ineffective.BROKEN
    assert word(answer(slot.essay, text=slot.essay.text + "!")) is Ineffective.FOREIGN
    assert word(answer(other)) is Ineffective.FOREIGN
    assert word(answer(slot.essay, code="нет такого кода")) is None
    assert word(answer(slot.essay, spans=[(0, 8), (5, 11)])) is None


def test_the_eleventh_answer_is_over_the_limit_and_the_tenth_counts():
    marked_set(2)
    client = Client()
    slot = client.next(0).slot

    words = [client.send(slot, 1 + number / 10).reason for number in range(11)]

    assert words == [None] * 10 + [Ineffective.OVER_LIMIT]
    assert client.session.files.get(pk=slot.pk).answer.number == 11


def test_a_repeated_key_is_answered_as_the_first_was_and_stored_once():
    marked_set(2)
    client = Client()
    slot = client.next(0).slot
    first = client.send(slot, 1, key="a")
    again = client.send(slot, 2, key="a")
    other = client.send(slot, 3, data=b"?", key="a")
    broken = client.send(slot, 4, data=b"?", key="b")
    broken_again = client.send(slot, 5, key="b")

    told = [(each.reason, each.repeated, each.differed) for each in (first, again, other)]
    assert told == [(None, False, False), (None, True, False), (None, True, True)]
    assert (broken.reason, broken_again.reason) == (Ineffective.BROKEN, Ineffective.BROKEN)
    assert client.session.log.filter(what="send").count() == 2


def test_of_what_is_refused_more_than_ten_times_only_the_digest_is_kept():
    marked_set(2)
    client = Client()
    slot = client.next(0).slot
    for number in range(13):
        client.send(slot, 1, data=b"?%d" % number)
    client.send(slot, 2)

    sends = client.session.log.filter(what="send").order_by("number")
    assert [event.body is not None for event in sends] == [True] * 10 + [False] * 3 + [True]
    assert all(len(event.digest) == 64 for event in sends)


def test_an_unknown_file_and_a_closed_session_are_answered_and_logged():
    marked_set(2)
    client = Client()
    slot = client.next(0).slot
    unknown = client.session.files.model(name="no\x00 such\u202e file", essay=slot.essay)

    assert client.send(unknown, 1).reason is Ineffective.NOT_OPEN
    abort(session_id=client.session.pk, moment=client.moment(2))
    assert client.send(slot, 3).reason is Ineffective.CLOSED
    assert refused(abort, session_id=client.session.pk, moment=client.moment(4)) == "ended"
    words = list(client.session.log.values_list("what", "named", "reason"))
    assert words[2:] == [
        ("send", "no? such? file", "not-open"),
        ("abort", "", ""),
        ("send", slot.name, "closed"),
    ]


def test_a_log_has_an_end(monkeypatch):
    monkeypatch.setattr("contest.services.sessions.holding.MOST_EVENTS", 2)
    monkeypatch.setattr("contest.services.sessions.holding.EVENTS_OF_A_FILE", 1)
    marked_set(2)
    client = Client()
    slot = client.next(0).slot
    for number in range(2):
        client.send(slot, number)

    assert refused(client.send, slot, 3) == "log-full"
    assert client.row.events == SessionEvent.objects.count() == 4


def test_a_session_that_cannot_be_settled_holds_up_no_other(caplog):
    marked_set(2)
    sound = Client(moment=1_800_000_000 * SECOND)
    session = spoilt()

    assert settle_due(moment=sound.moment(10_000)) == 1

    assert not sound.row.is_open
    assert f"session {session.pk} cannot be settled" in caplog.text


# -- by the clock --------------------------------------------------------------------------------


def test_files_of_a_final_open_at_the_same_moments_for_everybody_in_the_same_order(tmp_path):
    people = team(), team()
    final = final_at(1_800_000_000 * SECOND, *people, essays=3)
    early = Client(people[0], mode=Mode.FINAL, moment=1_799_999_400 * SECOND)
    late = Client(people[1], mode=Mode.FINAL, moment=1_800_000_119 * SECOND)

    waits = early.next(1)
    assert (waits, early.row.state) == (Wait(early.moment(600), early.moment(1)), "waiting")
    first, second = early.next(600), late.next(0)
    assert (first.slot.position, second.slot.position) == (1, 2)
    of_both = [list(each.session.files.values_list("essay", "opens_at")) for each in (early, late)]
    assert of_both[0] == of_both[1]
    assert [each[0] for each in of_both[0]] == [each.essay_id for each in final.files.all()]
    assert early.send(first.slot, 660).reason is None
    assert late.send(second.slot, 0.25).seconds_to_next == 0.75
    settle_due(moment=early.moment(2000))
    for each, expected in (
        (early, ["counted", "missing", "missing"]),
        (late, ["not-requested", "counted", "missing"]),
    ):
        found, verdicts = judged(each.row, each.moment(3000), tmp_path)
        assert verdicts == each.verdicts() == expected
        assert (found["solution"], each.row.solution) == ("annulled", "annulled")


def test_nobody_opens_a_final_too_late_twice_or_unadmitted():
    admitted, stranger = team(), team()
    start = 1_800_000_000 * SECOND
    final = final_at(start, admitted, team(), essays=4)

    def open_at(person, after, **fields):
        return refused(Client, person, mode=Mode.FINAL, moment=start + after * SECOND, **fields)

    assert open_at(stranger, 0) == "no-final"
    assert open_at(stranger, 0, final=final.pk) == "not-admitted"
    assert open_at(admitted, 121) == "too-late"
    client = Client(admitted, mode=Mode.FINAL, moment=start + 120 * SECOND)
    assert open_at(admitted, 121) == "already-open"
    abort(session_id=client.session.pk, moment=start + 122 * SECOND)
    assert open_at(admitted, 123) == "ended"
    assert (client.row.state, client.verdicts()) == ("aborted", ["not-requested"] + ["missing"] * 3)


def test_the_clients_of_the_original_get_a_schedule():
    marked_set(3)
    client = Client(door=Door.SOCKETIO, count=10)

    opened = client.session.files.values_list("opens_at", flat=True)
    spans = [(each - client.row.opened_at).total_seconds() for each in opened]
    assert spans == [0, 10, 20]
    assert client.next(0).slot.position == 1
    assert client.next(10).slot.position == 2
    assert repeat_file(session_id=client.session.pk, moment=client.moment(15)).slot.position == 2


# -- who may open what ---------------------------------------------------------------------------


def test_one_session_at_a_time_and_a_key_opens_it_once():
    marked_set(2)
    client = Client()
    assert refused(Client, client.person) == "already-open"
    args = {"participant": team(), "wish": wish(), "door": "rest", "key": "mine"}
    first, is_new = open_session(**args, moment=client.start)
    again, is_new_again = open_session(**args, moment=client.start)
    assert (first, is_new, is_new_again) == (again, True, False)
    technical = {**args, "wish": wish(Mode.TECHNICAL)}
    assert refused(open_session, **technical, moment=client.start) == "used-otherwise"


def test_only_essays_two_experts_have_marked_are_drawn_and_by_the_seed():
    essays = marked_set(4)
    EssayFactory(essay_set=essays)
    marked_set(3, access="closed")
    EssayFactory(essay_set__access="open", subject="rus")
    first, second = Client(), Client()

    assert {slot.essay.essay_set for slot in first.session.files.all()} == {essays}
    assert first.session.size == second.session.size == 4
    assert refused(Client, language="rus") == "no-essays"
    assert refused(Client, PersonFactory()) == "not-a-participant"


def test_test_sets_allow_so_many_sessions_a_day():
    marked_set(2, access="closed")
    person = team()
    first = Client(person, pool=Pool.TEST)
    abort(session_id=first.session.pk, moment=first.moment(1))
    for number in range(1, 5):
        each = Client(person, pool=Pool.TEST, moment=first.moment(10 * number))
        abort(session_id=each.session.pk, moment=first.moment(10 * number + 1))

    assert refused(Client, person, pool=Pool.TEST, moment=first.moment(100)) == "quota"
    assert Client(person, pool=Pool.TEST, moment=first.moment(86_400)).is_new


def test_organisers_stop_a_session_and_say_why():
    marked_set(2)
    client = Client()
    actor = PersonFactory(role="organiser")

    stop(session_id=client.session.pk, reason=" flood ", actor=actor, moment=client.moment(5))

    assert (client.row.state, client.row.stopped_because) == ("stopped", "flood")
    assert ExchangeSession.objects.filter(closed_at=None).count() == 0


def test_a_final_is_cancelled_while_a_session_has_ended_and_is_not_settled():
    person = team()
    final = final_at(1_800_000_000 * SECOND, person)
    client = Client(person, mode=Mode.FINAL, moment=1_800_000_000 * SECOND)

    cancel_final(final=final, reason="Fire.", actor=None, moment=client.moment(100_000))
    settle_due(moment=client.moment(100_010))

    final.refresh_from_db()
    assert (final.cancelled_because, client.row.state) == ("Fire.", "finished")


def test_what_comes_after_the_end_is_logged_and_does_not_announce_it_again():
    marked_set(2)
    client, announced = Client(), []
    slot = client.next(0).slot
    abort(session_id=client.session.pk, moment=client.moment(1))

    def note(session_id, **_):
        announced.append(session_id)

    session_closed.connect(note)
    try:
        receipts = [client.send(slot, second) for second in (2, 3)]
    finally:
        session_closed.disconnect(note)

    assert [(each.reason, each.sends_left) for each in receipts] == [(Ineffective.CLOSED, 0)] * 2
    assert announced == []
    assert (client.row.state, client.row.events) == ("aborted", 5)
