"""Archives that are published, and uploads of predictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet
from contest.forms.fields import Percent
from contest.models import Contest, Phase, Publication, UploadTerms
from contest.services.uploads.terms import ROLES, Terms
from schemes.adapters import SCHEMES
from schemes.adapters.scheme import Scheme


class ArchiveForm(forms.Form):
    """Which archive of a contest is to be published."""

    kind = forms.ChoiceField(label=_("archive"), choices=Publication.Kind.choices)


class UploadForm(forms.Form):
    """A file of a team; ``scheme``: whose predictions a program means."""

    file = forms.FileField(label=_("file"), max_length=200, allow_empty_file=True)
    scheme = forms.CharField(required=False, max_length=40, widget=forms.HiddenInput)

    def __init__(self, *args: Any, contest: Contest) -> None:
        super().__init__(*args)
        if contest.scheme:
            asked = SCHEMES[contest.scheme].sent_to_contests
            self.fields["file"].label, self.fields["file"].help_text = asked.label, asked.help
        else:
            self.fields["file"].label = _("markups")
            self.fields["file"].help_text = _(
                "A .zip of files NUMBER.json or NUMBER.txt, each your program’s markup of the "
                "essay of that number."
            )


class UploadTermsForm(forms.Form):
    """The key of a phase with the options of its scheme, or its test set; and how many uploads it
    takes.
    """

    key = forms.FileField(
        label=_("key"), required=False, help_text=_("Participants never read it, only its digest.")
    )
    essay_set = forms.ModelChoiceField(label=_("test set"), queryset=EssaySet.objects.none())
    per_day = forms.IntegerField(label=_("uploads a day"), min_value=1, max_value=1000)
    in_all = forms.IntegerField(label=_("uploads in all"), min_value=1, max_value=10_000)
    public_share = Percent(
        label=_("public share"),
        min_value=1,
        max_value=100,
        help_text=_("Of the items of the key; the rest decides once the phase is closed."),
    )

    def __init__(self, phase: Phase, present: UploadTerms | None, *args: Any) -> None:
        names = ("essay_set", "per_day", "in_all", "public_share")
        usual = {"per_day": 5, "in_all": 100, "public_share": 0.5}
        known = {name: getattr(present, name) for name in names} if present else usual
        chosen = present.options if present else {}
        super().__init__(*args, initial={**known, **chosen})
        self.options: Mapping[str, Any] = {}
        if phase.contest.scheme:
            self._ask_for_key(SCHEMES[phase.contest.scheme])
        else:
            del self.fields["key"], self.fields["public_share"]
            role = ROLES[Phase.Kind(phase.kind)]
            sets = EssaySet.objects.filter(data_set__contest=phase.contest, data_set__role=role)
            chosen_set = cast(forms.ModelChoiceField, self.fields["essay_set"])
            chosen_set.queryset = sets.order_by("name")
            if phase.kind == Phase.Kind.FINALS:
                chosen_set.label = _("final set")

    def _ask_for_key(self, scheme: Scheme) -> None:
        del self.fields["essay_set"]
        kept = scheme.kept_by_contests
        if kept is not None:
            self.fields["key"].label = format_lazy("{}: {}", _("key"), kept.label)
        self.options = scheme.options
        for name, make in self.options.items():
            self.fields[name] = make()

    def terms(self) -> Terms:
        """The value, once the form is valid."""
        said = self.cleaned_data
        file = said.get("key")
        return Terms(
            per_day=said["per_day"],
            in_all=said["in_all"],
            public_share=said.get("public_share", 0.5),
            key=file.read() if file else None,
            essay_set=said.get("essay_set"),
            options={name: said[name] for name in self.options},
        )
