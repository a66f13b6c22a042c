"""What is said of sessions, finals and archives of markups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self, cast

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.models import EssaySet
from contest.core.session_json import FINAL
from contest.forms.fields import Moment, Number, Percent
from contest.models import Contest, Final
from contest.services.contest_finals import WantedRun
from contest.services.sessions.finals import Planned
from web.forms import refuse_surrogates
from web.validators import clean_name


class ReasonForm(forms.Form):
    """Why a session or a final is ended."""

    act = "cancel"
    reason = forms.CharField(label=_("reason"), max_length=1000)

    def clean_reason(self) -> str:
        words: str = self.cleaned_data["reason"]
        refuse_surrogates([words])
        return words

    @classmethod
    def beside(cls, final: Final, *given: Any) -> Self:
        """The form in the line of a final: a list has many."""
        return cls(*given, auto_id=f"{cls.act}-{final.pk}-%s")


class RestartForm(ReasonForm):
    """A final is started anew."""

    act = "restart"
    starts_at = Moment(label=_("start"))


def with_acts(
    finals: Iterable[Final], restart: type[RestartForm], wrong: Mapping[int, ReasonForm]
) -> list[tuple[Final, ReasonForm, ReasonForm]]:
    """Finals, each with the form that cancels it and the one that starts it anew; ``wrong``: one
    that was refused, by the number of its final.
    """
    return [
        (each, *(_of(wrong.get(each.pk), form, each) for form in (ReasonForm, restart)))
        for each in finals
    ]


def _of(refused: ReasonForm | None, form: type[ReasonForm], final: Final) -> ReasonForm:
    """The form that was refused, where it does what ``form`` does; else an empty one."""
    return refused if refused and refused.act == form.act else form.beside(final)


class ParcelForm(forms.Form):
    """An archive of markups and the set it is for: one of those that take any from this person."""

    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.none(),
        error_messages={"invalid_choice": _("No set of this name takes archives from you now.")},
    )
    file = forms.FileField(
        label=_("archive, .zip"),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip"}),
        max_length=255,
    )

    def __init__(self, *args: Any, sets: QuerySet[EssaySet], by_name: bool = False) -> None:
        super().__init__(*args)
        field = cast(forms.ModelChoiceField, self.fields["essay_set"])
        field.queryset = sets
        self.has_sets = sets.exists()
        if by_name:
            field.to_field_name = "name"
            names = ", ".join(_("“%s”") % name for name in sets.values_list("name", flat=True)[:20])
            if names:
                said, others = field.error_messages["invalid_choice"], _("These do: %s.") % names
                field.error_messages["invalid_choice"] = f"{said} {others}"
        elif sets.count() == 1:
            field.initial = sets.get()


class People(forms.ModelMultipleChoiceField):
    """Accounts of participants, each told apart from its namesakes: by the contest of a team, or
    the login.
    """

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, person: User) -> str:
        """The name, and whose it is."""
        team = getattr(person, "team", None)
        return f"{person} ({team.contest if team else person.username})"


class FinalForm(forms.Form):
    """A final or a rehearsal. ``SELDOM``: rules that most finals leave as they are."""

    SELDOM = ("window", "sends", "share", "linger", "lost")

    name = forms.CharField(label=_("name"), max_length=80, validators=[clean_name])
    kind = forms.ChoiceField(label=_("kind"), choices=Final.Kind.choices)
    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.exclude(access=EssaySet.Access.PRACTICE).order_by("name"),
    )
    count = forms.IntegerField(
        label=_("files"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_("All essays of the set, if left empty."),
    )
    starts_at = Moment(label=_("start"))
    interval = Number(label=_("seconds between two files"), min_value=1, max_value=3600, initial=60)
    limit = Number(label=_("seconds for an answer"), min_value=1, max_value=3600, initial=60)
    window = Number(
        label=_("seconds from the start in which a session may be opened"),
        min_value=0,
        max_value=86_400,
        initial=FINAL["window"],
        required=False,
        help_text=_("Any time, if left empty."),
    )
    sends = forms.IntegerField(
        label=_("answers to a file that are looked at"),
        min_value=1,
        max_value=100,
        initial=FINAL["sends"],
    )
    share = Percent(
        label=_("annulled files above which a solution does not stand"),
        min_value=0,
        max_value=100,
        initial=FINAL["share"],
        required=False,
        help_text=_("No such rule, if left empty."),
    )
    linger = Number(
        label=_("seconds after the last opening for late answers"),
        min_value=0,
        max_value=86_400,
        required=False,
        help_text=_("The session ends with the last moment of its last file, if left empty."),
    )
    lost = Number(
        label=_("seconds without a connection after which a session is lost"),
        min_value=0,
        max_value=86_400,
        initial=FINAL["lost"],
    )
    admitted = People(
        label=_("who is admitted"),
        queryset=User.objects.filter(role=User.Role.PARTICIPANT, is_active=True).select_related(
            "team__contest"
        ),
    )

    def planned(self) -> Planned:
        """What the service is asked for."""
        asked = self.cleaned_data
        return Planned(
            name=asked["name"],
            essay_set=asked["essay_set"],
            starts_at=asked["starts_at"],
            kind=Final.Kind(asked["kind"]),
            count=asked["count"],
            rules={name: asked[name] for name in ("interval", "limit", *self.SELDOM)},
        )

    def seldom(self) -> list[forms.BoundField]:
        return [self[name] for name in self.SELDOM]

    def usual(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.SELDOM]

    @property
    def is_seldom_wrong(self) -> bool:
        return any(self[name].errors for name in self.SELDOM)


class ContestFinalForm(forms.Form):
    """A final or a rehearsal of a contest; its rules are those of the parameters in force."""

    kind = forms.ChoiceField(label=_("kind"), choices=Final.Kind.choices)
    name = forms.CharField(label=_("name"), max_length=80, validators=[clean_name])
    essay_set = forms.ModelChoiceField(label=_("essay set"), queryset=EssaySet.objects.none())
    count = forms.IntegerField(
        label=_("files"),
        min_value=1,
        max_value=1000,
        required=False,
        help_text=_("All essays of the set, if left empty."),
    )
    starts_at = Moment(label=_("start"))

    def __init__(self, *args: Any, contest: Contest) -> None:
        super().__init__(*args)
        field = cast(forms.ModelChoiceField, self.fields["essay_set"])
        field.queryset = EssaySet.objects.filter(data_set__contest=contest).order_by("name")

    def wanted(self) -> WantedRun:
        """What the service is asked for."""
        said = self.cleaned_data
        kind = Final.Kind(said["kind"])
        return WantedRun(said["name"], said["essay_set"], said["starts_at"], kind, said["count"])


class ContestRestartForm(RestartForm):
    """A final of a contest is started anew: by both protocols (R 7.15.1)."""

    judges = forms.CharField(label=_("protocol of the judges"), max_length=200, required=False)
    commission = forms.CharField(
        label=_("protocol of the commission"), max_length=200, required=False
    )
