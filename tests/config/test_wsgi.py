from __future__ import annotations

import pytest
from django.test import RequestFactory

from config.wsgi import application

pytestmark = pytest.mark.django_db


def answer(method, path):
    told = []
    environ = RequestFactory().generic(method, path, HTTP_HOST="localhost").environ
    body = b"".join(application(environ, lambda *words: told.append(words)))
    return told[0][0], dict(told[0][1]).get("Content-Length"), body


@pytest.mark.parametrize("path", ["/login/", "/healthz", "/nowhere/", "/api/essays/"])
def test_head_is_answered_by_the_headers_of_get_alone(path):
    status, _length, body = answer("GET", path)
    headed = answer("HEAD", path)

    assert (headed[0], headed[2], bool(body)) == (status, b"", True)
