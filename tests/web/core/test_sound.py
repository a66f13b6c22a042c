from __future__ import annotations

from web.core.sound import sound


def test_what_no_database_takes_is_replaced_sign_by_sign():
    assert sound("a\0b\ud800\udfffc👩") == "a\ufffdb\ufffd\ufffdc👩"
