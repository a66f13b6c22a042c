"""Fields that several forms ask for."""

from __future__ import annotations

from typing import Any

from django import forms

from accounts.models import User
from web.forms import refuse_surrogates


class Moment(forms.DateTimeField):
    """A day and a time, as browsers ask for them."""

    def __init__(self, **fields: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(
            widget=widget, input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"], **fields
        )


class Email(forms.EmailField):
    """An address as it is kept: no half of a surrogate pair, no other letter case of a host."""

    def clean(self, value: Any) -> str:
        refuse_surrogates([value or ""])
        return User.objects.normalize_email(super().clean(value))
