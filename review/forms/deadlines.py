"""What coordinators enter about deadlines."""

from __future__ import annotations

import zoneinfo
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotator.models import EssaySet
from review.core.calendar import MAX_DAYS, moment
from review.models.deadlines import CalendarDay, SetTerms
from review.services.extending import Extension
from web.client_keys import ClientKey
from web.forms import is_number_of_row, refuse_far, refuse_surrogates
from web.zones import ZONE_HELP

MOST_MINUTES: Final = 1440
SUGGESTED: Final = {"before_hours": 24, "at_deadline": True, "every_days": 2, "times": 3}
"""What a set without terms is offered; nothing of it counts before somebody saves it."""


DUE: Final = frozenset({"zone", "due_by", "due_on", "due_time"})
"""What makes the moment of a deadline."""


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


class DayInput(forms.DateInput):
    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class HourInput(forms.TimeInput):
    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


def _count(label: Any, most: int, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=most, required=False, **more)


class TermsForm(forms.ModelForm):
    """The terms of a set, ``seen``: what the page showed of them, and minutes for each subject."""

    seen = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    due_on = forms.DateField(
        label=_("date"), required=False, widget=DayInput(), validators=[refuse_far]
    )
    due_time = forms.TimeField(
        label=_("by what time of that day"),
        required=False,
        widget=HourInput(),
        help_text=_("Of working days and of a date. Empty: by the end of the day, 23:59."),
    )
    working_days = _count(_("how many working days"), MAX_DAYS)
    before_hours = _count(_("so many hours before the deadline"), 720)
    at_deadline = forms.BooleanField(label=_("at the deadline"), required=False)
    every_days = _count(_("after it, every so many days"), 60)
    times = forms.IntegerField(
        label=_("how many letters after it"), min_value=0, max_value=20, required=False
    )
    reassign_hours = _count(
        _("so many hours after the deadline a check goes to somebody else"),
        2000,
        help_text=_("Empty: never. Its expert is told; the check is given by itself."),
    )
    reassign_begun = forms.BooleanField(
        label=_("also work that was begun"),
        required=False,
        help_text=_("The draft is kept, but its expert cannot go on with it."),
    )

    class Meta:
        model = SetTerms
        fields = [
            "zone",
            "due_by",
            "working_days",
            "due_on",
            "due_time",
            "before_hours",
            "at_deadline",
            "every_days",
            "times",
            "reassign_hours",
            "reassign_begun",
        ]
        widgets = {"due_by": forms.RadioSelect}

    def __init__(
        self, *args: Any, essay_set: EssaySet, now: datetime, limits: dict[str, int], **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.instance.essay_set, self._now = essay_set, now
        self.fields["zone"].help_text = ZONE_HELP
        for subject, name in settings.SUBJECTS:
            self.fields[f"minutes-{subject}"] = _count(name, MOST_MINUTES)
            self.initial[f"minutes-{subject}"] = limits.get(subject)

    def clean_zone(self) -> str:
        zone: str = self.cleaned_data["zone"]
        if zone not in _zones():
            raise forms.ValidationError(_("There is no such time zone."))
        return zone

    def clean_times(self) -> int:
        return self.cleaned_data["times"] or 0

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        due_by = values.get("due_by")
        said = {name for name in ("working_days", "due_on") if values.get(name)} | {*self.errors}
        if due_by == SetTerms.DueBy.WORKING and "working_days" not in said:
            self.add_error("working_days", _("Say how many working days."))
        if due_by == SetTerms.DueBy.DATE and "due_on" not in said:
            self.add_error("due_on", _("Say which date."))
        if due_by == SetTerms.DueBy.DATE and self._is_new_and_past(values):
            self.add_error("due_on", _("This date has passed already."))
        if bool(values.get("times")) != bool(values.get("every_days")):
            self.add_error("every_days", _("Say both how often and how many times, or neither."))
        return values

    def _is_new_and_past(self, values: dict[str, Any]) -> bool:
        """One that was kept passes by itself, and other terms are changed beside it."""
        if not (
            values.get("due_on") and values.get("zone") and DUE.intersection(self.changed_data)
        ):
            return False
        until = moment(values["due_on"], values.get("due_time"), zoneinfo.ZoneInfo(values["zone"]))
        return until <= self._now

    def limits(self) -> dict[str, int | None]:
        """Minutes by subject."""
        return {
            subject: self.cleaned_data.get(f"minutes-{subject}")
            for subject, _name in settings.SUBJECTS
        }

    def rows(self, *names: str) -> list[forms.BoundField]:
        """Fields by their names, for a part of the page."""
        return [self[name] for name in names]

    @property
    def due_fields(self) -> list[forms.BoundField]:
        return self.rows("zone", "due_by", "working_days", "due_on", "due_time")

    @property
    def reminder_fields(self) -> list[forms.BoundField]:
        return self.rows("before_hours", "at_deadline", "every_days", "times")

    @property
    def overdue_fields(self) -> list[forms.BoundField]:
        return self.rows("reassign_hours", "reassign_begun")

    @property
    def limit_fields(self) -> list[forms.BoundField]:
        return [self[f"minutes-{subject}"] for subject, _name in settings.SUBJECTS]


class ChecksField(forms.TypedMultipleChoiceField):
    """Numbers of checks, as the boxes of the list send them."""

    def __init__(self, **more: Any) -> None:
        super().__init__(coerce=int, **more)

    def valid_value(self, value: Any) -> bool:
        return is_number_of_row(str(value))


class ExtendForm(forms.Form):
    """A new deadline for the checks that were chosen, and why.

    ``all``: every check of the list; ``seen``: the question that was answered, ``promised``: the
    new deadlines that it named, ``key``: its name, under which they are moved once.
    """

    all = forms.BooleanField(required=False, widget=forms.HiddenInput)
    checks = ChecksField(required=False)
    day = forms.DateField(
        label=_("new date"), required=False, widget=DayInput(), validators=[refuse_far]
    )
    at = forms.TimeField(label=_("time"), required=False, widget=HourInput())
    working_days = _count(_("or working days more"), MAX_DAYS)
    reason = forms.CharField(label=_("reason"), max_length=300)
    seen = forms.CharField(max_length=32, required=False, widget=forms.HiddenInput)
    promised = forms.CharField(max_length=32, required=False, widget=forms.HiddenInput)
    key = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        refuse_surrogates([reason])
        return reason

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not values.get("all") and not values.get("checks"):
            self.add_error("checks", _("Choose the checks that get a new deadline."))
        if bool(values.get("day")) == bool(values.get("working_days")):
            raise forms.ValidationError(_("Say either a new date or how many working days more."))
        return values

    @property
    def wished(self) -> list[forms.BoundField]:
        """The fields of the new deadline."""
        return [self[name] for name in ("day", "at", "working_days", "reason")]

    @property
    def client_key(self) -> ClientKey | None:
        """The name of the question that is answered, if one was asked."""
        key = self.cleaned_data["key"]
        return ClientKey(f"deadlines-{key}", "") if key else None

    def extension(self) -> Extension:
        """What was asked for."""
        given = self.cleaned_data
        return Extension(given["day"], given["at"], given["working_days"])


class DayForm(forms.ModelForm):
    """A day that is not as the country's calendar has it."""

    day = forms.DateField(label=_("day"), widget=DayInput())
    works = forms.TypedChoiceField(
        label=_("people"),
        choices=[("", _("do not work")), ("1", _("work"))],
        coerce=bool,
        empty_value=False,
        required=False,
    )

    class Meta:
        model = CalendarDay
        fields = ["day", "works", "note"]

    def validate_unique(self) -> None:
        """A day that was entered before is entered anew."""

    def clean_day(self) -> Any:
        day = self.cleaned_data["day"]
        if not 2000 <= day.year <= 2100:
            raise forms.ValidationError(_("Enter a day from 2000 to 2100."))
        return day


class PressForm(forms.Form):
    """Which question is answered; twice is once."""

    key = forms.UUIDField()


class LanguageForm(forms.Form):
    language = forms.ChoiceField(choices=settings.LANGUAGES)
