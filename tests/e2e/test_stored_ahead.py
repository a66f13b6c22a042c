"""The head of an answer says that a change is stored, and its connection serves the next one."""

from __future__ import annotations

import http.client
import zlib
from contextlib import closing
from urllib.parse import urlencode

import pytest

from annotator.models import Assignment, MarkupRecord
from tests.e2e.essays import draft, people
from tests.e2e.visitor import Visitor
from tests.factories import EssayFactory, marking_form

pytestmark = pytest.mark.full

SAVES = 5
PACKED = 16 + zlib.MAX_WBITS


def test_what_a_head_calls_stored_is_stored_and_the_next_save_takes_the_same_connection(stack):
    (expert,) = people(1)
    record = draft(EssayFactory(text="Some people think."), Assignment.Role.FIRST, expert)
    more = {"X-Stored": "?", "HX-Request": "true", "Accept-Encoding": "gzip"}
    headers = {**Visitor(stack, expert).headers, **more}
    path, found, used = f"/markups/{record.pk}/fragments/", [], set()
    connection = http.client.HTTPConnection("127.0.0.1", stack.port, timeout=120)
    with closing(connection):
        for number in range(SAVES):
            form = {**marking_form(record, start=number, end=number + 4), "version": number}
            connection.request("POST", path, urlencode(form), headers)
            answer = connection.getresponse()
            stored = MarkupRecord.objects.get(pk=record.pk).version
            found.append((answer.status, answer.getheader("X-Stored"), stored))
            html = zlib.decompress(answer.read(), PACKED).decode()
            used.add(connection.sock)
            assert f'data-version="{number + 1}"' in html

    assert found == [(200, str(number + 1), number + 1) for number in range(SAVES)]
    assert used - {None} == used
    assert len(used) == 1
