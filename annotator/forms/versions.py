"""What is asked of a correction of an essay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext_lazy as _

from annotator.forms.stored import as_stored
from annotator.models import Essay
from annotator.services.reading import MAX_TEXT
from annotator.services.versions import SAID
from web.forms import refuse_surrogates


class CorrectionForm(forms.ModelForm):
    """What is said about an essay; ``seen``: the revision the page showed."""

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    class Meta:
        model = Essay
        fields = SAID
        widgets = {"theme": forms.Textarea(attrs={"rows": 2})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.instance.revision
        self.fields["year"].validators.append(MaxValueValidator(9999))

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})

    @property
    def said(self) -> dict[str, Any]:
        """What is to be said, once the form is valid."""
        return {name: self.cleaned_data[name] for name in SAID}


class TextForm(forms.Form):
    """The text of an essay's next version, and why there is one."""

    reason = forms.CharField(
        label=_("why the text changes"),
        help_text=_("Experts read it beside their drafts, and on the page of the former version."),
        max_length=300,
    )
    text = forms.CharField(
        label=_("text"),
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 24}),
    )

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        if not text.strip():
            raise forms.ValidationError(_("The essay needs a text."))
        refuse_surrogates([text])
        return text

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        refuse_surrogates([reason])
        return reason


class SeenForm(forms.Form):
    """The fragments that were not carried and whose expert has seen them."""

    numbers = forms.TypedMultipleChoiceField(coerce=int)

    def __init__(self, *args: Any, known: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["numbers"].choices = [(number, number) for number in known]
