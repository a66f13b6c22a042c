from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from review.models import Verdict

LONGEST = 2000


class VerdictForm(forms.Form):
    """What is said of a set; ``seen``: what its page showed."""

    kind = forms.ChoiceField(choices=Verdict.Kind.choices, widget=forms.HiddenInput)
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
