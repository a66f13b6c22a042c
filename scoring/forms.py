from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.core.json_text import SURROGATE
from scoring.core.criteria.grader import Reasons

LONGEST: Final = 19
"""Digits of a number no row has."""
MAX_NUMBERS: Final = 40_000
"""Signs of a list of numbers: both earlier checks with all they may hold."""


class StatedForm(forms.Form):
    """The points an expert states beside the computed ones; an empty field states nothing."""

    version = forms.IntegerField(min_value=0)

    def __init__(self, data: Mapping[str, Any], *, criteria: Mapping[str, Reasons]) -> None:
        super().__init__(data)
        self.names = tuple(criteria)
        for name, why in criteria.items():
            self.fields[name] = forms.IntegerField(
                label=name, min_value=0, max_value=why.maximum, required=False
            )

    @property
    def stated(self) -> dict[str, int]:
        """The points by criterion, once the form is valid."""
        values = {name: self.cleaned_data[name] for name in self.names}
        return {name: points for name, points in values.items() if points is not None}


class NumbersField(forms.CharField):
    """Numbers of fragments, separated by spaces."""

    def clean(self, value: Any) -> Any:
        words = super().clean(value).split()
        if not all(word.isascii() and word.isdecimal() and len(word) < LONGEST for word in words):
            raise forms.ValidationError(_("The numbers of the fragments cannot be read."))
        return [int(word) for word in words]


class TakeForm(forms.Form):
    """Fragments of the earlier checks to take, and those whose copies they stand for."""

    version = forms.IntegerField(min_value=0)
    sources = NumbersField(max_length=MAX_NUMBERS)
    instead_of = NumbersField(max_length=MAX_NUMBERS, required=False)


class ReasonForm(forms.Form):
    """Why the third expert decides so about fragments of the earlier checks."""

    version = forms.IntegerField(min_value=0)
    fragments = NumbersField(max_length=MAX_NUMBERS)
    reason = forms.CharField(label=_("reason"), max_length=500, required=False)

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if SURROGATE.search(reason):
            raise forms.ValidationError(_("A field holds half of a surrogate pair. Remove it."))
        return reason
