"""Fields that several forms ask for."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.utils import formats
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from web.forms import refuse_far, refuse_surrogates


class Moment(forms.DateTimeField):
    """A day and a time, as browsers ask for them."""

    default_validators: Final = [refuse_far]

    def __init__(self, **fields: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(
            widget=widget, input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"], **fields
        )


class Number(forms.FloatField):
    """A number with its decimal places behind a point or a comma, whatever the language.

    A comma that may be meant to part thousands is refused: 1,500 in English.
    """

    THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")

    def to_python(self, value: Any) -> float | None:
        said = str(value).strip() if isinstance(value, str) else value
        if isinstance(said, str) and "," in said:
            if formats.get_format("THOUSAND_SEPARATOR") == "," and self.THOUSANDS.fullmatch(said):
                raise forms.ValidationError(
                    _("Write the number without a comma between thousands, or with a point.")
                )
            said = said if "." in said else said.replace(",", ".", 1)
        found: float | None = super().to_python(said)
        return found


class Percent(Number):
    """A share from 0 to 1 that is asked for and told in percent."""

    PLACES: Final = 9
    """More than anybody types: what a hundredfold float adds is rounded away."""

    def __init__(self, *, label: Any, **fields: Any) -> None:
        super().__init__(label=format_lazy("{}, %", label), **fields)

    def prepare_value(self, value: Any) -> Any:
        """What a form begins with is a share; what was typed is given back as it is."""
        if isinstance(value, str) or value is None:
            return value
        return f"{round(100 * value, self.PLACES):g}"

    def clean(self, value: Any) -> float | None:
        found: float | None = super().clean(value)
        return None if found is None else round(found / 100, self.PLACES + 2)


class Email(forms.EmailField):
    """An address as it is kept: no half of a surrogate pair, no other letter case of a host."""

    def clean(self, value: Any) -> str:
        refuse_surrogates([value or ""])
        return User.objects.normalize_email(super().clean(value))
