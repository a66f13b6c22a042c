"""The form of a rule set: how final grades are made is asked subject by subject."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as _

from annotator.core.values import Subject
from annotator.models.rules import FINAL_RULES, RuleSet

BOUNDS: Final = {"hardness": 1, **{f"w{number}": 1_000_000 for number in range(1, 7)}}
"""What accuracies are averaged with: the most each may be; none is less than 0."""
NOT_STATED: Final = ("", _("not stated"))
SUBJECT_OF: Final = {f"final_{subject.name.lower()}": subject for subject in Subject}
"""The subject each field of ``RuleSetForm`` is about."""


def _asked() -> forms.ChoiceField:
    return forms.ChoiceField(choices=[NOT_STATED, *FINAL_RULES], required=False)


class RuleSetForm(forms.ModelForm):
    """What a rule set says; a subject of which nothing is chosen has no final grades."""

    final_russian = _asked()
    final_russian_free = _asked()
    final_literature = _asked()
    final_social_science = _asked()
    final_history = _asked()
    final_english = _asked()
    final_english_free = _asked()

    class Meta:
        model = RuleSet
        exclude = ["created_at", "final_grades"]  # noqa: DJ006 - whatever else a rule set says

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stated = self.instance.final_grades or {}
        subjects = dict(settings.SUBJECTS)
        for field, subject in SUBJECT_OF.items():
            # here the language is known; a lazy text is put together at once
            self.fields[field].label = _("final grade: %s") % subjects[subject]
            self.initial.setdefault(field, stated.get(subject.value, ""))
        for name in BOUNDS.keys() & self.fields.keys():  # who may only look has none
            most = BOUNDS[name]
            self.fields[name].validators += [MinValueValidator(0), MaxValueValidator(most)]

    @property
    def final_grades(self) -> dict[str, str] | None:
        """The rule of each subject that has one, once the form is valid."""
        chosen = {
            subject.value: self.cleaned_data[field]
            for field, subject in SUBJECT_OF.items()
            if self.cleaned_data[field]
        }
        return chosen or None

    def save(self, commit: bool = True) -> Any:
        self.instance.final_grades = self.final_grades
        return super().save(commit)


class RulesForm(RuleSetForm):
    """What a new version of rules says; ``newest``: the last version the page knew of."""

    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=1)
    seen = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    class Meta(RuleSetForm.Meta):
        exclude = [*RuleSetForm.Meta.exclude, "name", "version", "w7"]  # noqa: DJ006 - whatever else rules say

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, 7):
            self.fields[f"w{number}"].label = _("weight of M%d") % number

    @property
    def said(self) -> dict[str, Any]:
        """What the rules are to say, once the form is valid."""
        own = self.fields.keys() - {"newest", "seen"} - SUBJECT_OF.keys()
        said = {name: self.cleaned_data[name] for name in own}
        return said | {"final_grades": self.final_grades}
