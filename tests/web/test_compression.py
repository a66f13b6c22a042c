"""What an answer sends ahead leaves at once, packed or not."""

from __future__ import annotations

import zlib

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory

from web.middleware import Compression

PACKED = 16 + zlib.MAX_WBITS
PARTS = [b"\n", b"Some people think. " * 40]


def answer(response, accepted="br, gzip"):
    request = RequestFactory(headers={"Accept-Encoding": accepted}).get("/")
    return Compression(lambda _request: response)(request)


def in_parts():
    response = StreamingHttpResponse(iter(PARTS))
    response.sends_ahead = True
    return response


def test_the_first_part_can_be_read_before_the_next_one_is_there():
    packed = answer(in_parts())
    reader = zlib.decompressobj(PACKED)

    first, rest = packed.streaming_content

    assert [reader.decompress(first), reader.decompress(rest)] == PARTS
    assert reader.eof
    assert (packed["Content-Encoding"], packed["Vary"]) == ("gzip", "Accept-Encoding")


def test_who_reads_no_gzip_gets_the_parts_as_they_are():
    plain = answer(in_parts(), accepted="identity")

    assert list(plain.streaming_content) == PARTS
    assert ("Content-Encoding" in plain, plain["Vary"]) == (False, "Accept-Encoding")


@pytest.mark.parametrize("made", [StreamingHttpResponse, HttpResponse])
def test_other_answers_are_packed_as_by_django(made):
    packed = answer(made(PARTS))

    found = packed.getvalue()
    assert (packed["Content-Encoding"], zlib.decompress(found, PACKED)) == (
        "gzip",
        b"".join(PARTS),
    )
