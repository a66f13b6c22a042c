"""A form that is refused is looked at where it is wrong, wherever it stands on its page."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from tests.pages import page_of


class Dates(forms.Form):
    start = forms.IntegerField(min_value=1)
    end = forms.IntegerField(min_value=1)

    def clean(self):
        values = super().clean()
        if values.get("start", 0) > values.get("end", 9):
            raise ValidationError("The end is before the start.")
        return values


class Looked(forms.Form):
    words = forms.CharField(widget=forms.TextInput(attrs={"autofocus": True}))
    page = forms.IntegerField()


def focused(form):
    found = page_of(str(form)).find("[autofocus]")
    return [each.attributes.get("name") or each.text for each in found]


def test_the_first_wrong_field_has_the_focus():
    assert focused(Dates({"start": "0", "end": "0"})) == ["start"]
    assert focused(Dates({"start": "1", "end": "0"})) == ["end"]


def test_what_is_wrong_with_all_of_it_has_the_focus():
    assert focused(Dates({"start": "2", "end": "1"})) == ["The end is before the start."]


def test_a_form_that_is_right_or_not_sent_yet_takes_no_focus():
    assert (focused(Dates()), focused(Dates({"start": "1", "end": "2"}))) == ([], [])


def test_a_field_that_has_the_focus_anyway_keeps_it():
    assert focused(Looked({"words": "a", "page": "x"})) == ["words"]
