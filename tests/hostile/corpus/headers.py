"""Headers. A header is bytes; WSGI hands it over as Latin-1 letters."""

from __future__ import annotations

from tests.hostile.corpus.inputs import Input, inputs

UTF8 = "Ключ".encode().decode("latin-1")
EVERY_LATIN = "".join(map(chr, range(32, 256)))

VALUES = inputs(
    "what a header may hold and nobody expects",
    {
        "empty": "",
        "space": " ",
        "one": "x",
        "comma": ",",
        "commas": ",;=" * 500,
        "quote": '"',
        "quotes-unclosed": 'a="b; c="d',
        "utf-8": UTF8,
        "latin": EVERY_LATIN,
        "control": "a\x01\x1b[31mb",
        "tab": "a\tb",
        "nul": "a\0b",
        "delete": "a\x7fb",
        "not-utf-8": "\xff\xfe",
        "long": "x" * 8000,
        "80-letters": "x" * 80,
        "81-letters": "x" * 81,
        "words": "a b c d e f",
        "braces": "{name} {0} {",
        "percent": "%s %(name)s %00 %",
        "script": "<script>alert(document.domain)</script>",
        "sql": "' OR 1=1 --",
        "template": "{{ settings.SECRET_KEY }}",
        "url": "//evil.example/",
        "number": "9" * 5000,
        "negative": "-1",
        "json": '{"a": [}',
        "coded": "=?utf-8?b?0Jo=?=",
        "coded-parameter": "x; a*=nobody''%41",
        "wildcard": "*/*;q=nan, x/y;q=1e999, */*;q=-1",
        "date": "Tue, 99 Foo 99999 99:99:99 GMT",
    },
)

NAMES = (
    "Authorization",
    "Idempotency-Key",
    "Accept",
    "Accept-Language",
    "Accept-Encoding",
    "Content-Encoding",
    "Cookie",
    "HX-Request",
    "HX-Current-URL",
    "HX-Target",
    "HX-Boosted",
    "Host",
    "Origin",
    "Referer",
    "User-Agent",
    "X-CSRFToken",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "X-HTTP-Method-Override",
    "X-Requested-With",
    "If-Modified-Since",
    "If-None-Match",
    "Range",
    "Expect",
)

SPECIAL: tuple[Input[tuple[str, str]], ...] = inputs(
    "headers with a grammar of their own",
    {
        "token-empty": ("Authorization", "Token"),
        "token-space": ("Authorization", "Token "),
        "token-two": ("Authorization", "Token a b"),
        "token-latin": ("Authorization", "Token \xff\xe9"),
        "token-nul": ("Authorization", "Token a\0"),
        "token-long": ("Authorization", "Token " + "x" * 8000),
        "basic": ("Authorization", "Basic !!!!"),
        "basic-coded": ("Authorization", "Basic YWRtaW46YWRtaW4="),
        "bearer": ("Authorization", "Bearer eyJhbGciOiJub25lIn0.e30."),
        "digest": ("Authorization", 'Digest username="'),
        "language-many": ("Accept-Language", ",".join(["ru"] * 3000)),
        "language-weights": ("Accept-Language", "ru;q=1.000000001,en;q=-1,*;q=nan,x;q=1e9"),
        "language-long": ("Accept-Language", "a-" * 4000),
        "language-path": ("Accept-Language", "../../../etc/passwd"),
        "language-unknown": ("Accept-Language", "tlh-Latn-x-private"),
        "accept-page": ("Accept", "text/html"),
        "accept-nothing": ("Accept", "application/json;q=0"),
        "accept-coded": ("Accept", "application/json; a*=nobody''%41"),
        "session-unknown": ("Cookie", "sessionid=" + "x" * 32),
        "session-short": ("Cookie", "sessionid=x"),
        "session-long": ("Cookie", "sessionid=" + "x" * 7000),
        "session-nul": ("Cookie", r'sessionid="abcdefgh\000ijkl"'),
        "session-octal": ("Cookie", r'sessionid="\377\376\777\400aaaaaa"'),
        "session-utf-8": ("Cookie", "sessionid=" + "ключключ".encode().decode("latin-1")),
        "session-surrogate": ("Cookie", "sessionid=\xed\xa0\x80aaaaaaaa"),
        "csrf-odd": ("Cookie", r'csrftoken="\000<script>"; csrftoken=x'),
        "language-cookie": ("Cookie", r'django_language="..\057..\000"'),
        "messages-cookie": ("Cookie", 'messages="[[\\"__json_message\\",0,25,\\"<b>\\"]]"'),
        "messages-cookie-nested": ("Cookie", "messages=" + "[" * 5000),
        "cookies-many": ("Cookie", "; ".join(f"a{number}=b" for number in range(700))),
        "cookies-odd": ("Cookie", ";;; =; =x; a; a=; \x00=1; $Version=1; ,=,"),
        "host-odd": ("Host", "localhost:99999999"),
        "host-path": ("Host", "localhost/../../"),
        "host-user": ("Host", "localhost@evil.example"),
        "host-six": ("Host", "[::1"),
        "method": ("X-HTTP-Method-Override", "DELETE"),
        "htmx-auto-encoded": ("HX-Current-URL-URI-AutoEncoded", "true"),
        "length-word": ("Content-Length", "many"),
        "length-negative": ("Content-Length", "-1"),
        "length-short": ("Content-Length", "3"),
        "length-empty": ("Content-Length", ""),
        "chunked": ("Transfer-Encoding", "chunked"),
    },
)

HEADERS: tuple[Input[tuple[str, str]], ...] = (
    *(
        Input(f"{header}: {value.name}", value.why, (header, value.value))
        for header in NAMES
        for value in VALUES
    ),
    *SPECIAL,
)
