"""A qualification of five participants, each of another kind; the rules compress the time."""

from __future__ import annotations

import json
import random

import pytest

from contest.pages.logs import log_of
from contest.pages.standing import standing_of
from contest.services.sessions.asking import Handed
from contest.services.sessions.refusals import SessionRefused
from contest.services.sessions.settling import settle_due
from razbor.commands.session import judged_log
from tests.contest.world import Client, Door, marked_set

pytestmark = pytest.mark.django_db

FILES = 50
RULES = {"interval": 0.05, "limit": 0.05, "linger": 0.5, "lost": 900}
"""A second is worth a minute and more."""


def good(_number, due):
    return [(due / 4, {})]


def middling(_number, due):
    return [(due / 5, {"text": "another"}), (due / 2, {}), (due, {"code": "А.лекс"})]


def late(number, due):
    return [(due * 1.5, {})] if number % 5 == 0 else [(due * 0.9, {})]


def silent(number, due):
    return [] if number % 17 == 3 else [(due / 3, {})]


def garbage(_number, due):
    return [(due / 10 * each, {"data": b"{" * each}) for each in range(1, 12)]


KINDS = [good, middling, late, silent, garbage]


def play(client, kind):
    """All that a program of a kind does, each event at its moment."""
    limit = client.session.rules["limit"]
    events, delays = [], random.Random(7)
    for slot in client.session.files.select_related("essay").order_by("position"):
        opens = (slot.position - 1) * limit
        events.append((opens, 0, slot, None))
        events += [(opens + after, 1, slot, how) for after, how in kind(slot.position, limit)]
    for after, _turn, slot, how in sorted(events, key=lambda event: event[:2]):
        if how is None:
            found = client.next(after + delays.random() / 1e4)
            assert isinstance(found, Handed)
        else:
            client.send(slot, after, **how)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_platform_and_the_log_judge_alike(kind, tmp_path):
    marked_set(FILES)
    client = Client(door=Door.SOCKETIO, rules=RULES, count=FILES)

    play(client, kind)
    settle_due(moment=client.moment(60))

    row = client.row
    (tmp_path / "log.json").write_text(json.dumps(log_of(row, client.moment(60))), encoding="utf-8")
    judged = judged_log(str(tmp_path / "log.json"))
    verdicts = [each["reason"] or each["verdict"] for each in judged["files"]]
    standing = standing_of(row, client.moment(60))
    assert verdicts == client.verdicts()
    assert verdicts == [each["reason"] or each["verdict"] for each in standing["verdicts"]]
    assert (judged["session"]["state"], judged["annulled"]) == (row.state, row.annulled)
    reasons = list(row.log.order_by("number").values_list("reason", flat=True))
    assert [reason or "" for reason in judged["events"]] == reasons
    expected = {
        "good": {"counted": 50},
        "middling": {"counted": 50},
        "late": {"counted": 40, "late": 10},
        "silent": {"counted": 47, "missing": 3},
        "garbage": {"rejected": 50},
    }
    assert {each: verdicts.count(each) for each in set(verdicts)} == expected[kind.__name__]


def test_five_at_once_do_not_touch_each_other():
    marked_set(12)
    clients = [Client(rules=RULES, count=12) for _ in KINDS]
    for turn in range(12):
        for client, kind in zip(clients, KINDS, strict=True):
            try:
                slot = client.next(turn * 0.2).slot
            except SessionRefused:
                continue
            for after, how in kind(turn, 0.05):
                client.send(slot, turn * 0.2 + after, **how)

    settle_due(moment=clients[0].moment(60))
    counted = [client.row.counted for client in clients]
    assert counted[0] == max(counted)
    assert counted[-1] == 0
    assert len({client.row.state for client in clients} - {"finished", "timeout"}) == 0
