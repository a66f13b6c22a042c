"""What organisers say of a contest: its texts, dates, sets, modules, phases."""

from __future__ import annotations

from typing import Any, Final, cast
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.forms.stored import as_stored
from annotator.models import EssaySet
from contest.core.both import Both
from contest.forms.fields import Moment
from contest.models import Contest, DataSet, Phase, PhaseVerdict
from contest.services.addresses import WRONG, refuse_address
from contest.services.announcing import Module
from contest.services.contests import DATED, STAYS
from schemes.adapters import SCHEMES
from web.forms import refuse_surrogates
from web.refusals import Refused
from web.validators import clean_name
from web.zones import ZONE_HELP

SLUG_HELP: Final = _("Latin letters, digits, hyphens and underscores: /contests/address/.")


class ContestForm(forms.ModelForm):
    """A contest as organisers describe it; once it is announced, most of it stays."""

    class Meta:
        model = Contest
        fields = [
            *("slug", "name_ru", "name_en", "summary_ru", "summary_en", "task_ru", "task_en"),
            *("subject", "scheme", "zone", "contact", "licence"),
            *("applications_from", "applications_until", "shows_test_board", "live"),
        ]
        field_classes = {"applications_from": Moment, "applications_until": Moment}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.disabled = self.instance.is_announced and name in STAYS
            field.required = field.required or (self.instance.is_announced and name in DATED)
        for name in ("summary_ru", "summary_en", "task_ru", "task_en"):
            self.fields[name].widget.attrs["rows"] = 4
        self.fields["slug"].help_text = SLUG_HELP
        self.fields["slug"].error_messages["invalid"] = WRONG
        self.fields["subject"].help_text = _("Of a contest of essays.")
        self.fields["scheme"].help_text = _("Instead of a subject: predictions are sent as files.")
        scheme = cast(forms.TypedChoiceField, self.fields["scheme"])
        titles = [(slug, each.title) for slug, each in SCHEMES.items()]
        scheme.choices = [("", "---------"), *titles]
        self.fields["zone"].help_text = ZONE_HELP

    def clean_slug(self) -> str:
        slug: str = self.cleaned_data["slug"]
        try:
            refuse_address(slug)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return slug

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        if zone not in available_timezones():
            raise forms.ValidationError(_("There is no such time zone."))
        return zone

    def clean(self) -> dict[str, Any]:
        said = as_stored(super().clean() or {})
        begin, end = said.get("applications_from"), said.get("applications_until")
        if begin and end and end <= begin:
            self.add_error("applications_until", _("Say a later end: it is not after the start."))
        if not said.get("scheme") and not said.get("subject"):
            self.add_error("subject", _("Choose the subject of the essays, or a scoring system."))
        if said.get("scheme") and said.get("subject"):
            self.add_error("scheme", _("A contest of essays has a subject, another one has none."))
        return said

    def validate_constraints(self) -> None:
        """They are said above, in words."""


class PhaseForm(forms.Form):
    """The dates of a phase."""

    kind = forms.ChoiceField(choices=Phase.Kind.choices, widget=forms.HiddenInput)
    starts_at = Moment(label=_("start"))
    ends_at = Moment(label=_("end"))


class DataSetForm(forms.Form):
    """An essay set for a contest: one that is there, or the name of a new one."""

    role = forms.ChoiceField(label=_("kind"), choices=DataSet.Role.choices)
    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.filter(data_set=None).order_by("name"),
        required=False,
    )
    name = forms.CharField(
        label=_("or a new one"), max_length=80, required=False, validators=[clean_name]
    )

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if bool(said.get("essay_set")) == bool(said.get("name")) and not self.errors:
            raise forms.ValidationError(_("Choose a set, or name a new one."))
        return said


class ModuleForm(forms.Form):
    """A version of a common module, and what it is for, in both languages (R 4.7)."""

    name = forms.CharField(label=_("module"), max_length=40, validators=[clean_name])
    version = forms.CharField(label=_("version"), max_length=40, validators=[clean_name])
    checksum = forms.RegexField(
        "^[0-9a-fA-F]{64}$",
        label="SHA-256",
        error_messages={"invalid": _("A SHA-256 has 64 hexadecimal digits.")},
    )
    address = forms.URLField(
        label=_("address"), max_length=200, required=False, assume_scheme="https"
    )
    purpose_ru = forms.CharField(
        label=_("purpose, in Russian"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )
    purpose_en = forms.CharField(
        label=_("purpose, in English"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3})
    )

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        refuse_surrogates([each for each in found.values() if isinstance(each, str)])
        return found

    def module(self) -> Module:
        """Which version of which module."""
        asked = self.cleaned_data
        return Module(asked["name"], asked["version"], asked["checksum"], asked["address"])

    def purpose(self) -> Both:
        """What it is for."""
        return Both(ru=self.cleaned_data["purpose_ru"], en=self.cleaned_data["purpose_en"])


class DecisionForm(forms.Form):
    """Why a solution is annulled or a team excluded, and by which protocol; the service names what
    is missing.
    """

    reason = forms.CharField(
        label=_("Reason"), max_length=2000, required=False, widget=forms.Textarea({"rows": 3})
    )
    protocol = forms.CharField(label=_("protocol"), max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})


class PhaseVerdictForm(forms.Form):
    """What is said of a phase; ``seen``: the digest its page showed."""

    kind = forms.ChoiceField(choices=PhaseVerdict.Kind.choices)
    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=2000, required=False)

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})


class NewsForm(forms.Form):
    """News of a contest, in both languages."""

    title_ru = forms.CharField(label=_("title in Russian"), max_length=160, validators=[clean_name])
    title_en = forms.CharField(label=_("title in English"), max_length=160, validators=[clean_name])
    body_ru = forms.CharField(
        label=_("text in Russian"), max_length=10_000, widget=forms.Textarea(attrs={"rows": 5})
    )
    body_en = forms.CharField(
        label=_("text in English"), max_length=10_000, widget=forms.Textarea(attrs={"rows": 5})
    )

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})

    def title(self) -> Both:
        """What it is about."""
        return Both(ru=self.cleaned_data["title_ru"], en=self.cleaned_data["title_en"])

    def body(self) -> Both:
        """What it says."""
        return Both(ru=self.cleaned_data["body_ru"], en=self.cleaned_data["body_en"])
