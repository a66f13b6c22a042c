"""What is asked of a key."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotator.models import MarkupRecord


class KeyForm(forms.Form):
    """A file with the key, or the number of a markup that is to be it; ``seen``: the number of the
    key the page showed.
    """

    file = forms.FileField(
        label=_("file with the key"),
        help_text=_("The same text, marked in the markup language (.txt) or in JSON."),
        required=False,
    )
    markup = forms.ModelChoiceField(
        queryset=MarkupRecord.objects.none(), required=False, widget=forms.HiddenInput
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0, required=False)

    def __init__(self, *args: Any, offered: QuerySet[MarkupRecord], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["markup"].queryset = offered  # type: ignore[attr-defined]

    def clean_seen(self) -> int:
        return self.cleaned_data["seen"] or 0

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors and bool(values["file"]) == bool(values["markup"]):
            raise forms.ValidationError(_("Choose a file, or one of the markups below."))
        return values
