"""Archives that are published, and uploads of predictions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from contest.forms.fields import Number
from contest.models import Phase, Publication, UploadTerms
from contest.services.uploading import Terms, scheme_of


class ArchiveForm(forms.Form):
    """Which archive of a contest is to be published."""

    kind = forms.ChoiceField(label=_("archive"), choices=Publication.Kind.choices)


class UploadForm(forms.Form):
    """Predictions of a team; ``scheme``: which one a program means."""

    file = forms.FileField(label=_("predictions"), max_length=200, allow_empty_file=True)
    scheme = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)


class UploadTermsForm(forms.Form):
    """The key of a phase with the options of its scheme, and how many uploads it takes."""

    key = forms.FileField(
        label=_("key"), required=False, help_text=_("Participants never read it, only its digest.")
    )
    per_day = forms.IntegerField(label=_("uploads a day"), min_value=1, max_value=1000)
    in_all = forms.IntegerField(label=_("uploads in all"), min_value=1, max_value=10_000)
    public_share = Number(
        label=_("public share"),
        min_value=0.01,
        max_value=1,
        help_text=_("Of the items of the key; the rest decides once the phase is closed."),
    )

    def __init__(self, phase: Phase, present: UploadTerms | None, *args: Any) -> None:
        names = ("per_day", "in_all", "public_share")
        usual = {"per_day": 5, "in_all": 100, "public_share": 0.5}
        known = {name: getattr(present, name) for name in names} if present else usual
        chosen = present.options if present else {}
        super().__init__(*args, initial={**known, **chosen})
        self.options = scheme_of(phase.contest).options
        for name, make in self.options.items():
            self.fields[name] = make()

    def terms(self) -> Terms:
        """The value, once the form is valid."""
        said = self.cleaned_data
        file = said["key"]
        return Terms(
            per_day=said["per_day"],
            in_all=said["in_all"],
            public_share=said["public_share"],
            key=file.read() if file else None,
            options={name: said[name] for name in self.options},
        )
