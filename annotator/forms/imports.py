"""What is asked of an upload."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.core.values import Subject
from annotator.models import EssaySet
from annotator.services.imports.steps import Options


class ImportForm(forms.Form):
    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.exclude(state=EssaySet.State.ARCHIVED).select_related("rules"),
    )
    subject = forms.ChoiceField(
        label=_("subject of files that name none"),
        choices=[("", _("take it from the file")), *settings.SUBJECTS],
        required=False,
    )
    from_markups = forms.BooleanField(
        label=_("marked files may bring their essays along"),
        help_text=_("Otherwise the markup of an essay that is not known is refused."),
        required=False,
    )

    def options(self, actor: User) -> Options:
        """What was chosen, for the files of this person."""
        subject = self.cleaned_data["subject"]
        return Options(
            essay_set=self.cleaned_data["essay_set"],
            subject=Subject(subject) if subject else None,
            actor=actor,
            from_markups=self.cleaned_data["from_markups"],
        )
