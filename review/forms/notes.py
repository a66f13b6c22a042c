"""What experts and coordinators write to each other."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from review.models.notes import LONGEST
from web.core.sound import SURROGATE


class WordsField(forms.CharField):
    """A text of people: line breaks as one sign each, as the browser counts them."""

    def __init__(self) -> None:
        super().__init__(
            max_length=LONGEST,
            error_messages={
                "required": gettext_lazy("Write something."),
                "max_length": gettext_lazy(
                    "At most %(limit_value)d signs; these are %(show_value)d. Make it shorter."
                ),
            },
        )

    def to_python(self, value: Any) -> Any:
        return super().to_python(value).replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: Any) -> None:
        super().validate(value)
        if SURROGATE.search(value):
            raise forms.ValidationError(_("A field holds half of a surrogate pair. Remove it."))


class NoteForm(forms.Form):
    """A message about a check; ``key`` tells two presses from two messages."""

    words = WordsField()
    key = forms.UUIDField(
        error_messages=dict.fromkeys(
            ("required", "invalid"),
            gettext_lazy("This form is out of date. Read your words and send them once more."),
        )
    )


class NoteAnswerForm(forms.Form):
    """What a coordinator answers."""

    words = WordsField()
