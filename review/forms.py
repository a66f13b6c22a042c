from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.models import Assignment, EssaySet
from review.access import kinds_exported_for, sets_exported_for
from review.act_models import BulkAct
from review.models import Export
from review.services.exporting import FORMS
from web.forms import is_number_of_row, refuse_surrogates

MAX_NUMBERS: Final = 40_000
"""Signs of a list of numbers: both earlier checks with all they may hold."""


class AssignForm(forms.Form):
    role = forms.TypedChoiceField(choices=Assignment.Role.choices, coerce=Assignment.Role)
    expert = forms.ModelChoiceField(queryset=User.objects.filter(role=User.Role.EXPERT))


class ActForm(forms.Form):
    """An act on many checks; ``to``: who gets them, ``all``: of every essay of the filter."""

    act = forms.TypedChoiceField(choices=BulkAct.Kind.choices, coerce=BulkAct.Kind)
    all = forms.BooleanField(required=False)
    to = forms.ModelChoiceField(
        queryset=User.objects.filter(role=User.Role.EXPERT, is_active=True), required=False
    )


class AnswerForm(forms.Form):
    """The word that it be done: which question it answers, and what was looked at."""

    key = forms.UUIDField()
    seen = forms.CharField(max_length=32)


class NumbersField(forms.CharField):
    """Numbers of fragments, separated by spaces."""

    def clean(self, value: Any) -> Any:
        words = super().clean(value).split()
        if not all(map(is_number_of_row, words)):
            raise forms.ValidationError(_("The numbers of the fragments cannot be read."))
        return [int(word) for word in words]


class TakeForm(forms.Form):
    """Fragments of the earlier checks to take, and those whose copies they stand for."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    sources = NumbersField(max_length=MAX_NUMBERS)
    instead_of = NumbersField(max_length=MAX_NUMBERS, required=False)


class NeitherForm(forms.Form):
    """Fragments of the earlier checks of which the third expert takes none."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    fragments = NumbersField(max_length=MAX_NUMBERS)


class ReasonForm(forms.Form):
    """Why the third expert decides so about fragments of the earlier checks."""

    version = forms.IntegerField(min_value=0)
    uid = forms.UUIDField(required=False)
    fragments = NumbersField(max_length=MAX_NUMBERS)
    reason = forms.CharField(label=_("reason"), max_length=500, required=False)

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        refuse_surrogates([reason])
        return reason


class ExportForm(forms.Form):
    """What is exported, of which set, in which form; people are of no set."""

    kind = forms.TypedChoiceField(label=_("contents"), coerce=Export.Kind)
    essay_set = forms.ModelChoiceField(
        label=_("essay set"), queryset=EssaySet.objects.none(), required=False
    )
    form = forms.TypedChoiceField(
        label=_("form of tables"), coerce=Export.Form, empty_value=None, required=False
    )

    def __init__(self, data: Any = None, *, user: User, **more: Any) -> None:
        super().__init__(data, **more)
        kinds = kinds_exported_for(user)
        self.fields["kind"].choices = [(kind.value, kind.label) for kind in kinds]
        self.fields["essay_set"].queryset = sets_exported_for(user)
        sheets = FORMS[Export.Kind.RESULTS]
        self.fields["form"].choices = [(form.value, form.label) for form in sheets]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        kind = values.get("kind")
        if kind == Export.Kind.PEOPLE:
            values["essay_set"] = None
        elif kind and not values.get("essay_set"):
            self.add_error("essay_set", _("Choose an essay set."))
        forms_of_kind = FORMS.get(kind, ())
        if forms_of_kind and values.get("form") not in forms_of_kind:
            values["form"] = forms_of_kind[0]
        return values
