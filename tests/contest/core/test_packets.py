"""What clients of the original write, packet by packet, and what they are written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest.core.packets import (
    Join,
    Leave,
    Ping,
    Quiet,
    Said,
    Unreadable,
    event,
    hello,
    read_packet,
    strange_namespace,
    token_of,
    unreadable,
)

NO_EVENT = "no event: not a list that begins with its name"


@pytest.mark.parametrize(
    ("text", "packet"),
    [
        ("2", Ping("")),
        ("2probe", Ping("probe")),
        ("1", Leave()),
        ("41", Leave()),
        ("41/pku,", Leave()),
        ("40", Join("/", "")),
        ("40/pku", Join("/pku", "")),
        ("40/pku,", Join("/pku", "")),
        ("40/pku?token=%242b%2410%24a%2Fb.c,", Join("/pku", "$2b$10$a/b.c")),
        ("40/other,", Join("/other", "")),
        ('42/pku,["session-reconnect"]', Said("session-reconnect", None)),
        ('42/pku,["session-file-repeat",{}]', Said("session-file-repeat", {})),
        ('42/pku,7["session-reconnect",{}]', Said("session-reconnect", {})),
        ('42/pku,["logs-send",[{"level":"info"}],1]', Said("logs-send", [{"level": "info"}])),
        (r'42/pku,["a","\u0000 \\u0000 \\\u0000"]', Said("a", "\1 \\u0000 \\\1")),
        (r'42/pku,["a","\ud800 \uDFFF \ud83d\ude00 \\ud800"]', Said("a", "\1 \1 😀 \\ud800")),
        ("3", Quiet()),
        ("6", Quiet()),
        ('43/pku,1["ok"]', Quiet()),
        ("", Unreadable("no packet")),
        ("9", Unreadable("no packet")),
        ("4", Unreadable("no message")),
        ("42[]", Unreadable("an event outside of the namespace")),
        ("42/pku,", Unreadable("no event: not-json")),
        ("42/pku,{}", Unreadable(NO_EVENT)),
        ("42/pku,[]", Unreadable(NO_EVENT)),
        ("42/pku,[1]", Unreadable(NO_EVENT)),
        ("42/pku," + "9" * 30 + '["x"]', Unreadable("no event")),
        ("40/pku?" + "a=b&" * 30 + ",", Unreadable("a query of too many fields")),
    ],
)
def test_a_packet_is_read(text, packet):
    assert read_packet(text) == packet


@given(st.text() | st.text().map(lambda text: f"42/pku,{text}"))
def test_any_text_has_a_packet(text):
    assert isinstance(read_packet(text), Ping | Join | Said | Leave | Quiet | Unreadable)


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.dictionaries(st.sampled_from(["sessionId", "fileId"]), st.integers(0, 9)),
)
def test_an_event_of_the_platform_is_read_as_it_was_said(name, data):
    assert read_packet(event(name, data)) == Said(name, data)


def test_the_platform_writes_as_it_was_seen_on_the_wire():
    first = hello("a1")

    assert (first[0], json.loads(first[1:])) == (
        "0",
        {"sid": "a1", "upgrades": [], "pingInterval": 25000, "pingTimeout": 60000},
    )
    assert event("logs-send-success") == '42/pku,["logs-send-success"]'
    assert event("x", {"message": "Ёж"}) == '42/pku,["x",{"message":"Ёж"}]'
    assert strange_namespace("/other") == '44/other,"Invalid namespace"'
    assert unreadable("no event") == '44/pku,"no event"'


@pytest.mark.parametrize(
    ("query", "token"),
    [
        ("", ""),
        ("EIO=3&transport=websocket", ""),
        ("token=%24a%2F%2E&EIO=3", "$a/."),
        ("token=first&token=second", "first"),
        ("token=&EIO=3", ""),
    ],
)
def test_a_key_is_found_in_a_query(query, token):
    assert token_of(query) == token
