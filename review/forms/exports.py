"""What is asked of an export."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from annotator.models import EssaySet
from review.access import kinds_exported_for, sets_exported_for
from review.models import Export
from review.services.exporting import FORMS


class ExportForm(forms.Form):
    """What is exported, of which set, in which form; people are of no set."""

    kind = forms.TypedChoiceField(label=_("contents"), coerce=Export.Kind)
    essay_set = forms.ModelChoiceField(
        label=_("essay set"),
        queryset=EssaySet.objects.none(),
        required=False,
        empty_label=_("choose a set"),
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
        self.fields["form"].help_text = _("Markups and the training set have one form each.")
        if not any(form in sheets for kind in kinds for form in FORMS.get(kind, ())):
            del self.fields["form"]  # the training set is JSON, a file a line
        elif get_language() == "ru":
            self.fields["form"].initial = Export.Form.RUSSIAN_CSV.value

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
