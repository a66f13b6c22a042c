"""What is asked of who hands a check back."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class ReturnForm(forms.Form):
    reason = forms.CharField(label=_("reason"), max_length=300)
