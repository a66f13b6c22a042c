"""Parameters of a contest, and the words of those who agree to them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from annotator.forms.stored import as_stored
from annotator.models import RuleSet
from contest.core.both import Both
from contest.core.parameter_values import BOUNDS, SESSION_NAMES
from contest.core.session_json import FINAL as FINAL_RULES
from contest.forms.fields import Number, Percent
from contest.services.contest_words import PARAMETERS
from contest.services.parameters import Wanted


class ParametersForm(forms.Form):
    """The parameters of a contest; reasons are asked for once it is announced."""

    rules = forms.ModelChoiceField(
        label=_("rules"), queryset=RuleSet.objects.order_by("name", "-version")
    )
    limit = Number(label=PARAMETERS["limit"])
    interval = Number(label=PARAMETERS["interval"])
    sends = forms.IntegerField(label=PARAMETERS["sends"])
    share = Percent(label=PARAMETERS["share"])
    window = Number(label=PARAMETERS["window"])
    star_to_qualify = Number(label=PARAMETERS["star_to_qualify"])
    annulled_to_qualify = Percent(label=PARAMETERS["annulled_to_qualify"])
    reason_ru = forms.CharField(
        label=_("reason in Russian"), max_length=2000, required=False, widget=forms.Textarea
    )
    reason_en = forms.CharField(
        label=_("reason in English"), max_length=2000, required=False, widget=forms.Textarea
    )

    def __init__(self, *args: Any, has_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, bounds in BOUNDS.items():
            scale = 100 if isinstance(self.fields[name], Percent) else 1
            least, most = (scale * each for each in bounds)
            self.fields[name].widget.attrs |= {"min": least, "max": most}
            self.fields[name].validators += [MinValueValidator(least), MaxValueValidator(most)]
        for name in ("reason_ru", "reason_en"):
            self.fields[name].widget.attrs["rows"] = 3
            if not has_reason:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})

    def wanted(self) -> Wanted:
        """What the service is asked for."""
        said = self.cleaned_data
        session = {
            name: int(said[name]) if said[name] == int(said[name]) else said[name]
            for name in SESSION_NAMES
            if said[name] != FINAL_RULES[name]
        }
        return Wanted(
            rules=said["rules"],
            session=session,
            star=said["star_to_qualify"],
            annulled=said["annulled_to_qualify"],
            reason=Both(said.get("reason_ru", ""), said.get("reason_en", "")),
        )


class ConsentForm(forms.Form):
    """A word of a judge or of a member of the commission."""

    agrees = forms.TypedChoiceField(
        choices=[("1", _("agree")), ("0", _("do not agree"))], coerce=lambda word: word == "1"
    )
    reason = forms.CharField(label=_("Reason"), max_length=2000, required=False)

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})
