from __future__ import annotations

import pytest

HTMX = {"HX-Request": "true"}


def address(record, row=None, end=""):
    return f"/markups/{record.pk}/fragments/" + (f"{row.pk}/{end}" if row else "")


@pytest.fixture
def post(log_in):
    def send(record, *where, user=None, htmx=False, **fields):
        headers = HTMX if htmx else {}
        client = log_in(user or record.author)
        return client.post(address(record, *where), fields, headers=headers)

    return send
