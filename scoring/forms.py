from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotator.core.stated import Stated, each_of, read_points
from annotator.models import EssaySet, RuleSet
from annotator.queries.sets import CHECKED_SETS
from scoring.core.board import LARGEST_SEED
from scoring.core.criteria.grader import Reasons
from scoring.models import RunVerdict, ScoreRun


class PointsField(forms.CharField):
    """Points an expert states: 3, a half as 3.5, or several as 2; 3."""

    def __init__(self, *, maximum: int, label: str) -> None:
        super().__init__(label=label, max_length=40, required=False)
        self.maximum = maximum

    def clean(self, value: Any) -> Stated | None:
        written = super().clean(value)
        points = read_points(written) if written else None
        fits = points is None or all(0 <= each <= self.maximum for each in each_of(points))
        if (written and points is None) or not fits:
            message = _("Write points from 0 to %d, such as 2 or 2.5.")
            raise forms.ValidationError(message % self.maximum)
        if points is not None and any(each * 2 % 1 for each in each_of(points)):
            raise forms.ValidationError(_("Points are whole or end in a half, such as 2 or 2.5."))
        return points


class StatedForm(forms.Form):
    """The points an expert states beside the computed ones; an empty field states nothing.

    A change names only what it changes: ``stored`` points of other criteria stay.
    """

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)

    def __init__(
        self, data: Mapping[str, Any], *, criteria: Mapping[str, Reasons], stored: Mapping[str, int]
    ) -> None:
        super().__init__(data)
        self.stored = stored
        self.names = tuple(criteria)
        for name, why in criteria.items():
            self.fields[name] = PointsField(label=name, maximum=why.maximum)

    @property
    def stated(self) -> dict[str, Stated]:
        """The points by criterion, once the form is valid."""
        changed = {name: self.cleaned_data[name] for name in self.names if name in self.data}
        values = {**self.stored, **changed}
        return {name: points for name, points in values.items() if points is not None}


class RunForm(forms.Form):
    """A run to be ordered; without rules it goes by those results of the set count by."""

    essay_set = forms.ModelChoiceField(
        EssaySet.objects.filter(CHECKED_SETS)
        .exclude(state=EssaySet.State.ARCHIVED)
        .select_related("rules")
        .order_by("name"),
        label=_("Essay set"),
        empty_label=_("choose a set"),
    )
    rules = forms.ModelChoiceField(
        RuleSet.objects.all(),
        required=False,
        label=_("Rules"),
        empty_label=_("those that count"),
        help_text=_("Of a contest its parameters say which count, elsewhere the set does."),
    )
    seed = forms.IntegerField(
        min_value=0, max_value=LARGEST_SEED, initial=0, label=_("Seed of the resamples")
    )


class ProposalForm(forms.Form):
    """What is to become of a run, and why."""

    proposal = forms.ChoiceField(choices=ScoreRun.Proposal)
    reason = forms.CharField(max_length=1000, required=False)


class DecisionForm(forms.Form):
    """What was proposed, and which run counted when that was read."""

    proposal = forms.ChoiceField(choices=ScoreRun.Proposal)
    against = forms.IntegerField(min_value=1, required=False)


class WithdrawalForm(forms.Form):
    """Whose proposal is taken back, and why."""

    whose = forms.IntegerField(min_value=1)
    reason = forms.CharField(max_length=1000, required=False)


class FreezingForm(forms.Form):
    """Whether a public board stands still, and why."""

    frozen = forms.TypedChoiceField(choices=[("1", ""), ("0", "")], coerce=lambda said: said == "1")
    reason = forms.CharField(max_length=2000, required=False)


class RunVerdictForm(forms.Form):
    """What is said of an applied run, and why."""

    kind = forms.ChoiceField(choices=RunVerdict.Kind)
    reason = forms.CharField(max_length=2000, required=False)
