"""The form of a rule set: how final grades are made is asked subject by subject."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from annotator.core.values import Subject
from annotator.rule_models import FINAL_RULES, RuleSet

NOT_STATED: Final = ("", _("not stated"))
SUBJECT_OF: Final = {f"final_{subject.name.lower()}": subject for subject in Subject}
"""The subject each field of ``RuleSetForm`` is about."""


def _asked(subject: Subject) -> forms.ChoiceField:
    label = _("final grade: %s") % dict(settings.SUBJECTS)[subject]
    return forms.ChoiceField(label=label, choices=[NOT_STATED, *FINAL_RULES], required=False)


class RuleSetForm(forms.ModelForm):
    """What a rule set says; a subject of which nothing is chosen has no final grades."""

    final_russian = _asked(Subject.RUSSIAN)
    final_russian_free = _asked(Subject.RUSSIAN_FREE)
    final_literature = _asked(Subject.LITERATURE)
    final_social_science = _asked(Subject.SOCIAL_SCIENCE)
    final_history = _asked(Subject.HISTORY)
    final_english = _asked(Subject.ENGLISH)
    final_english_free = _asked(Subject.ENGLISH_FREE)

    class Meta:
        model = RuleSet
        exclude = ["created_at", "final_grades"]  # noqa: DJ006 - whatever else a rule set says

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stated = self.instance.final_grades or {}
        for field, subject in SUBJECT_OF.items():
            self.initial.setdefault(field, stated.get(subject.value, ""))

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
