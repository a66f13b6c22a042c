"""What is asked of who hands a check back."""

from __future__ import annotations

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _


class ReturnForm(forms.Form):
    reason = forms.CharField(label=_("reason"), max_length=300)

    def fault(self, missing: str) -> str:
        """What is wrong with the reason; ``missing`` where there is none."""
        if self.has_error("reason", "required"):
            return missing
        return f"{capfirst(self['reason'].label)}: {self.errors['reason'][0]}"
