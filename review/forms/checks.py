"""What is asked of checks on the desk."""

from __future__ import annotations

from django import forms

from accounts.models import User
from annotator.models import Assignment
from review.models.acts import BulkAct


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
