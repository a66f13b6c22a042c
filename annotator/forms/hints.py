"""Which hint is put away."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.models import SeenHint


class HintForm(forms.Form):
    """One of the hints of the marking screen."""

    hint = forms.ChoiceField(label=_("hint"), choices=SeenHint.Hint.choices)
