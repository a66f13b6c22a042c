from __future__ import annotations

import io

import pytest
from django.test import RequestFactory

from config.wsgi import application

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"


def answer(path, kind):
    """The status and the text of what the server would send."""
    told = []
    request = RequestFactory().post(path)
    environ = {**request.environ, "CONTENT_TYPE": kind, "wsgi.input": io.BytesIO(b"a=b")}
    response = application(environ, lambda status, _headers: told.append(status))
    return told[0], b"".join(response).decode()


def test_a_content_type_nobody_can_read_is_none():
    status, text = answer("/api/keys/", "application/json; a*=nobody''%41")

    assert (status, "unsupported_media_type" in text) == ("415 Unsupported Media Type", True)


@pytest.mark.parametrize("charset", ["latin-1", "hex", "unicode_escape", "idna", "nobody"])
@pytest.mark.parametrize("kind", [FORM, "multipart/form-data; boundary=x"])
def test_a_form_in_another_encoding_is_refused(kind, charset):
    status, text = answer("/login/", f"{kind}; charset={charset}")

    assert (status, "Send it in UTF-8." in text) == ("415 Unsupported Media Type", True)


def test_a_form_that_says_it_is_utf8_is_read():
    status, _text = answer("/login/", f"{FORM}; charset=UTF-8")

    assert status == "403 Forbidden"  # read, and without the token of a form
