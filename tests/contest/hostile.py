"""What hostile or broken programs write to both doors, and what each is answered.

A frame is a text to a websocket that has joined, without a session; its answer is the name of an
event, ``44`` for what nobody can read, ``3…`` for a ping, or nothing. A request goes to the REST
door (``SENDS`` as an answer to a file that is open, ``REQUESTS`` anywhere) or to the gateway. Bytes
that are against the websocket's own rules (``BROKEN_FRAMES``) close their connection.
"""

from __future__ import annotations

import json

DEEP = "[" * 40 + "]" * 40
ODD = {
    "nothing": None,
    "true": True,
    "a number": 7,
    "a huge number": 10**400,
    "a fraction": -1.5,
    "an empty text": "",
    "a long text": "x" * 20_000,
    "half a surrogate": "\ud800",
    "a zero byte": "\x00",
    "an empty list": [],
    "a list of lists": json.loads(DEEP),
    "an empty object": {},
    "keys of nobody": {"__class__": "os", "constructor": {"prototype": 1}},
    "a number of another": {"sessionId": 999_999_999, "fileId": "0000001", "content": "{}"},
    "wrong kinds": {"sessionId": [], "fileId": {}, "content": 5, "type": [], "params": 3},
    "texts for numbers": {
        "sessionId": "1; DROP TABLE",
        "fileId": "../../etc/passwd",
        "content": "x",
    },
    "infinity in params": {"type": "algorithmic", "params": {"countFiles": "1e9", "time": "∞"}},
    "digits of another script": {
        "type": "algorithmic",
        "params": {"dsType": "train", "countFiles": "١٠", "time": "٣٠", "lang": "all"},
    },
}
"""What follows the name of an event."""
UNSPEAKABLE = ("a huge number",)
"""Of these no JSON is read at all."""
ANSWERS = {
    "session-start": "session-start-error",
    "session-file-send": "session-file-send-error",
    "session-file-repeat": "session-file-repeat-error",
    "session-reconnect": "session-reconnect-error",
    "session-client-abort": "session-client-abort-error",
    "logs-send": "logs-send-error",
    "session-close": "",
}
"""Events without an open session; the last one is the platform's own, and needs no answer."""
UNREADABLE = "44"
PACKETS = {
    "empty": ("", UNREADABLE),
    "no number": ("x", UNREADABLE),
    "an unknown number": ("9", UNREADABLE),
    "an opening": ("0{}", UNREADABLE),
    "a blank": (" ", UNREADABLE),
    "HTTP": ("GET / HTTP/1.1\r\n\r\n", UNREADABLE),
    "a long quiet packet": ("3" * 200, UNREADABLE),
    "a ping": ("2", "3"),
    "a ping with words": ("2words", "3words"),
    "a ping with a book": ("2" + "x" * 5000, "3" + "x" * 100),
    "a pong": ("3", ""),
    "an upgrade": ("5", ""),
    "a rest": ("6", ""),
    "a bare message": ("4", UNREADABLE),
    "a message of no kind": ("4x", UNREADABLE),
    "a binary event": ("451-/pku,[]", UNREADABLE),
    "a binary acknowledgement": ("461-/pku,[]", UNREADABLE),
    "an acknowledgement": ("43/pku,1[]", ""),
    "an error": ("44/pku,{}", ""),
    "joining again": ("40/pku,", ""),
    "joining with another key": ("40/pku?token=other,", ""),
    "joining the default namespace": ("40", ""),
    "joining elsewhere": ("40/other,", "44/other"),
    "joining at great length": ("40/" + "x" * 5000, "44/"),
    "joining with many fields": ("40/pku?" + "a=1&" * 50 + ",", UNREADABLE),
    "an event elsewhere": ('42/other,["session-start",{}]', UNREADABLE),
    "an event nowhere": ('42["session-start",{}]', UNREADABLE),
    "no JSON": ("42/pku,", UNREADABLE),
    "half a list": ('42/pku,["session-start"', UNREADABLE),
    "two lists": ("42/pku,[][]", UNREADABLE),
    "an object": ("42/pku,{}", UNREADABLE),
    "a text": ('42/pku,"session-start"', UNREADABLE),
    "an empty list": ("42/pku,[]", UNREADABLE),
    "a number for a name": ("42/pku,[1]", UNREADABLE),
    "no number for a name": ("42/pku,[NaN]", UNREADABLE),
    "a list for a name": ('42/pku,[["session-start"]]', UNREADABLE),
    "a bottomless list": ("42/pku," + "[" * 100_000, UNREADABLE),
    "a bottomless object": ("42/pku," + '{"a":' * 50_000, UNREADABLE),
    "a long number": ("42/pku," + "9" * 100_000 + "[]", UNREADABLE),
    "single quotes": ("42/pku,['session-start',{}]", UNREADABLE),
    "a comment": ('42/pku,["session-start",/**/{}]', UNREADABLE),
    "a mark before it": ('42/pku,\ufeff["session-start",{}]', "session-start-error"),
    "a name in capitals": ('42/pku,["SESSION-START",{}]', ""),
    "an empty name": ('42/pku,[""]', ""),
    "a long name": ('42/pku,["' + "x" * 50_000 + '"]', ""),
    "a number for an answer": ('42/pku,7["session-reconnect"]', "session-reconnect-error"),
    "more than is read": ('42/pku,["session-reconnect",{},1,2,3]', "session-reconnect-error"),
}
FRAMES = [
    *((name, text, expected) for name, (text, expected) in PACKETS.items()),
    *(
        (
            f"{event}: {name}",
            f"42/pku,{json.dumps([event, data])}",
            UNREADABLE if name in UNSPEAKABLE else expected,
        )
        for event, expected in ANSWERS.items()
        for name, data in ODD.items()
        if not (event == "logs-send" and isinstance(data, list))  # a log, if an odd one
    ),
]
"""(What it is, the text, its answer)."""

