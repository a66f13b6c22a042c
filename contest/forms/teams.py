"""Applications, members, and verdicts of teams."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from contest.forms.fields import Email
from contest.models import Contest, TeamVerdict
from contest.services.teams.applying import MOST_NAMED, Wish, refuse_taken
from web.forms import refuse_surrogates
from web.refusals import Refused
from web.validators import clean_name


class ApplicationForm(forms.Form):
    """An application for a contest (R 3.1)."""

    name = forms.CharField(label=_("team"), max_length=80, validators=[clean_name])
    organisation = forms.CharField(
        label=_("organisation"),
        max_length=150,
        required=False,
        validators=[clean_name],
        help_text=_("Leave it empty if you take part by yourselves."),
    )
    about = forms.CharField(
        label=_("about the solution"), max_length=4000, widget=forms.Textarea(attrs={"rows": 4})
    )
    captain = forms.CharField(label=_("captain"), max_length=150, validators=[clean_name])
    email = Email(
        label=_("captain’s e-mail"),
        help_text=_("A letter with a link goes there: it confirms the application."),
    )
    members = forms.CharField(
        label=_("other members"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("One a line: name, e-mail. Each is asked by a letter and joins by its link."),
    )
    agrees = forms.BooleanField(
        label=_(
            "We agree to the regulation of the contest and to the processing of our personal data; "
            "markups of the finals are published under CC BY 4.0 (7.13)."
        )
    )

    def __init__(self, *args: Any, contest: Contest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.contest = contest
        if contest.scheme:
            self.fields["agrees"].label = _(
                "We agree to the regulation of the contest and to the processing of our personal "
                "data."
            )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        try:
            refuse_taken(self.contest, name)
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        return name

    def clean_about(self) -> str:
        words: str = self.cleaned_data["about"]
        refuse_surrogates([words])
        return words

    def clean_members(self) -> list[dict[str, str]]:
        words: str = self.cleaned_data["members"]
        refuse_surrogates([words])
        lines = [each.strip() for each in words.splitlines() if each.strip()]
        if len(lines) >= MOST_NAMED:
            most = MOST_NAMED - 1
            raise forms.ValidationError(_("Name at most %d here: invite others later.") % most)
        return [_member(line) for line in lines]

    def clean(self) -> dict[str, Any]:
        asked: dict[str, Any] = super().clean() or {}
        named = [asked.get("email", ""), *(each["email"] for each in asked.get("members", []))]
        folded = [each.casefold() for each in named]
        twice = next((each for each in named if folded.count(each.casefold()) > 1), "")
        if twice:
            self.add_error("members", _("The address %s stands here twice.") % twice)
        return asked

    def wish(self) -> Wish:
        """What the service is asked for."""
        asked = self.cleaned_data
        captain = {"name": asked["captain"], "email": asked["email"]}
        return Wish(
            asked["name"], asked["organisation"], asked["about"], [captain, *asked["members"]]
        )


def _member(line: str) -> dict[str, str]:
    """A line “name, e-mail” of an application."""
    name, _comma, email = line.rpartition(",")
    try:
        return {
            "name": forms.CharField(max_length=150, validators=[clean_name]).clean(name.strip()),
            "email": Email().clean(email.strip()),
        }
    except forms.ValidationError:
        message = _("Not a name and an address with a comma between them: %s")
        raise forms.ValidationError(message % line) from None


class MemberForm(forms.Form):
    """Whom a captain invites."""

    name = forms.CharField(
        label=pgettext_lazy("person", "name"), max_length=150, validators=[clean_name]
    )
    email = Email(label=_("e-mail"))


class TeamVerdictForm(forms.Form):
    """A verdict of a team, and what its page showed."""

    kind = forms.ChoiceField(choices=TeamVerdict.Kind.choices)
    seen = forms.CharField(max_length=64)
    reason = forms.CharField(max_length=2000, required=False)

    def clean_reason(self) -> str:
        words: str = self.cleaned_data["reason"]
        refuse_surrogates([words])
        return words.strip()
