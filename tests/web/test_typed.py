"""What of a refused form is given back is read off its fields, not kept in a list."""

from __future__ import annotations

import pytest
from django import forms
from django.urls import get_resolver

from web.typed import filled_in

CHOSEN = ("next", "seen", "version", "essay_set", "expert", "role", "state", "agrees", "raise_to")
TYPED = ("reason", "words", "full_name", "email", "comment", "explanation", "q", "day")


@pytest.fixture(autouse=True)
def _every_form():
    """All forms are known once the addresses are: a request finds them so."""
    get_resolver().url_patterns  # noqa: B018 - reads them
    filled_in.cache_clear()
    yield
    filled_in.cache_clear()


def test_fields_a_page_fills_in_are_known_from_templates_and_forms():
    assert [name for name in CHOSEN if name not in filled_in()] == []
    assert [name for name in TYPED if name in filled_in()] == []


def test_a_new_field_is_known_by_its_widget():
    class Wish(forms.Form):
        colour_of_a_test = forms.ChoiceField(choices=[("red", "red")])
        thing_of_a_test = forms.CharField()

    assert "colour_of_a_test" in filled_in()
    assert "thing_of_a_test" not in filled_in()
