"""Whole bodies: what is sent instead of a sound submission, and what it claims to be."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field

from tests.factories import TEXT
from tests.hostile.corpus.inputs import Input, inputs

JSON = "application/json"
MARK = {"type": "А.грамм", "startSelection": 0, "endSelection": 4}
SOUND = {"selections": [MARK], "text": TEXT}
LIMIT = 2_621_440


@dataclass(frozen=True, slots=True)
class Body:
    """A request's body; ``status`` is the answer it must get, ``None`` where it need not be one."""

    data: bytes
    status: int | None = 400
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)


def written(value: object = None, **changed: object) -> bytes:
    whole = {**SOUND, **changed} if value is None else value
    return json.dumps(whole, ensure_ascii=False).encode()


def padded(size: int) -> bytes:
    body = written()
    return body + b" " * (size - len(body))


PLAIN = written()

ENCODINGS = inputs(
    "bytes that are not UTF-8, or are and say otherwise",
    {
        "sound": Body(PLAIN, 201),
        "order-mark": Body(b"\xef\xbb\xbf" + PLAIN, 201),
        "order-mark-twice": Body(b"\xef\xbb\xbf" * 2 + PLAIN),
        "order-mark-alone": Body(b"\xef\xbb\xbf"),
        "utf-16": Body(PLAIN.decode().encode("utf-16")),
        "utf-16-named": Body(PLAIN.decode().encode("utf-16"), None, f"{JSON}; charset=utf-16"),
        "utf-32": Body(PLAIN.decode().encode("utf-32")),
        "latin-1": Body('{"selections": [], "x": "é"}'.encode("latin-1")),
        "cp1251": Body(PLAIN.decode().encode("cp1251")),
        "overlong-nul": Body(b'{"selections": [], "x": "\xc0\x80"}'),
        "surrogate-in-utf-8": Body(b'{"selections": [], "x": "\xed\xa0\x80"}'),
        "beyond-unicode": Body(b'{"selections": [], "x": "\xf4\x90\x80\x80"}'),
        "cut-letter": Body(b'{"selections": [], "x": "\xd1"}'),
        "last-byte": Body(PLAIN + b"\xff"),
        "every-byte": Body(bytes(range(256))),
        "gzip": Body(gzip.compress(PLAIN)),
        "gzip-named": Body(gzip.compress(PLAIN), 400, headers={"Content-Encoding": "gzip"}),
        "gzip-lie": Body(PLAIN, 201, headers={"Content-Encoding": "gzip"}),
        "brotli-lie": Body(PLAIN, 201, headers={"Content-Encoding": "br, gzip, gzip"}),
    },
)

FORMS = inputs(
    "not one JSON document",
    {
        "nothing": Body(b"", 422),
        "space": Body(b" \n\t "),
        "two-documents": Body(PLAIN + PLAIN),
        "two-lines": Body(PLAIN + b"\n" + PLAIN),
        "garbage-behind": Body(PLAIN + b" x"),
        "nul-behind": Body(PLAIN + b"\0"),
        "garbage-before": Body(b")]}',\n" + PLAIN),
        "cut": Body(PLAIN[:-5]),
        "cut-in-letter": Body(PLAIN[:30]),
        "xml": Body(b"<?xml version='1.0'?><markup/>"),
        "yaml": Body(b"selections: !!python/object/apply:os.system ['id']"),
        "pickle": Body(b"\x80\x04\x95\x0b\x00\x00\x00"),
        "page": Body(b"<!doctype html><script>alert(1)</script>"),
        "url-encoded": Body(b"selections=%5B%5D"),
        "keys-twice": Body(b'{"selections": [], "selections": [{"type": "x"}]}', 400),
        "unknown-keys": Body(written({"selections": [], "а": 1, "": 2, "meta.x": 3}), 400),
        "many-unknown-keys": Body(
            written({"selections": [], **{f"k{number}": 1 for number in range(100_000)}}), None
        ),
        "unknown-keys-of-fragments": Body(
            written(selections=[{**MARK, **{f"k{n}": 1 for n in range(200)}}] * 500), None
        ),
        "no-selections": Body(written({"text": TEXT}), 422),
        "null-selections": Body(written({"selections": None}), 422),
        "meta-of-other-essay": Body(written(meta={"id": "0", "subject": "rus"}), 422),
        "meta-is-list": Body(written(meta=[[]]), 422),
    },
)

