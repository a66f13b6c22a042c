"""A text too long to be pasted is refused with the limit, whatever the form."""

from __future__ import annotations

import pytest
from django.test import Client

from schemes.models import SchemeRun
from tests.factories import PersonFactory
from tests.pages import page_of

pytestmark = pytest.mark.django_db

TOLD = "What is typed or pasted may hold at most 2.5 MB. Send it as a file, or send less."


@pytest.mark.parametrize("encoded", ["multipart", "urlencoded"])
def test_a_text_too_long_to_be_pasted_is_refused_with_the_limit(settings, encoded):
    client = Client(enforce_csrf_checks=True)
    client.force_login(PersonFactory(role="participant"))
    client.get("/schemes/qac/")
    text = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)

    if encoded == "multipart":
        response = client.post("/schemes/qac/", {"key": text})
    else:
        kind = "application/x-www-form-urlencoded"
        response = client.post("/schemes/qac/", f"key={text}", content_type=kind)

    (notice,) = page_of(response).find("#notice")
    assert (response.status_code, notice.text.strip()) == (413, TOLD)
    assert list(SchemeRun.objects.all()) == []
