"""What is asked of a markup that is loaded into a draft."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.services.loading import Written
from web.forms import refuse_surrogates


class SourceForm(forms.Form):
    """A markup as it was typed, or a file with one.

    ``seen`` names what the page showed of it: only that is taken, under ``uid``.
    """

    words = forms.CharField(required=False, strip=False)
    written = forms.ChoiceField(choices=[(each.value, each.value) for each in Written])
    file = forms.FileField(label=_("file with your markup"), required=False)
    uid = forms.UUIDField(required=False)
    version = forms.IntegerField(min_value=0, required=False)
    seen = forms.CharField(max_length=64, required=False)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        refuse_surrogates([values.get("words", "")])
        values["uid"] = values.get("uid") or uuid.uuid4()
        return values