SIZES = inputs(
    "more than was agreed: bounded work, whatever is sent",
    {
        "limit": Body(padded(LIMIT), 201),
        "limit-and-one": Body(padded(LIMIT + 1), 413),
        "2.6-mb-text": Body(written(text="x" * 2_700_000), 413),
        "5-mb-spaces": Body(b" " * 5_000_000, 413),
        "2.6-mb-numbers": Body(written(selections=[1] * 870_000), 422),
        "2.6-mb-lists": Body(b'{"selections": [' + b"[]," * 870_000 + b"[]]}", 422),
        "2.6-mb-brackets": Body(b"[]" * 1_300_000),
        "2.6-mb-strings": Body(written(selections=[""] * 650_000), 422),
        "2.6-mb-escapes": Body(
            b'{"selections":[],"fileName":"' + rb"\u0041" * 430_000 + b'"}', 201
        ),
        "2.6-mb-quotes": Body(b'{"selections":[],"fileName":"' + rb"\"" * 1_300_000 + b'"}', 201),
        "2.6-mb-open-strings": Body(b'"\\' * 1_300_000),
        "2.6-mb-objects": Body(b'{"selections":[' + b'{"a":1},' * 320_000 + b"{}]}", 422),
        "1000-fragments": Body(written(selections=[MARK] * 1000), 201),
        "1001-fragments": Body(written(selections=[MARK] * 1001), 422),
        "100000-fragments": Body(written(selections=[{"type": "x"}] * 100_000), 422),
        "long-comment": Body(written(selections=[{**MARK, "comment": "ы" * 1_000_000}]), None),
        "long-code": Body(written(selections=[{**MARK, "type": "ы" * 1_000_000}]), 422),
        "long-tag": Body(written(selections=[{**MARK, "tag": "ы" * 1_000_000}]), 422),
        "long-criterion": Body(written(criteria={f"K{'1' * 1_000_000}": 1}), 201),
        "many-criteria": Body(written(criteria={f"K{n}": n for n in range(100_000)}), None),
    },
)

TYPES = inputs(
    "a content type that is not JSON, or cannot be read itself",
    {
        f"type-{name}": Body(PLAIN, status, content_type)
        for name, (status, content_type) in {
            "none": (415, ""),
            "plain": (415, "text/plain"),
            "form": (415, "application/x-www-form-urlencoded"),
            "multipart": (415, "multipart/form-data; boundary=x"),
            "multipart-without-boundary": (415, "multipart/form-data"),
            "xml": (415, "application/xml"),
            "pickle": (415, "application/python-pickle"),
            "any": (201, "*/*"),
            "half": (415, "application"),
            "slash": (415, "/"),
            "semicolons": (415, ";;;;"),
            "upper": (201, "APPLICATION/JSON"),
            "with-parameter": (201, f"{JSON}; version=1; a=b"),
            "with-space": (201, f" {JSON} "),
            "charset": (201, f"{JSON}; charset=UTF-8"),
            "charset-unknown": (None, f"{JSON}; charset=nobody"),
            "charset-hex": (None, f"{JSON}; charset=hex"),
            "charset-undefined": (None, f"{JSON}; charset=undefined"),
            "charset-utf-7": (None, f"{JSON}; charset=utf-7"),
            "charset-escape": (None, f"{JSON}; charset=unicode_escape"),
            "charset-latin": (None, f"{JSON}; charset=\xff"),
            "charset-coded": (None, f"{JSON}; charset*=nobody''%41"),
            "parameter-coded": (None, f"{JSON}; a*=nobody''%41"),
            "parameter-unclosed": (None, f'{JSON}; a="'),
            "many-parameters": (None, JSON + "; a=b" * 1500),
            "nul": (None, f"{JSON}\0"),
            "json-patch": (415, "application/json-patch+json"),
        }.items()
    },
)

BODIES: tuple[Input[Body], ...] = (*ENCODINGS, *FORMS, *SIZES, *TYPES)
