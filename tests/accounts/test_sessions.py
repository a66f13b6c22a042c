from __future__ import annotations

import pytest

from accounts.sessions import SessionStore

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "key", ["abcdefgh\0ijkl", "abcdefgh ijkl", "ключключ", "a" * 7, "", "\udcffabcdefgh", None]
)
def test_what_no_session_of_ours_is_called_opens_none(key):
    assert SessionStore(key).session_key is None


def test_a_session_is_found_by_its_key():
    begun = SessionStore()
    begun["said"] = "hello"
    begun.save()

    assert SessionStore(begun.session_key)["said"] == "hello"


@pytest.mark.full
@pytest.mark.parametrize("cookie", [r'"abcdefgh\000ijkl"', r'"\377\376aaaaaaaa"'])
def test_a_cookie_no_database_could_look_up_is_a_stranger(client, cookie):
    assert client.get("/queue/", headers={"Cookie": f"sessionid={cookie}"}).status_code == 302
