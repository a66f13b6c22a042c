"""What a third expert says."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from web.forms import is_number_of_row, refuse_surrogates

MAX_NUMBERS: Final = 40_000
"""Signs of a list of numbers: both earlier checks with all they may hold."""


class NumbersField(forms.CharField):
    """Numbers of fragments, separated by spaces."""

    def clean(self, value: Any) -> Any:
        words = super().clean(value).split()
        if not all(map(is_number_of_row, words)):
            raise forms.ValidationError(_("The numbers of the fragments cannot be read."))
        return [int(word) for word in words]


class TakeForm(forms.Form):
    """Fragments of the earlier checks to take, and those whose copies they stand for."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    sources = NumbersField(max_length=MAX_NUMBERS)
    instead_of = NumbersField(max_length=MAX_NUMBERS, required=False)


class NeitherForm(forms.Form):
    """Fragments of the earlier checks of which the third expert takes none, or again may."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    fragments = NumbersField(max_length=MAX_NUMBERS)
    taken_back = forms.BooleanField(required=False)


class ReasonForm(forms.Form):
    """Why the third expert decides so about fragments of the earlier checks."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    fragments = NumbersField(max_length=MAX_NUMBERS)
    reason = forms.CharField(label=_("reason"), max_length=500, required=False)

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        refuse_surrogates([reason])
        return reason