SENDS = {
    "nothing": (b"", "broken"),
    "blanks": (b" \n\t ", "broken"),
    "zero bytes": (b"\x00" * 100, "broken"),
    "no UTF-8": (b"\xff\xfe{\x00}\x00", "broken"),
    "Latin 1": ('{"text": "é"}'.encode("latin-1"), "broken"),
    "a mark before it": (b"\xef\xbb\xbf{", "broken"),
    "null": (b"null", "broken"),
    "a number": (b"7", "broken"),
    "a text": (b'"text"', "broken"),
    "a list": (b"[]", "broken"),
    "an empty object": (b"{}", "broken"),
    "half an object": (b'{"text": ', "broken"),
    "two objects": (b"{}{}", "broken"),
    "infinity": (b'{"text": "x", "selections": Infinity}', "broken"),
    "bottomless": (b"[" * 100_000, "broken"),
    "digits": (b"9" * 10_000, "broken"),
    "half a surrogate": (b'{"text": "\\ud800"}', "broken"),
    "a key twice": (b'{"text": "a", "text": "b"}', "broken"),
    "text of a number": (b'{"text": 1}', "foreign"),
    "XML": (b"<markup/>", "broken"),
    "a form": (b"text=x&selections=y", "broken"),
    "a zip": (b"PK\x03\x04" + b"\x00" * 30, "broken"),
    "another essay's text": (b'{"text": "Another essay.", "selections": []}', "foreign"),
}
"""Bodies of an answer to a file that is open: (the bytes, why they do not count)."""
SESSION = "/api/exchange/sessions/{session}/"
FILE = SESSION + "files/{file}/"
REQUESTS = [
    ("DELETE", SESSION, b"", 405),
    ("PUT", SESSION, b"{}", 405),
    ("PATCH", SESSION, b"{}", 405),
    ("POST", SESSION, b"{}", 405),
    ("GET", SESSION + "?x=1", b"", 400),
    ("GET", SESSION + "abort/", b"", 405),
    ("GET", SESSION + "next/", b"", 405),
    ("GET", FILE, b"", 405),
    ("DELETE", FILE, b"", 405),
    ("POST", SESSION + "log/", b"{}", 405),
    ("POST", SESSION + "next/", b'{"more": 1}', 400),
    ("POST", SESSION + "next/", b"[]", 400),
    ("POST", SESSION + "next/", b"{", 400),
    ("POST", SESSION + "next/", b"\xff", 400),
    ("POST", SESSION + "repeat/", b'{"more": 1}', 400),
    ("POST", SESSION + "abort/", b'{"more": 1}', 400),
    ("POST", SESSION + "abort/", b"7", 400),
    ("POST", SESSION + "unknown/", b"{}", 404),
    ("GET", "/api/exchange/sessions/0/", b"", 404),
    ("GET", "/api/exchange/sessions/-1/", b"", 404),
    ("GET", "/api/exchange/sessions/1e3/", b"", 404),
    ("GET", f"/api/exchange/sessions/{10**30}/", b"", 404),
    ("GET", "/api/exchange/sessions/?page=x", b"", 400),
    ("GET", "/api/exchange/unknown/", b"", 404),
    ("POST", "/api/exchange/", b"{}", 405),
    *(
        ("POST", "/api/exchange/sessions/", body, 400)
        for body in (
            b"",
            b"{",
            b"[]",
            b"null",
            b"7",
            b"[" * 50_000,
            b'{"mode": null}',
            b'{"mode": "x"}',
            b'{"mode": ["final"]}',
            b'{"mode": "algorithmic", "files": 9}',
            b'{"mode": "algorithmic", "files": 1e400}',
            b'{"mode": "algorithmic", "files": "many"}',
            b'{"mode": "algorithmic", "files": "10"}',
            b'{"mode": "algorithmic", "files": 10.0}',
            b'{"mode": "algorithmic", "files": true}',
            b'{"mode": "algorithmic", "time": -1}',
            b'{"mode": "algorithmic", "time": "10"}',
            b'{"mode": "algorithmic", "time": 1e1}',
            b'{"mode": "algorithmic", "time": [10]}',
            b'{"mode": "algorithmic", "set": "final"}',
            b'{"mode": "algorithmic", "language": "fra"}',
            b'{"mode": "algorithmic", "essay_set": "nobody\'s"}',
            b'{"mode": "final", "final": 0}',
            b'{"mode": "final", "final": "1"}',
            b'{"mode": "technical", "rules": {"limit": 1}}',
            b'{"mode": "technical", "participant": 1}',
        )
    ),
]
"""(Verb, address, body, status) by somebody who has an open session of the REST door."""
GATEWAY = [
    ("GET", "/", 404),
    ("GET", "/healthz", 200),
    ("POST", "/healthz", 404),
    ("GET", "/healthz/", 404),
    ("GET", "/socket.io/", 400),
    ("GET", "/socket.io/?EIO=3&transport=polling", 400),
    ("POST", "/socket.io/?EIO=4&transport=polling", 400),
    ("GET", "/socket.io/../../etc/passwd", 400),
    ("GET", "/api/exchange/", 404),
    ("GET", "/api/exchange/sessions/1/next/", 404),
    ("POST", "/api/exchange/sessions/1/next/", 401),
    ("POST", f"/api/exchange/sessions/{'9' * 18}/next/", 401),
    ("POST", f"/api/exchange/sessions/{'9' * 19}/next/", 404),
    ("POST", "/api/exchange/sessions/-1/next/", 404),
    ("POST", "/api/exchange/sessions/1/send/", 404),
    ("DELETE", "/api/exchange/sessions/1/next/", 404),
    ("OPTIONS", "*", 404),
]
"""(Verb, address, status) without a key."""
MASK = bytes(4)
BROKEN_FRAMES = {
    "a reserved bit": b"\xc1\x81" + MASK + b"2",
    "all reserved bits": b"\xf1\x81" + MASK + b"2",
    "no mask": b"\x81\x012",
    "no UTF-8": b"\x81\x82" + MASK + b"\xff\xfe",
    "half a surrogate": b"\x81\x83" + MASK + b"\xed\xa0\x80",
    "an overlong sign": b"\x81\x82" + MASK + b"\xc0\xaf",
    "a continuation of nothing": b"\x80\x81" + MASK + b"2",
    "a message within another": b"\x01\x81" + MASK + b"2" + b"\x81\x81" + MASK + b"2",
    "UTF-8 that is cut in two and wrong": b"\x01\x81" + MASK + b"\xd0" + b"\x80\x81" + MASK + b"x",
    "an unknown kind": b"\x83\x81" + MASK + b"2",
    "an unknown kind of control": b"\x8b\x81" + MASK + b"2",
    "a ping in pieces": b"\x09\x81" + MASK + b"2",
    "a ping that is too long": b"\x89\xfe\x00\x7e" + MASK + b"x" * 126,
    "a length of 2 GB": b"\x81\xff\x00\x00\x00\x00\x80\x00\x00\x00" + MASK,
    "a length beyond all": b"\x81\xff" + b"\xff" * 8 + MASK,
    "a closing of one byte": b"\x88\x81" + MASK + b"x",
    "a closing of no known reason": b"\x88\x82" + MASK + b"\x00\x01",
    "a closing in no UTF-8": b"\x88\x83" + MASK + b"\x03\xe8\xff",
    "no websocket at all": b"GET / HTTP/1.1\r\n\r\n",
}
"""What is against the websocket's own rules (RFC 6455), as bytes."""
