from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from scoring.core.criteria.grader import Reasons


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
