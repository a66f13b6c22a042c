"""What is asked of an essay set and of what becomes of it."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext_lazy as _

from annotator.forms.stored import as_stored
from annotator.models import EssaySet, RuleSet
from web.forms import refuse_far
from web.zones import zone_words


class SetForm(forms.ModelForm):
    """An essay set as coordinators describe it; ``seen``: the revision the page showed;
    ``rules_stay``: why it keeps the rules it has, if it does.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0, initial=0)

    class Meta:
        model = EssaySet
        fields = [
            *("name", "access", "shows_rivals", "names_experts", "takes_parcels"),
            *("rules", "guidelines"),
        ]

    def __init__(self, *args: Any, rules_stay: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["seen"].initial = self.instance.revision
        if self.instance.pk and self.instance.essays.exists():
            self._keep_use()
        if not RuleSet.objects.exists():
            del self.fields["rules"]
        elif rules_stay:
            self.fields["rules"].disabled = True
            self.fields["rules"].help_text = rules_stay

    def _keep_use(self) -> None:
        """Essays that are checked do not become practice, nor the other way."""
        practice = EssaySet.Access.PRACTICE
        if self.instance.is_practice:
            self.fields["access"].disabled = True
            self.fields["access"].help_text = _("The set holds essays for practice: it stays so.")
        else:
            field = cast(forms.ChoiceField, self.fields["access"])
            field.choices = [each for each in EssaySet.Access.choices if each[0] != practice]

    def clean(self) -> dict[str, Any]:
        return as_stored(super().clean() or {})

    def validate_unique(self) -> None:
        """Whether the name is free, the service knows at the moment it writes."""

    @property
    def described(self) -> dict[str, Any]:
        """What the set is to be, once the form is valid."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}


class StateForm(forms.Form):
    """The state a set is brought into, and the revision the page showed."""

    state = forms.ChoiceField(choices=EssaySet.State.choices)
    seen = forms.IntegerField(min_value=0)


class PublishForm(forms.Form):
    """When the markups of finals are published; nothing is now. ``never``: not at the moment that
    was named.
    """

    at = forms.DateTimeField(
        label=_("at a later moment"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        validators=[refuse_far],
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    never = forms.BooleanField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = {"zone": zone_words(get_current_timezone_name())}
        told = (
            _("Times are given in the zone %(zone)s.") % zone,
            _("Leave it empty to publish now."),
        )
        self.fields["at"].help_text = " ".join(map(str, told))
