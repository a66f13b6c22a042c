"""A key that is shown once is copied by a press, and selected where the clipboard is shut."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.factories import PersonFactory

pytestmark = pytest.mark.full

SHUT = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('shut')); }"


def made_key(visit):
    """The page of an account on which a key was made just now."""
    page = visit(PersonFactory(role="participant"), "/account/")
    page.locator("[name=name]").last.fill("laptop")
    page.get_by_role("button", name="Make a key").click()
    return page, page.locator("#new-key").text_content()


def test_a_new_key_is_copied_by_a_press(visit):
    page, key = made_key(visit)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == key


def test_where_the_clipboard_is_shut_the_key_is_selected(visit):
    page, key = made_key(visit)
    page.evaluate(SHUT)

    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Selected: press Ctrl+C")).to_be_visible()
    assert page.evaluate("String(getSelection())") == key
